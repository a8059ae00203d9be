#include "Scan.h"

#include "WindowLowering.h"
#include "forge/Conversion/Utils/IndexBuilder.h"

#include "forge/Conversion/StableHLOToLinalg/ScalarOps.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// The most steps whose elements are read together.
static constexpr int64_t kReadsAhead = 32;

SmallVector<Value> forge::emitLine(IndexBuilder ib, const Scan &scan, Value size,
                                   ValueRange coordinates, ValueRange inits, ValueRange results,
                                   bool isAhead, ReadStep read, ScanStep step) {
  SmallVector<Value> carried(inits);
  llvm::append_range(carried, results);
  std::optional<int64_t> known = getConstantIntValue(size);
  int64_t ahead = isAhead && known ? kReadsAhead : 1;
  while (ahead > 1 && *known % ahead != 0)
    ahead /= 2;
  Value groups = ib.b.createOrFold<arith::DivUIOp>(ib.loc, size, ib.constant(ahead));
  SmallVector<Value> done =
      ib.loops(groups, carried, [&](IndexBuilder in, ValueRange counter, ValueRange values) {
        SmallVector<SmallVector<Value>> positions, elements;
        Value first = in.mul(counter[0], ahead);
        for (int64_t i = 0; i < ahead; ++i) {
          Value place = in.add(first, i);
          if (scan.reversed)
            place = in.sub(in.sub(size, in.constant(1)), place);
          SmallVector<Value> position(coordinates);
          position.insert(position.begin() + scan.dim, place);
          elements.push_back(read(in, position));
          positions.push_back(std::move(position));
        }
        SmallVector<Value> next(values);
        for (auto [position, read] : llvm::zip_equal(positions, elements))
          next = step(in, position, read, next);
        return next;
      });
  return SmallVector<Value>(llvm::drop_begin(done, inits.size()));
}

/// `values`: what is accumulated, then the results. Empty when the body has no scalar form.
static SmallVector<Value> emitStep(IndexBuilder ib, Region &body, ValueRange elements,
                                   ValueRange position, ValueRange values, Operation *wide) {
  SmallVector<Value> args(values.take_front(elements.size()));
  llvm::append_range(args, elements);
  FailureOr<SmallVector<Value>> next = emitCombiner(ib.b, body, args, wide);
  if (failed(next))
    return {};
  SmallVector<Value> carried(*next);
  for (auto [value, tensor] : llvm::zip(*next, values.drop_front(elements.size()))) {
    Value element = value;
    if (wide)
      element = castFloat(ib.b, ib.loc, value, getElementTypeOrSelf(tensor.getType()));
    carried.push_back(ib.write(element, tensor, position));
  }
  return carried;
}

/// The elements of a block of a running sum: a power of two, next above the root of `size`, so that
/// neither the chain inside a block nor that of the blocks is long.
static int64_t blockOfScan(int64_t size) {
  constexpr int64_t usual = 256;
  if (ShapedType::isDynamic(size))
    return usual;
  return int64_t(1) << (llvm::Log2_64_Ceil(std::max<int64_t>(size, 1)) + 1) / 2;
}

/// What `combiner`, the one operation of a body on elements that become `type`, makes of x and it
/// is x, and its order of combination is free; null if there is no such element. Products of floats
/// stay in their order.
static TypedAttr neutralOf(OpBuilder &builder, Operation *combiner, Type type) {
  bool isFloat = isa<FloatType>(type);
  if (!combiner || type.getIntOrFloatBitWidth() < 8 ||
      (isFloat && type.getIntOrFloatBitWidth() < 16))
    return {};
  if (isFloat && isa<stablehlo::AddOp>(combiner))
    return builder.getFloatAttr(type, -0.0); // -0 and x make x, for every x
  bool isUnsigned = getElementTypeOrSelf(combiner->getResult(0).getType()).isUnsignedInteger();
  auto kind = llvm::TypeSwitch<Operation *, std::optional<arith::AtomicRMWKind>>(combiner)
                  .Case([&](stablehlo::AddOp) { return arith::AtomicRMWKind::addi; })
                  .Case([&](stablehlo::AndOp) { return arith::AtomicRMWKind::andi; })
                  .Case([&](stablehlo::OrOp) { return arith::AtomicRMWKind::ori; })
                  .Case([&](stablehlo::MulOp) {
                    return isFloat ? std::nullopt : std::optional(arith::AtomicRMWKind::muli);
                  })
                  .Case([&](stablehlo::MaxOp) {
                    return isFloat      ? arith::AtomicRMWKind::maximumf
                           : isUnsigned ? arith::AtomicRMWKind::maxu
                                        : arith::AtomicRMWKind::maxs;
                  })
                  .Case([&](stablehlo::MinOp) {
                    return isFloat      ? arith::AtomicRMWKind::minimumf
                           : isUnsigned ? arith::AtomicRMWKind::minu
                                        : arith::AtomicRMWKind::mins;
                  })
                  .Default(std::nullopt);
  return kind ? arith::getIdentityValueAttr(*kind, type, builder, combiner->getLoc()) : TypedAttr();
}

/// Elements of a line whose blocks are worth kernels of their own.
static constexpr int64_t kLongLine = 256;

/// `values`: the sum before this block, the sum in it, then the result. At the block's end the one
/// becomes the other. Empty when the body has no scalar form.
static SmallVector<Value> emitBlockedStep(IndexBuilder ib, Region &body, Value read, Value place,
                                          ValueRange position, ValueRange values, Value neutral,
                                          int64_t block, Operation *wide) {
  FailureOr<SmallVector<Value>> sum = emitCombiner(ib.b, body, {values[1], read}, wide);
  if (failed(sum))
    return {};
  // Both are in the type of accumulation already.
  Value total = arith::AddFOp::create(ib.b, ib.loc, values[0], sum->front());
  Value element = castFloat(ib.b, ib.loc, total, getElementTypeOrSelf(values[2].getType()));
  Value last = ib.constant(block - 1);
  Value isLast = arith::CmpIOp::create(ib.b, ib.loc, arith::CmpIPredicate::eq,
                                       arith::AndIOp::create(ib.b, ib.loc, place, last), last);
  return {ib.select(isLast, total, values[0]), ib.select(isLast, neutral, sum->front()),
          ib.write(element, values[2], position)};
}

// 1. Loop over the lines; what is accumulated starts as the initial values.
// 2. Along the line, combine with each element and write the result at its place. Narrow sums and
//    products are carried in f32 and rounded where they are written. Sums of floats are carried as
//    two: of the blocks before, and of this one.
FailureOr<SmallVector<Value>> forge::createScan(OpBuilder &builder, Location loc, const Scan &scan,
                                                ValueRange inputs, ValueRange inits,
                                                ArrayRef<RankedTensorType> types, Region &body,
                                                bool inBlocks) {
  IndexBuilder ib{builder, loc};
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, inputs.front());
  SmallVector<Value> outerSizes, results, starts(inits);
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (int64_t(dim) != scan.dim)
      outerSizes.push_back(getDim(builder, loc, inputs.front(), dim));
  Value size = getDim(builder, loc, inputs.front(), scan.dim);
  Operation *wide = getWideCombiner(body);
  if (wide)
    starts.front() = castFloat(builder, loc, starts.front(), builder.getF32Type());
  bool hasScalarForm = true;
  Operation *combiner = getSingleCombiner(body);
  auto sumType = dyn_cast<FloatType>(starts.front().getType());
  bool isSum = sumType && sumType.getWidth() >= 16 && isa_and_nonnull<stablehlo::AddOp>(combiner);
  auto inputType = cast<RankedTensorType>(inputs.front().getType());
  int64_t length = inputType.getDimSize(scan.dim), block = blockOfScan(length);
  bool isOfOneType = sumType || inputType.getElementType() == starts.front().getType();
  TypedAttr neutral = inBlocks && inputs.size() == 1 && isOfOneType
                          ? neutralOf(builder, combiner, starts.front().getType())
                          : TypedAttr();
  // Not every float of 8 bits has a -0 that a last block is filled up with.
  bool canBeWhole = length % block == 0 || isa<IntegerType>(inputType.getElementType()) ||
                    inputType.getElementTypeBitWidth() >= 16;
  if (neutral && inputType.hasStaticShape() && length >= kLongLine && canBeWhole) {
    FailureOr<Value> sums = createBlockedScan(builder, loc, scan, inputs.front(), starts.front(),
                                              neutral, types.front(), body, block);
    return failed(sums) ? FailureOr<SmallVector<Value>>(failure()) : SmallVector<Value>{*sums};
  }
  for (RankedTensorType type : types)
    results.push_back(createEmpty(builder, loc, type, sizes));
  if (isSum) // -0 and x make x, for every x
    starts.push_back(arith::ConstantOp::create(builder, loc, builder.getFloatAttr(sumType, -0.0)));
  auto step = [&](IndexBuilder in, ValueRange position, ValueRange elements, ValueRange values) {
    SmallVector<Value> next = isSum
                                  ? emitBlockedStep(in, body, elements.front(), position[scan.dim],
                                                    position, values, starts.back(), block, wide)
                                  : emitStep(in, body, elements, position, values, wide);
    hasScalarForm &= !next.empty();
    return next.empty() ? SmallVector<Value>(values) : next;
  };
  auto read = [&](IndexBuilder in, ValueRange position) {
    return SmallVector<Value>(
        llvm::map_range(inputs, [&](Value input) { return in.read(input, position); }));
  };
  results = ib.loops(
      outerSizes, results, [&](IndexBuilder outer, ValueRange coordinates, ValueRange tensors) {
        return emitLine(outer, scan, size, coordinates, starts, tensors, inBlocks, read, step);
      });
  if (!hasScalarForm)
    return failure();
  return results;
}
