#include "Upload.h"

#include "forge/Support/Pieces.h"

using namespace forge;
using namespace forge::rt;

Result<std::unique_ptr<Upload>> Upload::create(Device &device) {
  std::unique_ptr<Upload> upload(new Upload(device));
  for (size_t number = 0; number < copyWorkers(); ++number) {
    Result<void> added = upload->addWorker();
    if (!added && number == 0)
      return added.error();
    // Fewer threads where the host has no more memory to pin.
    if (!added)
      break;
  }
  return upload;
}

Result<void> Upload::addWorker() {
  Worker worker;
  Result<std::unique_ptr<Stream>> stream = device.createStream();
  if (!stream)
    return stream.error();
  worker.stream = std::move(*stream);
  for (Piece &piece : worker.pieces) {
    Result<std::unique_ptr<Event>> event = device.createEvent(/*timed=*/false);
    Result<void *> memory =
        event ? device.allocateHost(TensorSource::kPieceBytes) : Result<void *>(event.error());
    if (!memory) {
      (void)device.releaseHost(worker.pieces[0].memory);
      return memory.error();
    }
    piece = {*memory, std::move(*event)};
  }
  workers.push_back(std::move(worker));
  return {};
}

Upload::~Upload() {
  for (Worker &worker : workers)
    for (Piece &piece : worker.pieces)
      (void)device.releaseHost(piece.memory);
}

Result<void> Upload::copyPiece(Worker &worker, void *target, const TensorSource &source,
                               size_t offset, size_t size) {
  Piece &piece = worker.pieces[worker.next];
  worker.next = 1 - worker.next;
  if (Result<void> free = piece.copied->synchronize(); !free)
    return free;
  source.copy(offset, {static_cast<char *>(piece.memory), size});
  if (Result<void> copied =
          worker.stream->copyToDevice(static_cast<char *>(target) + offset, piece.memory, size);
      !copied)
    return copied;
  return worker.stream->record(*piece.copied);
}

Result<void> Upload::write(void *target, const TensorSource &source) {
  for (Worker &worker : workers)
    worker.done = {};
  forEachPiece(source.numBytes(), TensorSource::kPieceBytes, workers.size(),
               [&](size_t number, size_t offset, size_t size) {
                 Worker &worker = workers[number];
                 if (worker.done)
                   worker.done = copyPiece(worker, target, source, offset, size);
               });
  Result<void> done;
  for (Worker &worker : workers) {
    // Also after an error: what was enqueued still reads the pieces.
    Result<void> waited = worker.stream->synchronize();
    if (done && !worker.done)
      done = worker.done;
    if (done && !waited)
      done = waited;
  }
  return done;
}
