#include "Scan.h"

#include "WindowLowering.h"
#include "forge/Conversion/Utils/IndexBuilder.h"

#include "forge/Conversion/StableHLOToLinalg/ScalarOps.h"
#include "forge/Conversion/Utils/TensorUtils.h"

using namespace mlir;
using namespace forge;

using Step = llvm::function_ref<SmallVector<Value>(IndexBuilder, ValueRange, ValueRange)>;

/// One line: what is accumulated starts as `inits`; `step` makes the next of it, and of the
/// results.
static SmallVector<Value> emitLine(IndexBuilder ib, const Scan &scan, Value size,
                                   ValueRange coordinates, ValueRange inits, ValueRange tensors,
                                   Step step) {
  SmallVector<Value> carried(inits);
  llvm::append_range(carried, tensors);
  SmallVector<Value> done =
      ib.loops(size, carried, [&](IndexBuilder in, ValueRange counter, ValueRange values) {
        Value place = counter[0];
        if (scan.reversed)
          place = in.sub(in.sub(size, in.constant(1)), place);
        SmallVector<Value> position(coordinates);
        position.insert(position.begin() + scan.dim, place);
        return step(in, position, values);
      });
  return SmallVector<Value>(llvm::drop_begin(done, inits.size()));
}

/// `values`: what is accumulated, then the results. Empty when the body has no scalar form.
static SmallVector<Value> emitStep(IndexBuilder ib, Region &body, ValueRange inputs,
                                   ValueRange position, ValueRange values, Operation *wide) {
  SmallVector<Value> args(values.take_front(inputs.size()));
  for (Value input : inputs)
    args.push_back(ib.read(input, position));
  FailureOr<SmallVector<Value>> next = emitCombiner(ib.b, body, args, wide);
  if (failed(next))
    return {};
  SmallVector<Value> carried(*next);
  for (auto [value, tensor] : llvm::zip(*next, values.drop_front(inputs.size()))) {
    Value element = value;
    if (wide)
      element = castFloat(ib.b, ib.loc, value, getElementTypeOrSelf(tensor.getType()));
    carried.push_back(ib.write(element, tensor, position));
  }
  return carried;
}

// 1. Loop over the lines; what is accumulated starts as the initial values.
// 2. Along the line, combine with each element and write the result at its place. Narrow sums and
//    products are carried in f32 and rounded where they are written.
FailureOr<SmallVector<Value>> forge::createScan(OpBuilder &builder, Location loc, const Scan &scan,
                                                ValueRange inputs, ValueRange inits,
                                                ArrayRef<RankedTensorType> types, Region &body) {
  IndexBuilder ib{builder, loc};
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, inputs.front());
  SmallVector<Value> outerSizes, results, starts(inits);
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (int64_t(dim) != scan.dim)
      outerSizes.push_back(getDim(builder, loc, inputs.front(), dim));
  Value size = getDim(builder, loc, inputs.front(), scan.dim);
  Operation *wide = getWideCombiner(body);
  for (RankedTensorType type : types)
    results.push_back(createEmpty(builder, loc, type, sizes));
  if (wide)
    starts.front() = castFloat(builder, loc, starts.front(), builder.getF32Type());
  bool hasScalarForm = true;
  auto step = [&](IndexBuilder in, ValueRange position, ValueRange values) {
    SmallVector<Value> next = emitStep(in, body, inputs, position, values, wide);
    hasScalarForm &= !next.empty();
    return next.empty() ? SmallVector<Value>(values) : next;
  };
  results = ib.loops(outerSizes, results,
                     [&](IndexBuilder outer, ValueRange coordinates, ValueRange tensors) {
                       return emitLine(outer, scan, size, coordinates, starts, tensors, step);
                     });
  if (!hasScalarForm)
    return failure();
  return results;
}
