#include "forge/Support/Npy.h"

#include "NpyHeader.h"

#include "forge/Support/AvailableMemory.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace forge;

namespace {
/// Where bytes come from: a file, a pipe or memory.
class Source {
public:
  virtual ~Source() = default;
  /// How many of the first `wanted` bytes there are.
  virtual Result<uint64_t> available(uint64_t wanted) = 0;
  /// Copies `count` bytes from `offset`, all of them available, to `to`.
  virtual Result<void> read(uint64_t offset, void *to, uint64_t count) = 0;
};

class MemorySource : public Source {
public:
  explicit MemorySource(std::string_view bytes) : bytes(bytes) {}
  Result<uint64_t> available(uint64_t wanted) override {
    return std::min<uint64_t>(wanted, bytes.size());
  }
  Result<void> read(uint64_t offset, void *to, uint64_t count) override {
    if (count)
      std::memcpy(to, bytes.data() + offset, count);
    return {};
  }

private:
  std::string_view bytes;
};

/// Owns a file descriptor.
class FileDescriptor {
public:
  explicit FileDescriptor(int fd) : fd(fd) {}
  FileDescriptor(const FileDescriptor &) = delete;
  ~FileDescriptor() {
    if (fd >= 0)
      close(fd);
  }
  operator int() const { return fd; }

private:
  int fd;
};

/// A regular file, whose size is known.
class FileSource : public Source {
public:
  FileSource(int fd, uint64_t size) : fd(fd), size(size) {}
  Result<uint64_t> available(uint64_t wanted) override { return std::min(wanted, size); }
  Result<void> read(uint64_t offset, void *to, uint64_t count) override;

private:
  int fd;
  uint64_t size;
};

/// A pipe or a device: what has come so far is kept, and no more is taken than is wanted.
class StreamSource : public Source {
public:
  explicit StreamSource(int fd) : fd(fd) {}
  Result<uint64_t> available(uint64_t wanted) override;
  Result<void> read(uint64_t offset, void *to, uint64_t count) override {
    return MemorySource(bytes).read(offset, to, count);
  }

private:
  int fd;
  std::string bytes;
};
} // namespace

static Error cannotRead(int error) {
  return Error{std::string("cannot read: ") + std::strerror(error)};
}

Result<uint64_t> StreamSource::available(uint64_t wanted) {
  while (bytes.size() < wanted) {
    size_t before = bytes.size();
    if (before == bytes.capacity() && exceedsMemory(2 * before))
      return Error{"out of memory after " + std::to_string(before) + " bytes"};
    bytes.resize(std::min<uint64_t>(wanted, before + (1u << 16)));
    ssize_t got = ::read(fd, bytes.data() + before, bytes.size() - before);
    int error = errno;
    bytes.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && error != EINTR)
      return cannotRead(error);
    if (got == 0)
      break;
  }
  return std::min<uint64_t>(wanted, bytes.size());
}

Result<void> FileSource::read(uint64_t offset, void *to, uint64_t count) {
  char *next = static_cast<char *>(to);
  while (count > 0) {
    ssize_t got = pread(fd, next, std::min<uint64_t>(count, 1u << 30), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return cannotRead(errno);
    if (got == 0)
      return Error{"truncated while it was read"};
    next += got;
    offset += static_cast<uint64_t>(got);
    count -= static_cast<uint64_t>(got);
  }
  return {};
}

static void swapBytes(HostTensor &tensor) {
  size_t width = byteWidth(tensor.type());
  char *bytes = tensor.dataAs<char>();
  for (int64_t i = 0; i < tensor.numElements(); ++i, bytes += width)
    std::reverse(bytes, bytes + width);
}

/// NumPy stores truth values as bytes; any that is not 0 counts as true, and is kept as 1.
static void normalizeBools(HostTensor &tensor) {
  uint8_t *bytes = tensor.dataAs<uint8_t>();
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    bytes[i] = bytes[i] != 0;
}

/// The elements of `tensor`, which are in Fortran order (first dimension fastest), in C order; the
/// last dimension of complex numbers, their parts, is no part of that order.
static Result<HostTensor> fromFortranOrder(const HostTensor &tensor, bool isComplex) {
  Result<HostTensor> result = HostTensor::create(tensor.type(), tensor.dims());
  if (!result)
    return result;
  size_t parts = isComplex ? 2 : 1;
  size_t rank = tensor.dims().size() - (isComplex ? 1 : 0);
  size_t width = byteWidth(tensor.type()) * parts;
  std::vector<int64_t> stride(rank), index(rank, 0); // stride: of the source, in elements
  int64_t step = 1;
  for (size_t d = 0; d < rank; ++d) {
    stride[d] = step;
    step *= tensor.dims()[d];
  }
  int64_t from = 0;
  for (int64_t to = 0; to < tensor.numElements() / static_cast<int64_t>(parts); ++to) {
    std::memcpy(result->dataAs<char>() + static_cast<size_t>(to) * width,
                tensor.dataAs<char>() + static_cast<size_t>(from) * width, width);
    for (size_t d = rank; d-- > 0;) {
      from += stride[d];
      if (++index[d] < tensor.dims()[d])
        break;
      from -= stride[d] * index[d];
      index[d] = 0;
    }
  }
  return result;
}

static Result<npy::Header> readHeader(Source &source, uint64_t &dataOffset) {
  std::array<char, npy::kPrefixSizeV2> start{};
  Result<uint64_t> startSize = source.available(start.size());
  if (!startSize)
    return startSize.error();
  if (Result<void> read = source.read(0, start.data(), *startSize); !read)
    return read.error();
  Result<npy::Prefix> prefix = npy::parsePrefix({start.data(), *startSize});
  if (!prefix)
    return prefix.error();
  dataOffset = prefix->offset + prefix->size;
  Result<uint64_t> headerEnd = source.available(dataOffset);
  if (!headerEnd)
    return headerEnd.error();
  if (*headerEnd < dataOffset)
    return Error{"truncated: the header is incomplete"};
  std::string text(prefix->size, '\0');
  if (Result<void> read = source.read(prefix->offset, text.data(), text.size()); !read)
    return read.error();
  return npy::parseHeader(text);
}

static Result<HostTensor> readArray(Source &source) {
  uint64_t offset = 0;
  Result<npy::Header> header = readHeader(source, offset);
  if (!header)
    return header.error();
  Result<uint64_t> size = npy::dataSize(*header);
  if (!size)
    return size.error();
  // dataSize is less than 2^63, and the header's size is limited.
  Result<uint64_t> end = source.available(offset + *size);
  if (!end)
    return end.error();
  if (*end < offset + *size)
    return Error{"truncated: expected " + std::to_string(*size) + " bytes of data, but got " +
                 std::to_string(*end - offset)};
  Result<HostTensor> tensor = HostTensor::create(header->type, header->dims);
  if (!tensor)
    return tensor;
  if (Result<void> read = source.read(offset, tensor->data(), *size); !read)
    return read.error();
  if (header->bigEndian)
    swapBytes(*tensor);
  if (header->type == DType::I1)
    normalizeBools(*tensor);
  if (header->fortranOrder && tensor->rank() > 1)
    return fromFortranOrder(*tensor, header->isComplex);
  return tensor;
}

Result<HostTensor> forge::parseNpy(std::string_view bytes) {
  MemorySource source(bytes);
  return readArray(source);
}

static Result<HostTensor> readFile(const std::string &path) {
  FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0)
    return cannotRead(errno);
  if (S_ISREG(info.st_mode)) {
    FileSource file(fd, static_cast<uint64_t>(info.st_size));
    return readArray(file);
  }
  StreamSource stream(fd);
  return readArray(stream);
}

Result<HostTensor> forge::readNpy(const std::string &path) {
  Result<HostTensor> tensor = readFile(path);
  if (!tensor)
    return Error{path + ": " + tensor.error().message};
  return tensor;
}
