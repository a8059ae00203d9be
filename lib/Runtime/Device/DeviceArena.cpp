#include "forge/Runtime/DeviceArena.h"

#include <algorithm>

using namespace forge;
using namespace forge::rt;

static constexpr size_t kFirstChunk = size_t(2) << 20;

DeviceArena::DeviceArena(std::shared_ptr<Device> owner, Options given)
    : device(std::move(owner)), generation(device->generation()), options(given) {
  if (options.limitBytes == 0)
    options.limitBytes = SIZE_MAX;
}

DeviceArena::~DeviceArena() {
  if (generation != device->generation() || device->isLost())
    return;
  // What fails to be released now cannot be told to anyone, and is not used again.
  for (auto &[number, chunk] : chunks)
    (void)device->release(chunk.base);
}

void *DeviceArena::take(size_t bytes) {
  auto it = freeSpans.lower_bound(FreeKey(bytes, 0, 0));
  if (it == freeSpans.end())
    return nullptr;
  auto [size, number, offset] = *it;
  freeSpans.erase(it);
  Chunk &chunk = chunks.at(number);
  chunk.spans[offset] = {bytes, false};
  if (size > bytes) {
    chunk.spans[offset + bytes] = {size - bytes, true};
    freeSpans.insert({size - bytes, number, offset + bytes});
  }
  char *block = chunk.base + offset;
  used[block] = {number, offset};
  live += bytes;
  peak = std::max(peak, live);
  device->forget(block, bytes);
  return block;
}

/// Makes a span free, and one with its free neighbours.
void DeviceArena::putBack(size_t number, size_t offset) {
  Chunk &chunk = chunks.at(number);
  auto span = chunk.spans.find(offset);
  span->second.free = true;
  if (auto next = std::next(span); next != chunk.spans.end() && next->second.free) {
    freeSpans.erase({next->second.bytes, number, next->first});
    span->second.bytes += next->second.bytes;
    chunk.spans.erase(next);
  }
  if (span != chunk.spans.begin())
    if (auto before = std::prev(span); before->second.free) {
      freeSpans.erase({before->second.bytes, number, before->first});
      before->second.bytes += span->second.bytes;
      chunk.spans.erase(span);
      span = before;
    }
  freeSpans.insert({span->second.bytes, number, span->first});
}

Result<bool> DeviceArena::dropFreeChunks() {
  if (pinned)
    return false;
  bool any = false;
  for (auto it = chunks.begin(); it != chunks.end();) {
    auto &[number, chunk] = *it;
    if (chunk.spans.size() != 1 || !chunk.spans.begin()->second.free) {
      ++it;
      continue;
    }
    if (options.inFlight)
      if (Result<void> done = device->synchronize(); !done)
        return done.error();
    if (Result<void> done = device->release(chunk.base); !done)
      return done.error();
    freeSpans.erase({chunk.bytes, number, 0});
    reserved -= chunk.bytes;
    it = chunks.erase(it);
    any = true;
  }
  return any;
}

Result<void> DeviceArena::grow(size_t bytes) {
  auto room = [&] { return options.limitBytes - std::min(options.limitBytes, reserved); };
  if (bytes > room())
    return Error{"beyond the limit of " + std::to_string(options.limitBytes) + " bytes"};
  size_t wanted = std::clamp(reserved, kFirstChunk, options.largestGrowth) / alignment * alignment;
  size_t size = std::max(bytes, std::min(wanted, room() / alignment * alignment));
  Result<void *> base = device->allocate(size);
  if (!base && size > bytes && !device->isLost()) {
    size = bytes;
    base = device->allocate(size);
  }
  if (!base)
    return base.error();
  size_t number = nextChunk++;
  chunks[number] = {static_cast<char *>(*base), size, {{0, {size, true}}}};
  freeSpans.insert({size, number, 0});
  reserved += size;
  return {};
}

Result<void *> DeviceArena::allocate(size_t bytes) {
  if (bytes == 0)
    return static_cast<void *>(nullptr);
  auto tooMuch = [&](const std::string &why) {
    return Error{"out of memory on " + device->properties().name + ": a block of " +
                 std::to_string(bytes) + " bytes on top of " + std::to_string(live) + ": " + why};
  };
  if (bytes > SIZE_MAX / 2)
    return tooMuch("no device has that much");
  size_t size = (bytes + alignment - 1) / alignment * alignment;
  if (void *block = take(size))
    return block;
  Result<void> grown = grow(size);
  if (!grown && !device->isLost()) {
    Result<bool> dropped = dropFreeChunks();
    if (!dropped)
      return dropped.error();
    if (*dropped)
      grown = grow(size);
  }
  if (!grown)
    return tooMuch(grown.error().message);
  return take(size);
}

Result<void> DeviceArena::release(void *pointer) {
  if (!pointer)
    return {};
  auto it = used.find(static_cast<char *>(pointer));
  if (it == used.end())
    return Error{"expected a block of this arena that is in use"};
  auto [number, offset] = it->second;
  used.erase(it);
  live -= chunks.at(number).spans.at(offset).bytes;
  putBack(number, offset);
  return {};
}

void DeviceArena::reset() {
  freeSpans.clear();
  used.clear();
  for (auto &[number, chunk] : chunks) {
    chunk.spans = {{0, {chunk.bytes, true}}};
    freeSpans.insert({chunk.bytes, number, 0});
  }
  live = peak = 0;
}
