// Matrix instructions: operands go to memory of the thread, where the simulator finds them.
#include "Lowerings.h"
#include "Registers.h"

#include "../Machine/Matrix.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace forge;
using sim::MatrixFamily;
using sim::MatrixShape;
using sim::MatrixType;

static void emit(Operation *op, OpBuilder &builder, const MatrixShape &shape, Value a, Value b,
                 Value c, Value d) {
  CallBuilder calls(builder, op->getLoc());
  uint64_t dims =
      shape.m | uint64_t(shape.n) << 16 | uint64_t(shape.k) << 32 | uint64_t(shape.blocks) << 48;
  uint32_t types = uint32_t(shape.family) | uint32_t(shape.a) << 4 | uint32_t(shape.b) << 8 |
                   uint32_t(shape.c) << 12 | uint32_t(shape.d) << 16;
  calls.callSite("forge_sim_matrix", op->getName().getStringRef(),
                 {a, b, c, d, calls.quad(dims), calls.word(types)});
}

static std::optional<MatrixType> typeOf(NVVM::MMATypes type) {
  switch (type) {
  case NVVM::MMATypes::f16:
    return MatrixType::F16;
  case NVVM::MMATypes::bf16:
    return MatrixType::BF16;
  case NVVM::MMATypes::f32:
    return MatrixType::F32;
  case NVVM::MMATypes::tf32:
    return MatrixType::TF32;
  case NVVM::MMATypes::f64:
    return MatrixType::F64;
  case NVVM::MMATypes::s8:
    return MatrixType::S8;
  case NVVM::MMATypes::u8:
    return MatrixType::U8;
  case NVVM::MMATypes::s32:
    return MatrixType::S32;
  case NVVM::MMATypes::e4m3:
    return MatrixType::E4M3;
  case NVVM::MMATypes::e5m2:
    return MatrixType::E5M2;
  default:
    return std::nullopt;
  }
}

/// The type of a register or of a vector's elements.
static std::optional<MatrixType> typeOf(Type type) {
  type = getElementTypeOrSelf(type);
  if (type.isF16())
    return MatrixType::F16;
  if (type.isBF16())
    return MatrixType::BF16;
  if (type.isF32())
    return MatrixType::F32;
  if (type.isF64())
    return MatrixType::F64;
  if (type.isInteger(8))
    return MatrixType::S8;
  if (isa<Float8E4M3FNUZType>(type))
    return MatrixType::E4M3FNUZ;
  if (isa<Float8E5M2FNUZType>(type))
    return MatrixType::E5M2FNUZ;
  return type.isInteger(32) ? std::optional(MatrixType::S32) : std::nullopt;
}

/// The element type of registers that a type attribute describes, or the registers' own.
static std::optional<MatrixType> typeOf(std::optional<NVVM::MMATypes> attribute, Type registers) {
  return attribute ? typeOf(*attribute) : typeOf(registers);
}

static Lowered lowerMma(NVVM::MmaOp op, OpBuilder &builder) {
  MatrixShape shape;
  shape.m = op.getShape().getM();
  shape.n = op.getShape().getN();
  shape.k = op.getShape().getK();
  auto a = typeOf(op.getMultiplicandAPtxType(), op.getOperandA()[0].getType());
  auto b = typeOf(op.getMultiplicandBPtxType(), op.getOperandB()[0].getType());
  auto c = typeOf(op.getOperandC()[0].getType());
  auto result = cast<LLVM::LLVMStructType>(op.getType());
  auto d = typeOf(result.getBody()[0]);
  if (!a || !b || !c || !d)
    return op.emitOpError(
        "expected f16, bf16, tf32, f64, 8-bit floats or integers for the simulator");
  if (op.getLayoutA() != NVVM::MMALayout::row || op.getLayoutB() != NVVM::MMALayout::col ||
      op.getB1Op() ||
      (op.getIntOverflowBehavior() &&
       *op.getIntOverflowBehavior() == NVVM::MMAIntOverflow::satfinite))
    return op.emitOpError("expected A by rows, B by columns and no saturation for the simulator");
  shape.a = *a;
  shape.b = *b;
  shape.c = *c;
  shape.d = *d;
  if (shape.n != 8 || (shape.m != 16 && shape.m != 8) ||
      (shape.m == 8 && shape.a == MatrixType::F16))
    return op.emitOpError("expected a shape m16n8 or m8n8 for the simulator");
  Value registers = registersOf(op, sim::countD(shape) * sim::bytesOf(shape.d));
  emit(op, builder, shape, spill(op, builder, op.getOperandA()),
       spill(op, builder, op.getOperandB()), spill(op, builder, op.getOperandC()), registers);
  op.replaceAllUsesWith(loadFields(op, builder, registers, result));
  op.erase();
  return true;
}

static Lowered lowerAmd(Operation *op, OpBuilder &builder, MatrixShape shape, Value a, Value b,
                        Value c) {
  auto typeA = typeOf(a.getType()), typeB = typeOf(b.getType()), typeC = typeOf(c.getType());
  if (!typeA || !typeB || !typeC || (isa<IntegerType>(a.getType()) && *typeA == MatrixType::S32))
    return op->emitOpError("expected f16, bf16, f32, f64, f8E4M3FNUZ, f8E5M2FNUZ or vectors of "
                           "i8 for the simulator");
  shape.a = *typeA;
  shape.b = *typeB;
  shape.c = shape.d = *typeC;
  auto length = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getNumElements() : 1;
  };
  if (length(a.getType()) != sim::countA(shape) || length(b.getType()) != sim::countB(shape) ||
      length(c.getType()) != sim::countD(shape))
    return op->emitOpError("expected ")
           << sim::countA(shape) << ", " << sim::countB(shape) << " and " << sim::countD(shape)
           << " elements in a lane for the simulator, but got " << length(a.getType()) << ", "
           << length(b.getType()) << " and " << length(c.getType());
  // LLVM has no floats of eight bits.
  auto spillBits = [&](Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8)
      value = arith::BitcastOp::create(builder, op->getLoc(),
                                       cast<VectorType>(value.getType()).clone(builder.getI8Type()),
                                       value);
    return spill(op, builder, value);
  };
  Value registers = registersOf(op, sim::countD(shape) * sim::bytesOf(shape.d));
  emit(op, builder, shape, spillBits(a), spillBits(b), spillBits(c), registers);
  op->getResult(0).replaceAllUsesWith(LLVM::LoadOp::create(
      builder, op->getLoc(), op->getResult(0).getType(), registers, /*alignment=*/1));
  op->erase();
  return true;
}

static Lowered lowerMfma(amdgpu::MFMAOp op, OpBuilder &builder) {
  if (op.getCbsz() || op.getAbid() || op.getBlgp() != amdgpu::MFMAPermB::none ||
      op.getReducePrecision() || op.getNegateA() || op.getNegateB() || op.getNegateC())
    return op.emitOpError("expected no broadcast, negation or reduced precision for the simulator");
  MatrixShape shape;
  shape.family = MatrixFamily::Mfma;
  shape.m = op.getM();
  shape.n = op.getN();
  shape.k = op.getK();
  shape.blocks = op.getBlocks();
  if (shape.m != shape.n || (typeOf(op.getSourceA().getType()) == MatrixType::F64 && shape.m != 16))
    return op.emitOpError("expected a square block, of 16 for f64, for the simulator");
  return lowerAmd(op, builder, shape, op.getSourceA(), op.getSourceB(), op.getDestC());
}

static Lowered lowerWmma(amdgpu::WMMAOp op, OpBuilder &builder) {
  bool isFloat = getElementTypeOrSelf(op.getSourceA().getType()).isF16() ||
                 getElementTypeOrSelf(op.getSourceA().getType()).isBF16();
  bool wide = getElementTypeOrSelf(op.getDestC().getType()).getIntOrFloatBitWidth() == 32;
  if (op.getK() != 16 || !wide || op.getClamp() ||
      (!isFloat && (op.getUnsignedA() || op.getUnsignedB())))
    return op.emitOpError(
        "expected 16x16x16 with f32 or i32 results, signed, without saturation, for the simulator");
  MatrixShape shape;
  shape.family = MatrixFamily::Wmma;
  shape.m = shape.n = shape.k = 16;
  return lowerAmd(op, builder, shape, op.getSourceA(), op.getSourceB(), op.getDestC());
}

static bool isPlain8x8(NVVM::LdStMatrixShapeAttr shape, NVVM::LdStMatrixEltType type) {
  return shape.getM() == 8 && shape.getN() == 8 && type == NVVM::LdStMatrixEltType::B16;
}

static Lowered lowerLoad(NVVM::LdMatrixOp op, OpBuilder &builder) {
  if (!isPlain8x8(op.getShape(), op.getEltType()))
    return op.emitOpError("expected matrices of 8x8 elements of 16 bits for the simulator");
  CallBuilder calls(builder, op.getLoc());
  Value registers = registersOf(op, 16);
  calls.callSite("forge_sim_load_matrix", "nvvm.ldmatrix",
                 {op.getPtr(), calls.word(op.getNum()),
                  calls.word(op.getLayout() == NVVM::MMALayout::col), registers});
  if (auto type = dyn_cast<LLVM::LLVMStructType>(op.getType()))
    op.replaceAllUsesWith(loadFields(op, builder, registers, type));
  else
    op.replaceAllUsesWith(
        LLVM::LoadOp::create(builder, op.getLoc(), op.getType(), registers).getResult());
  op.erase();
  return true;
}

static Lowered lowerStore(NVVM::StMatrixOp op, OpBuilder &builder) {
  if (!isPlain8x8(op.getShape(), op.getEltType()))
    return op.emitOpError("expected matrices of 8x8 elements of 16 bits for the simulator");
  CallBuilder calls(builder, op.getLoc());
  Value registers = spill(op, builder, op.getSources());
  calls.callSite("forge_sim_store_matrix", "nvvm.stmatrix",
                 {op.getPtr(), calls.word(op.getSources().size()),
                  calls.word(op.getLayout() == NVVM::MMALayout::col), registers});
  op.erase();
  return true;
}

Lowered forge::lowerMatrixOp(Operation *op, OpBuilder &builder) {
  if (auto mma = dyn_cast<NVVM::MmaOp>(op))
    return lowerMma(mma, builder);
  if (auto mfma = dyn_cast<amdgpu::MFMAOp>(op))
    return lowerMfma(mfma, builder);
  if (auto wmma = dyn_cast<amdgpu::WMMAOp>(op))
    return lowerWmma(wmma, builder);
  if (auto load = dyn_cast<NVVM::LdMatrixOp>(op))
    return lowerLoad(load, builder);
  if (auto store = dyn_cast<NVVM::StMatrixOp>(op))
    return lowerStore(store, builder);
  return false;
}
