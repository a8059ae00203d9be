// chlo.scan, step by step.
#include "InterpreterImpl.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

namespace {
/// The elements of a row-major tensor at one place of one dimension: `outer` runs of `inner`
/// elements, `size * inner` apart.
struct Line {
  int64_t outer = 1, size = 1, inner = 1;

  Line(const std::vector<int64_t> &dims, size_t dimension) : size(dims[dimension]) {
    for (auto [number, extent] : llvm::enumerate(dims))
      (number < dimension ? outer : inner) *= number == dimension ? 1 : extent;
  }
  /// Calls `visit` with the number of each element in the line, and in the whole.
  template <typename Visit> void forEach(int64_t at, Visit visit) const {
    for (int64_t i = 0; i < outer; ++i)
      for (int64_t j = 0; j < inner; ++j)
        visit(i * inner + j, (i * size + at) * inner + j);
  }
};
} // namespace

/// `whole` at `at` of `dimension`, without the dimension.
static Result<TensorRef> sliceOf(const HostTensor &whole, size_t dimension, int64_t at) {
  std::vector<int64_t> dims = whole.dims();
  dims.erase(dims.begin() + static_cast<int64_t>(dimension));
  Result<HostTensor> slice = HostTensor::create(whole.type(), dims);
  if (!slice)
    return slice.error();
  Line(whole.dims(), dimension).forEach(at, [&](int64_t inSlice, int64_t inWhole) {
    slice->setBits(inSlice, whole.getBits(inWhole));
  });
  return TensorRef(std::make_shared<const HostTensor>(std::move(*slice)));
}

/// An output is made when its first slice is known: with that slice's sizes, and its type, which is
/// wider where floats are carried as f64.
static Result<HostTensor> wholeOf(const HostTensor &slice, size_t dimension, int64_t size) {
  std::vector<int64_t> dims = slice.dims();
  dims.insert(dims.begin() + static_cast<int64_t>(dimension), size);
  return HostTensor::create(slice.type(), dims);
}

Result<Interpreter::Impl::Values> Interpreter::Impl::runScan(Operation *op, const Values &operands,
                                                             Frame &frame, bool inDouble) {
  auto scan = cast<chlo::ScanOp>(op);
  size_t dimension = scan.getDimension(), numInputs = scan.getInputs().size(),
         numOutputs = scan.getOutputs().size();
  int64_t numSteps = scan.getNumSteps();
  Values carried(operands.begin() + static_cast<int64_t>(numInputs), operands.end());
  std::vector<HostTensor> outputs;
  for (int64_t step = 0; step < numSteps; ++step) {
    if (++steps > options.maxSteps)
      return report(op, Error{"gave up after " + std::to_string(options.maxSteps) + " operations"});
    int64_t at = scan.getIsReverse() ? numSteps - 1 - step : step;
    Values arguments;
    for (size_t i = 0; i < numInputs; ++i) {
      Result<TensorRef> slice = sliceOf(*operands[i], dimension, at);
      if (!slice)
        return report(op, slice.error());
      arguments.push_back(*slice);
    }
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    Result<Values> next = runBlock(scan.getBody().front(), arguments, frame, inDouble);
    if (!next)
      return next;
    for (size_t i = 0; i < numOutputs; ++i) {
      const HostTensor &slice = *(*next)[i];
      if (step == 0) {
        Result<HostTensor> whole = wholeOf(slice, dimension, numSteps);
        if (!whole)
          return report(op, whole.error());
        outputs.push_back(std::move(*whole));
      }
      Line(outputs[i].dims(), dimension).forEach(at, [&](int64_t inSlice, int64_t inWhole) {
        outputs[i].setBits(inWhole, slice.getBits(inSlice));
      });
    }
    carried.assign(next->begin() + static_cast<int64_t>(numOutputs), next->end());
  }
  Values results;
  for (HostTensor &output : outputs)
    results.push_back(std::make_shared<const HostTensor>(std::move(output)));
  // No step, no elements.
  for (size_t i = results.size(); i < numOutputs; ++i) {
    auto type = cast<RankedTensorType>(scan.getOutputs()[i].getType());
    FailureOr<DType> element = dtypeOf(type.getElementType());
    Result<HostTensor> empty =
        HostTensor::create(inDouble && isFloat(*element) ? DType::F64 : *element,
                           std::vector<int64_t>(type.getShape()));
    if (!empty)
      return report(op, empty.error());
    results.push_back(std::make_shared<const HostTensor>(std::move(*empty)));
  }
  results.insert(results.end(), carried.begin(), carried.end());
  return results;
}
