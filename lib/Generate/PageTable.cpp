#include "forge/Generate/PageTable.h"

#include <algorithm>
#include <string>

using namespace forge;

PageTable::PageTable(int64_t batch, int64_t perSequence, int64_t pageSize, int64_t pages)
    : perSequence(perSequence), pageSize(pageSize), pages(pages), taken(static_cast<size_t>(batch)),
      table(static_cast<size_t>(batch * perSequence), -1) {
  for (int64_t page = pages; page-- > 0;)
    free.push_back(static_cast<int32_t>(page));
}

int64_t PageTable::capacity() const { return std::min(perSequence, pages) * pageSize; }

size_t PageTable::fitting(std::span<const int64_t> tokens) const {
  size_t count = 0;
  int64_t left = pages;
  for (; count < std::min(tokens.size(), taken.size()); ++count) {
    left -= pagesOf(tokens[count]);
    if (left < 0)
      break;
  }
  return count;
}

Result<void> PageTable::resize(std::span<const int64_t> tokens) {
  int64_t needed = 0;
  for (int64_t count : tokens)
    needed += pagesOf(count);
  if (needed > pages)
    return Error{"expected tokens that take at most " + std::to_string(pages) + " pages of " +
                 std::to_string(pageSize) + ", but got some that take " + std::to_string(needed)};
  // All that go back come first: others may need them.
  for (bool grows : {false, true})
    for (size_t b = 0; b < taken.size(); ++b) {
      int32_t *row = table.data() + static_cast<int64_t>(b) * perSequence;
      int64_t wanted = pagesOf(tokens[b]);
      changed |= grows ? taken[b] < wanted : taken[b] > wanted;
      for (; !grows && taken[b] > wanted; --taken[b])
        free.push_back(std::exchange(row[taken[b] - 1], -1));
      for (; grows && taken[b] < wanted; ++taken[b]) {
        row[taken[b]] = free.back();
        free.pop_back();
      }
    }
  return {};
}
