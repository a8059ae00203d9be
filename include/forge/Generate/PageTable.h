// Which pages of a pool hold the keys and values of which sequence.
#ifndef FORGE_GENERATE_PAGETABLE_H
#define FORGE_GENERATE_PAGETABLE_H

#include "forge/Support/Result.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace forge {

class PageTable {
public:
  /// Of `pages` pages of `pageSize` tokens, of which each of `batch` sequences can have
  /// `perSequence`. None are taken.
  PageTable(int64_t batch, int64_t perSequence, int64_t pageSize, int64_t pages);

  /// How many of the first of the sequences, by the tokens that each is to have, all have pages.
  size_t fitting(std::span<const int64_t> tokens) const;
  /// Gives each sequence the pages that so many tokens take, at most as many as it can have. Those
  /// it has already stay in their order; those behind go back to the pool. Nothing changes where
  /// the pool has too few, which is the error.
  Result<void> resize(std::span<const int64_t> tokens);

  /// [batch, perSequence]: a page of the pool, or -1.
  const std::vector<int32_t> &entries() const { return table; }
  /// Those of a sequence.
  std::span<const int32_t> row(size_t sequence) const {
    auto each = static_cast<size_t>(perSequence);
    return std::span(table).subspan(sequence * each, each);
  }
  /// Whether entries have changed since the last call.
  bool takeChange() { return std::exchange(changed, false); }
  int64_t numFree() const { return static_cast<int64_t>(free.size()); }
  /// Tokens that one sequence can have at most.
  int64_t capacity() const;

private:
  int64_t pagesOf(int64_t tokens) const { return (tokens + pageSize - 1) / pageSize; }

  int64_t perSequence, pageSize, pages;
  std::vector<int64_t> taken; ///< pages of each sequence
  std::vector<int32_t> free;  ///< the next one last
  std::vector<int32_t> table;
  bool changed = true;
};

} // namespace forge

#endif // FORGE_GENERATE_PAGETABLE_H
