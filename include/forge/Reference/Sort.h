// sort and top_k. No MLIR.
#ifndef FORGE_REFERENCE_SORT_H
#define FORGE_REFERENCE_SORT_H

#include "forge/Reference/Elementwise.h"
#include "forge/Reference/Reduce.h"

namespace forge::reference {

/// Sorts the inputs together along `dimension` (negative counts from the end), stably, by a
/// comparator that takes lhs0, rhs0, lhs1, rhs1, … and gives i1 "lhs before rhs". Any comparator is
/// safe, also one that is no order.
Result<std::vector<HostTensor>> sort(const std::vector<HostTensor> &inputs, int64_t dimension,
                                     const Body &comparator);

/// The comparator that compares the elements of one input.
struct SortKey {
  size_t input = 0;
  Direction direction = Direction::LT;
  bool totalOrder = false;
};
/// The same by `key`, without a call of a comparator.
Result<std::vector<HostTensor>> sort(const std::vector<HostTensor> &inputs, int64_t dimension,
                                     const SortKey &key);

struct TopK {
  HostTensor values;
  HostTensor indices; // i32
};

/// The k largest elements of each row along the last dimension, largest first (or the smallest,
/// smallest first); equal ones by rising index. Floats in total order: NaN is the largest.
Result<TopK> topK(const HostTensor &operand, int64_t k, bool largest = true);

} // namespace forge::reference

#endif // FORGE_REFERENCE_SORT_H
