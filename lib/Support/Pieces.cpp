#include "forge/Support/Pieces.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

void forge::forEachSideBySide(size_t count, size_t mostWorkers,
                              const std::function<void(size_t, size_t)> &work) {
  std::atomic<size_t> next = 0;
  auto run = [&](size_t worker) {
    for (size_t i = next++; i < count; i = next++)
      work(worker, i);
  };
  std::vector<std::thread> helpers;
  for (size_t worker = 1; worker < std::min(count, mostWorkers); ++worker)
    helpers.emplace_back(run, worker);
  run(0);
  for (std::thread &helper : helpers)
    helper.join();
}

void forge::forEachPiece(size_t bytes, size_t pieceBytes, size_t mostWorkers,
                         const std::function<void(size_t, size_t, size_t)> &work) {
  size_t pieces = (bytes + pieceBytes - 1) / pieceBytes;
  forEachSideBySide(pieces, mostWorkers, [&](size_t worker, size_t piece) {
    size_t offset = piece * pieceBytes;
    work(worker, offset, std::min(pieceBytes, bytes - offset));
  });
}

size_t forge::copyWorkers() {
  constexpr size_t most = 16;
  return std::clamp<size_t>(std::thread::hardware_concurrency(), 1, most);
}
