#include "MmaSync.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace forge;

/// mma.sync takes pairs of f16 as vectors and those of bf16 as words.
SmallVector<Value> forge::mmaSync(ImplicitLocOpBuilder &b, ArrayRef<Value> left,
                                  ArrayRef<Value> right, ArrayRef<Value> sums, Type element) {
  auto pairsOf = [&](ArrayRef<Value> words) {
    return llvm::map_to_vector(words, [&](Value word) -> Value {
      if (!element.isF16())
        return word;
      return LLVM::BitcastOp::create(b, VectorType::get(2, element), word);
    });
  };
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                               SmallVector<Type>(sums.size(), b.getF32Type()));
  NVVM::MMATypes name = element.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  SmallVector<Value> a = pairsOf(left), bs = pairsOf(right);
  Value made = NVVM::MmaOp::create(b, type, a, bs, sums, ArrayRef<int64_t>{16, 8, 16}, std::nullopt,
                                   std::nullopt, std::array{name, name},
                                   std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  return llvm::map_to_vector(llvm::seq<int64_t>(sums.size()), [&](int64_t i) -> Value {
    return LLVM::ExtractValueOp::create(b, made, ArrayRef<int64_t>{i});
  });
}
