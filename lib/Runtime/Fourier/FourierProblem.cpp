#include "FourierProblem.h"

using namespace forge;
using namespace forge::rt;

double FourierProblem::points() const {
  double product = 1;
  for (const FourierDim &dim : lengths)
    product *= static_cast<double>(dim.size);
  return product;
}

static std::string describe(MemRef tensor) {
  std::string text;
  for (int64_t size : tensor.sizes())
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text.empty() ? "a scalar" : text;
}

/// One dimension where two can be walked as one.
static std::vector<FourierDim> joined(const std::vector<FourierDim> &dims) {
  std::vector<FourierDim> result;
  for (const FourierDim &dim : dims) {
    if (dim.size == 1)
      continue;
    int64_t in, out, size;
    if (!result.empty() && !__builtin_mul_overflow(dim.size, dim.in, &in) &&
        !__builtin_mul_overflow(dim.size, dim.out, &out) &&
        !__builtin_mul_overflow(dim.size, result.back().size, &size) && result.back().in == in &&
        result.back().out == out)
      result.back() = {size, dim.in, dim.out};
    else
      result.push_back(dim);
  }
  return result;
}

Result<FourierProblem> rt::describeTransform(FourierKind kind, int64_t dims, MemRef input,
                                             MemRef output) {
  auto misfit = [&](const std::string &what) {
    return Error{"Fourier transform of " + describe(input) + " to " + describe(output) + ": " +
                 what};
  };
  if (kind < FourierKind::Forward || kind > FourierKind::ToReal)
    return misfit("no kind " + std::to_string(static_cast<int64_t>(kind)));
  bool fromReal = kind == FourierKind::FromReal, toReal = kind == FourierKind::ToReal;
  int64_t rank = input.rank() - (fromReal ? 0 : 1);
  if (dims < 1 || dims > 3 || rank < dims || output.rank() - (toReal ? 0 : 1) != rank)
    return misfit("expected tensors of one rank, and 1 to 3 dimensions transformed, but got " +
                  std::to_string(dims));
  FourierProblem problem;
  problem.kind = kind;
  auto part = [&](MemRef tensor, bool isReal, int64_t &stride) {
    if (isReal)
      return true;
    stride = tensor.stride(rank);
    return tensor.size(rank) == 2;
  };
  if (!part(input, fromReal, problem.inPart) || !part(output, toReal, problem.outPart))
    return misfit("expected 2 parts of a complex number");
  bool isEmpty = false;
  std::vector<FourierDim> batch;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t in = input.size(dim), out = output.size(dim), size = toReal ? out : in;
    bool isHalved = dim == rank - 1 && (fromReal || toReal);
    if (isHalved ? (size > 0 && (toReal ? in : out) != size / 2 + 1) : in != out)
      return misfit("sizes " + std::to_string(in) + " and " + std::to_string(out) +
                    " do not fit each other");
    isEmpty |= in == 0 || out == 0;
    FourierDim entry{size, input.stride(dim), output.stride(dim)};
    (dim < rank - dims ? batch : problem.lengths).push_back(entry);
  }
  problem.batch = joined(batch);
  if (isEmpty)
    problem.lengths.clear();
  return problem;
}
