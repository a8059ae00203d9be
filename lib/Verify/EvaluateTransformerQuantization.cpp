// Quantise and dequantise.
#include "TransformerOperands.h"

#include "forge/Reference/Quantization.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

template <typename OpTy>
static reference::Quantization quantizationOf(const OpCall &call, OpTy op) {
  reference::Quantization quantization;
  quantization.scale = &call.operand(1);
  quantization.zeroPoint = optionalOperand(call, op, 2);
  if (op.getAxis())
    quantization.axis = *op.getAxis();
  if (op.getBlock())
    quantization.block = Dims(op.getBlock()->begin(), op.getBlock()->end());
  return quantization;
}

/// Where floats are carried as f64, nothing in between is rounded to f32.
static DType computedIn(const OpCall &call, DType numbers) {
  return call.isDouble() || numbers == DType::F64 ? DType::F64 : DType::F32;
}

Outcome interpreter::evaluateTransformerQuantization(const OpCall &call) {
  if (auto op = dyn_cast<transformer::QuantizeOp>(call.operation()))
    return single(reference::quantize(call.operand(0), quantizationOf(call, op),
                                      computedIn(call, call.declaredOperandType(0)),
                                      call.declaredResultType(0), call.resultType(0)));
  if (isa<transformer::QuantizeRowsOp>(call.operation())) {
    Result<reference::QuantizedRows> rows =
        reference::quantizeRows(call.operand(0), computedIn(call, call.declaredOperandType(0)),
                                call.declaredResultType(0), call.resultType(0), call.resultType(1));
    if (!rows)
      return Result<Tensors>(rows.error());
    Tensors results;
    results.push_back(std::move(rows->numbers));
    results.push_back(std::move(rows->scale));
    return Result<Tensors>(std::move(results));
  }
  if (auto op = dyn_cast<transformer::DequantizeOp>(call.operation()))
    return single(reference::dequantize(call.operand(0), quantizationOf(call, op),
                                        computedIn(call, call.declaredResultType(0)),
                                        call.resultType(0)));
  return std::nullopt;
}
