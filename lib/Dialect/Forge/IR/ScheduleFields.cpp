#include "forge/Dialect/Forge/IR/ScheduleFields.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace forge;
using Kind = ScheduleField::Kind;

static constexpr int64_t kMostSize = int64_t(1) << 20;
static constexpr llvm::StringLiteral kLibraryWords[] = {"prefer", "cost", "never"};
static constexpr llvm::StringLiteral kPackWords[] = {"none", "a", "b", "ab"};

llvm::ArrayRef<ScheduleField> forge::scheduleFields() {
  static const ScheduleField fields[] = {
      {"strategy", Kind::Word},
      // Tiles of products: rows, columns, terms of the sum.
      {"m", Kind::Size, 1, kMostSize},
      {"n", Kind::Size, 1, kMostSize},
      {"k", Kind::Size, 1, kMostSize},
      {"block_m", Kind::Size, 1, kMostSize},
      {"block_n", Kind::Size, 1, kMostSize},
      {"block_k", Kind::Size, 1, kMostSize},
      {"stages", Kind::Size, 1, 64},
      // One size for each loop of an operation; 0 leaves it whole.
      {"tile", Kind::Sizes, 0, std::numeric_limits<int64_t>::max()},
      // Keys of a chunk of attention; the blocks that share them.
      {"keys", Kind::Size, 1, kMostSize},
      {"split_kv", Kind::Size, 1, kMostSize},
      // Elements of a memory access; accesses that a thread has in flight or keeps.
      {"vector", Kind::Size, 1, kMostSize},
      {"loads", Kind::Size, 0, kMostSize},
      // Rows of a block; blocks of a row.
      {"rows", Kind::Size, 1, kMostSize},
      {"blocks", Kind::Size, 1, std::numeric_limits<int64_t>::max()},
      // Of a block; those that share the terms of one reduction.
      {"threads", Kind::Size, 1, kMostSize},
      {"reduce_threads", Kind::Size, 1, kMostSize},
      {"pack", Kind::Word, 0, 0, kPackWords},
      {"stage_b", Kind::Flag},
      {"swap", Kind::Flag},
      {"parallel", Kind::Flag},
      // The fewest multiplications for which the vendor's library is called.
      {"min_macs", Kind::Size, 0, std::numeric_limits<int64_t>::max()},
      // Whether the vendor's library may be chosen.
      {"library", Kind::Word, 0, 0, kLibraryWords},
  };
  return fields;
}

const ScheduleField *forge::findScheduleField(llvm::StringRef name) {
  const auto *found =
      llvm::find_if(scheduleFields(), [&](const ScheduleField &f) { return f.name == name; });
  return found == scheduleFields().end() ? nullptr : found;
}
