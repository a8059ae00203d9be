// How a tile changes its layout: a plan of steps within a thread, between the lanes of a warp, or
// through shared memory, and what each step does with a thread's registers.
#ifndef FORGE_DIALECT_TILE_IR_LAYOUTCONVERSION_H
#define FORGE_DIALECT_TILE_IR_LAYOUTCONVERSION_H

#include "forge/Dialect/Tile/IR/Tile.h"

namespace forge::tile {

/// One step of a conversion. All of them but Shared work within each warp by itself.
struct ConversionStep {
  enum class Kind {
    /// Registers get other numbers.
    Rename,
    /// Bit `bit` of the lane number (of the warp number, if `ofWarp`) was replicated and becomes
    /// `in`, which registers held: every thread keeps half of its registers.
    Select,
    /// Bit `bit` of the lane number changes from `out` to `in`, which registers held: half of them
    /// are exchanged with the lane that differs in this bit.
    Swap,
    /// Every register is read from another lane: bit i of the lane number is bit `lanes[i]` of the
    /// number of the lane read.
    Permute,
    /// Bit `bit` of the lane number held `out` and becomes replicated: every register is exchanged
    /// with the lane that differs in this bit.
    Gather,
    /// Elements change warps: through shared memory.
    Shared
  };

  Kind kind;
  LayoutAttr from, to;
  bool ofWarp = false;
  unsigned bit = 0;
  LayoutEntry in, out;
  llvm::SmallVector<unsigned> lanes;
};

/// The steps from a layout to another of the same rank with as many lanes and warps; none where
/// they are equal. They hold for every shape that both layouts have.
llvm::SmallVector<ConversionStep> planConversion(LayoutAttr from, LayoutAttr to);

/// What a step does with values, each of which every thread has one of.
template <typename ValueT> class ThreadValues {
public:
  virtual ~ThreadValues() = default;
  /// `one` in threads that have bit `bit` of their lane number (of their warp number, if `ofWarp`)
  /// set, `zero` in the others.
  virtual ValueT select(bool ofWarp, unsigned bit, ValueT zero, ValueT one) = 0;
  /// The value of the lane that differs in bit `bit` of its number.
  virtual ValueT exchange(unsigned bit, ValueT value) = 0;
  /// The value of the lane whose bit `lanes[i]` is the reader's bit i.
  virtual ValueT permute(llvm::ArrayRef<unsigned> lanes, ValueT value) = 0;
};

/// The registers of a tile of `shape` after a step other than Shared.
template <typename ValueT>
llvm::SmallVector<ValueT> applyStep(const ConversionStep &step, llvm::ArrayRef<int64_t> shape,
                                    llvm::ArrayRef<ValueT> registers,
                                    ThreadValues<ValueT> &threads) {
  using Kind = ConversionStep::Kind;
  assert(step.kind != Kind::Shared && "not a step between registers");
  auto read = [&](llvm::SmallVector<int64_t> at, LayoutEntry plus) {
    if (!plus.isReplicated())
      at[plus.dim] += plus.step();
    return registers[step.from.getPlace(shape, at).reg];
  };
  auto has = [](llvm::ArrayRef<int64_t> at, LayoutEntry entry) {
    return (at[entry.dim] >> entry.bit & 1) != 0;
  };
  llvm::SmallVector<ValueT> result(step.to.getRegisters(shape));
  for (int64_t reg = 0, count = step.to.getRegisters(shape); reg < count; ++reg) {
    llvm::SmallVector<int64_t> at = step.to.getCoordinates(shape, reg);
    ValueT here = step.kind == Kind::Swap || step.kind == Kind::Gather
                      ? ValueT()
                      : read(at, LayoutEntry::replicated());
    switch (step.kind) {
    case Kind::Rename:
    case Kind::Shared:
      result[reg] = here;
      continue;
    case Kind::Permute:
      result[reg] = threads.permute(step.lanes, here);
      continue;
    case Kind::Select:
      result[reg] = threads.select(step.ofWarp, step.bit, here, read(at, step.in));
      continue;
    case Kind::Swap:
    case Kind::Gather:
      break;
    }
    // Two registers at once: without `out` and with it.
    if (has(at, step.out))
      continue;
    ValueT kept = read(at, LayoutEntry::replicated()), sent = kept;
    if (step.kind == Kind::Swap) {
      ValueT without = kept, with = read(at, step.in);
      kept = threads.select(false, step.bit, without, with);
      sent = threads.select(false, step.bit, with, without);
    }
    ValueT received = threads.exchange(step.bit, sent);
    result[reg] = threads.select(false, step.bit, kept, received);
    at[step.out.dim] += step.out.step();
    result[step.to.getPlace(shape, at).reg] = threads.select(false, step.bit, received, kept);
  }
  return result;
}

} // namespace forge::tile

#endif // FORGE_DIALECT_TILE_IR_LAYOUTCONVERSION_H
