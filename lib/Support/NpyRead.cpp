#include "forge/Support/Npy.h"

#include "NpyHeader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace forge;

namespace {
/// Where bytes come from: a file or memory.
class Source {
public:
  virtual ~Source() = default;
  /// Bytes there are in all.
  virtual uint64_t size() const = 0;
  /// Copies `count` bytes from `offset`, which must lie within size(), to `to`.
  virtual Result<void> read(uint64_t offset, void *to, uint64_t count) = 0;
};

class MemorySource : public Source {
public:
  explicit MemorySource(std::string_view bytes) : bytes(bytes) {}
  uint64_t size() const override { return bytes.size(); }
  Result<void> read(uint64_t offset, void *to, uint64_t count) override {
    if (count)
      std::memcpy(to, bytes.data() + offset, count);
    return {};
  }

private:
  std::string_view bytes;
};

class FileSource : public Source {
public:
  FileSource() = default;
  FileSource(const FileSource &) = delete;
  ~FileSource() override {
    if (fd >= 0)
      close(fd);
  }
  Result<void> open(const std::string &path);
  uint64_t size() const override { return fileSize; }
  Result<void> read(uint64_t offset, void *to, uint64_t count) override;

private:
  int fd = -1;
  uint64_t fileSize = 0;
};
} // namespace

static Error cannotRead(int error) {
  return Error{std::string("cannot read: ") + std::strerror(error)};
}

Result<void> FileSource::open(const std::string &path) {
  fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // NONBLOCK: never hang on a pipe
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0)
    return cannotRead(errno);
  if (S_ISDIR(info.st_mode))
    return cannotRead(EISDIR);
  if (!S_ISREG(info.st_mode))
    return Error{"cannot read: not a regular file"};
  fileSize = static_cast<uint64_t>(info.st_size);
  return {};
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

/// The elements of `tensor`, which stand in Fortran order (first dimension fastest), in C order.
static Result<HostTensor> fromFortranOrder(const HostTensor &tensor) {
  Result<HostTensor> result = HostTensor::create(tensor.type(), tensor.dims());
  if (!result)
    return result;
  size_t rank = tensor.dims().size(), width = byteWidth(tensor.type());
  std::vector<int64_t> stride(rank), index(rank, 0); // stride: of the source, in elements
  int64_t step = 1;
  for (size_t d = 0; d < rank; ++d) {
    stride[d] = step;
    step *= tensor.dims()[d];
  }
  int64_t from = 0;
  for (int64_t to = 0; to < tensor.numElements(); ++to) {
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
  size_t startSize = std::min<uint64_t>(start.size(), source.size());
  if (Result<void> read = source.read(0, start.data(), startSize); !read)
    return read.error();
  Result<npy::Prefix> prefix = npy::parsePrefix({start.data(), startSize});
  if (!prefix)
    return prefix.error();
  if (prefix->size > source.size() - prefix->offset)
    return Error{"truncated: the header is incomplete"};
  std::string text(prefix->size, '\0');
  if (Result<void> read = source.read(prefix->offset, text.data(), text.size()); !read)
    return read.error();
  dataOffset = prefix->offset + prefix->size;
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
  if (*size > source.size() - offset)
    return Error{"truncated: expected " + std::to_string(*size) + " bytes of data, but got " +
                 std::to_string(source.size() - offset)};
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
    return fromFortranOrder(*tensor);
  return tensor;
}

Result<HostTensor> forge::parseNpy(std::string_view bytes) {
  MemorySource source(bytes);
  return readArray(source);
}

Result<HostTensor> forge::readNpy(const std::string &path) {
  FileSource source;
  if (Result<void> opened = source.open(path); !opened)
    return Error{path + ": " + opened.error().message};
  Result<HostTensor> tensor = readArray(source);
  if (!tensor)
    return Error{path + ": " + tensor.error().message};
  return tensor;
}
