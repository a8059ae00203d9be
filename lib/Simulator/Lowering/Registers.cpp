#include "Registers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

Value forge::registersOf(Operation *op, uint64_t bytes) {
  Operation *function = op->getParentOfType<func::FuncOp>();
  OpBuilder at = OpBuilder::atBlockBegin(&function->getRegion(0).front());
  Location loc = op->getLoc();
  Value count = LLVM::ConstantOp::create(at, loc, at.getI64Type(), at.getI64IntegerAttr(bytes));
  auto pointer = LLVM::LLVMPointerType::get(at.getContext());
  return LLVM::AllocaOp::create(at, loc, pointer, at.getI8Type(), count, /*alignment=*/16);
}

/// Bytes of a register operand: scalars and vectors of LLVM types, densely.
static uint64_t bytesOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * ((vector.getElementTypeBitWidth() + 7) / 8);
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}

static Value offsetBy(OpBuilder &builder, Location loc, Value base, uint64_t bytes) {
  if (bytes == 0)
    return base;
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
}

static void store(Operation *op, OpBuilder &builder, Value base, ValueRange values) {
  Location loc = op->getLoc();
  uint64_t offset = 0;
  for (Value value : values) {
    LLVM::StoreOp::create(builder, loc, value, offsetBy(builder, loc, base, offset),
                          /*alignment=*/1);
    offset += bytesOf(value.getType());
  }
}

Value forge::spill(Operation *op, OpBuilder &builder, ValueRange operands) {
  uint64_t total = 0;
  for (Value value : operands)
    total += bytesOf(value.getType());
  Value base = registersOf(op, total);
  store(op, builder, base, operands);
  return base;
}

void forge::storeFields(Operation *op, OpBuilder &builder, Value base, Value fields) {
  auto type = cast<LLVM::LLVMStructType>(fields.getType());
  SmallVector<Value> values;
  for (size_t i = 0; i < type.getBody().size(); ++i)
    values.push_back(LLVM::ExtractValueOp::create(builder, op->getLoc(), fields, int64_t(i)));
  store(op, builder, base, values);
}

Value forge::loadFields(Operation *op, OpBuilder &builder, Value base, LLVM::LLVMStructType type) {
  Location loc = op->getLoc();
  Value result = LLVM::PoisonOp::create(builder, loc, type);
  uint64_t offset = 0;
  for (auto [i, field] : llvm::enumerate(type.getBody())) {
    Value value = LLVM::LoadOp::create(builder, loc, field, offsetBy(builder, loc, base, offset),
                                       /*alignment=*/1);
    result =
        LLVM::InsertValueOp::create(builder, loc, result, value, ArrayRef<int64_t>{int64_t(i)});
    offset += bytesOf(field);
  }
  return result;
}
