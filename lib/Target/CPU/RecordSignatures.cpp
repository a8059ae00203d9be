#include "forge/Target/CPU/Passes.h"
#include "forge/Target/CPU/Signature.h"

#define DEBUG_TYPE "forge-record-signatures"

namespace forge {
#define GEN_PASS_DEF_RECORDSIGNATURESPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

/// The tensors that `types` are or hold in memory; nothing if one is something else.
static std::optional<SmallVector<Type>> tensorsOf(TypeRange types) {
  SmallVector<Type> tensors;
  for (Type type : types) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!isa<RankedTensorType, MemRefType>(type))
      return std::nullopt;
    tensors.push_back(RankedTensorType::get(shaped.getShape(), shaped.getElementType()));
  }
  return tensors;
}

static DictionaryAttr signatureOf(func::FuncOp function) {
  auto inputs = tensorsOf(function.getArgumentTypes()),
       results = tensorsOf(function.getResultTypes());
  if (!inputs || !results)
    return {};
  Builder b(function.getContext());
  SmallVector<int64_t> donated;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (forge::isDonated(function, i))
      donated.push_back(i);
  return b.getDictionaryAttr(
      {b.getNamedAttr(forge::kSignatureTypeKey,
                      TypeAttr::get(b.getFunctionType(*inputs, *results))),
       b.getNamedAttr(forge::kSignatureDonatedKey, b.getDenseI64ArrayAttr(donated))});
}

namespace {
struct RecordSignaturesPass : public forge::impl::RecordSignaturesPassBase<RecordSignaturesPass> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal() &&
          !function->hasAttr(forge::kSignatureAttr))
        if (DictionaryAttr signature = signatureOf(function))
          function->setAttr(forge::kSignatureAttr, signature);
  }
};
} // namespace
