// Vectors of truth values in memory: a byte each there, a bit each in a vector of LLVM's, whose
// loads and stores would move bits.
#include "TruthVectors.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace {

/// The vector's bytes in memory.
VectorType bytesOf(VectorType type) { return type.clone(IntegerType::get(type.getContext(), 8)); }

template <typename Op> struct TruthPattern : ConvertOpToLLVMPattern<Op> {
  /// Before MLIR's own.
  explicit TruthPattern(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern<Op>(converter, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (!type.getElementType().isInteger(1) || type.getRank() != 1)
      return rewriter.notifyMatchFailure(op, "expected a vector of truth values");
    Value pointer = this->getStridedElementPtr(rewriter, op.getLoc(), op.getMemRefType(),
                                               adaptor.getBase(), adaptor.getIndices());
    move(op, adaptor, pointer, bytesOf(type), rewriter);
    return success();
  }

  virtual void move(Op op, typename Op::Adaptor adaptor, Value pointer, VectorType bytes,
                    ConversionPatternRewriter &rewriter) const = 0;

  /// Bytes as truth values.
  static Value toTruth(OpBuilder &b, Location loc, Value bytes) {
    Value zero = LLVM::ConstantOp::create(b, loc, bytes.getType(), b.getZeroAttr(bytes.getType()));
    return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, bytes, zero);
  }
};

constexpr unsigned kByteAlignment = 1;

struct LoadTruth : TruthPattern<vector::LoadOp> {
  using TruthPattern::TruthPattern;
  void move(vector::LoadOp op, OpAdaptor, Value pointer, VectorType bytes,
            ConversionPatternRewriter &rewriter) const override {
    Value loaded = LLVM::LoadOp::create(rewriter, op.getLoc(), bytes, pointer, kByteAlignment);
    rewriter.replaceOp(op, toTruth(rewriter, op.getLoc(), loaded));
  }
};

struct MaskedLoadTruth : TruthPattern<vector::MaskedLoadOp> {
  using TruthPattern::TruthPattern;
  void move(vector::MaskedLoadOp op, OpAdaptor adaptor, Value pointer, VectorType bytes,
            ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value others = LLVM::ZExtOp::create(rewriter, loc, bytes, adaptor.getPassThru());
    Value loaded = LLVM::MaskedLoadOp::create(rewriter, loc, bytes, pointer, adaptor.getMask(),
                                              others, kByteAlignment);
    rewriter.replaceOp(op, toTruth(rewriter, loc, loaded));
  }
};

struct StoreTruth : TruthPattern<vector::StoreOp> {
  using TruthPattern::TruthPattern;
  void move(vector::StoreOp op, OpAdaptor adaptor, Value pointer, VectorType bytes,
            ConversionPatternRewriter &rewriter) const override {
    Value value = LLVM::ZExtOp::create(rewriter, op.getLoc(), bytes, adaptor.getValueToStore());
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, value, pointer, kByteAlignment);
  }
};

struct MaskedStoreTruth : TruthPattern<vector::MaskedStoreOp> {
  using TruthPattern::TruthPattern;
  void move(vector::MaskedStoreOp op, OpAdaptor adaptor, Value pointer, VectorType bytes,
            ConversionPatternRewriter &rewriter) const override {
    Value value = LLVM::ZExtOp::create(rewriter, op.getLoc(), bytes, adaptor.getValueToStore());
    rewriter.replaceOpWithNewOp<LLVM::MaskedStoreOp>(op, value, pointer, adaptor.getMask(),
                                                     kByteAlignment);
  }
};

} // namespace

void forge::populateTruthVectorPatterns(const LLVMTypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<LoadTruth, MaskedLoadTruth, StoreTruth, MaskedStoreTruth>(converter);
}
