#include "forge/Runtime/VendorBlas.h"

#include <bit>

using namespace forge;
using namespace forge::rt;

static const char *typeName(int64_t type) {
  static const char *const names[] = {"f32", "f16", "bf16", "f8e4m3fn", "f8e5m2", "f64"};
  return type >= 0 && type < 6 ? names[type] : "?";
}

std::string forge::rt::describeMatmul(const forge_rt_matmul &product,
                                      const MatmulOperands &operands) {
  std::string text = std::to_string(product.m) + "x" + std::to_string(product.n) + "x" +
                     std::to_string(product.k) + " product";
  if (product.batch != 1)
    text += ", batch " + std::to_string(product.batch);
  text += std::string(", ") + typeName(product.lhsType) + (product.lhsTransposed ? "^T x " : " x ");
  text += typeName(product.rhsType);
  text += std::string(product.rhsTransposed ? "^T -> " : " -> ") + typeName(product.outType);
  if (operands.residual)
    text += ", residual";
  if (operands.bias)
    text += ", bias";
  if (product.epilogue == FORGE_RT_EPILOGUE_RELU)
    text += ", relu";
  if (product.epilogue == FORGE_RT_EPILOGUE_GELU_TANH)
    text += ", gelu_tanh";
  return text;
}

Result<void> forge::rt::checkMatmul(const forge_rt_matmul &product,
                                    const MatmulOperands &operands) {
  auto failed = [&](const std::string &problem) {
    return Error{problem + " in a " + describeMatmul(product, operands)};
  };
  if (product.m < 0 || product.n < 0 || product.k < 0 || product.batch < 0)
    return failed("expected sizes of at least 0");
  for (int64_t type : {product.lhsType, product.rhsType, product.outType})
    if (type < FORGE_RT_F32 || type > FORGE_RT_F64)
      return failed("expected an element type from 0 to 5, but got " + std::to_string(type));
  if (product.epilogue < FORGE_RT_EPILOGUE_NONE || product.epilogue > FORGE_RT_EPILOGUE_GELU_TANH)
    return failed("expected an epilogue from 0 to 2, but got " + std::to_string(product.epilogue));
  struct Side {
    const char *name;
    int64_t columns, stride;
  };
  for (Side side : {Side{"lhs", product.lhsTransposed ? product.m : product.k, product.lhsStride},
                    Side{"rhs", product.rhsTransposed ? product.k : product.n, product.rhsStride},
                    Side{"out", product.n, product.outStride}})
    if (side.stride < side.columns)
      return failed(std::string("expected rows of ") + side.name + " at least " +
                    std::to_string(side.columns) + " elements apart, but got " +
                    std::to_string(side.stride));
  // Matrices one behind the other, or the rows of all of them side by side.
  bool isBehind = product.outBatchStride >= product.m * product.outStride;
  bool isBetween = product.outBatchStride >= product.n &&
                   product.outStride >= (product.batch - 1) * product.outBatchStride + product.n;
  if (product.batch > 1 && !isBehind && !isBetween)
    return failed("expected results of the batch that do not overlap");
  bool empty = product.m == 0 || product.n == 0 || product.batch == 0;
  if (!empty && (!operands.out || (product.k > 0 && (!operands.lhs || !operands.rhs))))
    return failed("expected operands, but got a null pointer");
  return {};
}
