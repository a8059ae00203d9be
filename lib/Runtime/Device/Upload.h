// Many bytes to a device, by way of host memory that copies reach at full speed.
#ifndef FORGE_LIB_RUNTIME_DEVICE_UPLOAD_H
#define FORGE_LIB_RUNTIME_DEVICE_UPLOAD_H

#include "forge/Runtime/Device.h"
#include "forge/Support/TensorSource.h"

namespace forge::rt {

/// Several threads, each with a stream and two pieces of pinned host memory: while one is copied,
/// the other is filled. Used by one thread at a time.
class Upload {
public:
  /// Takes streams and pinned memory, 16 MiB for each thread; fails if there is none for one.
  static Result<std::unique_ptr<Upload>> create(Device &device);
  ~Upload();

  /// Copies the elements of `source` to `target`, and waits until they are there.
  Result<void> write(void *target, const TensorSource &source);

private:
  struct Piece {
    void *memory = nullptr;
    /// That it was copied.
    std::unique_ptr<Event> copied;
  };
  struct Worker {
    std::unique_ptr<Stream> stream;
    Piece pieces[2];
    size_t next = 0;
    Result<void> done;
  };
  explicit Upload(Device &device) : device(device) {}
  Result<void> addWorker();
  Result<void> copyPiece(Worker &worker, void *target, const TensorSource &source, size_t offset,
                         size_t size);

  Device &device;
  std::vector<Worker> workers;
};

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_UPLOAD_H
