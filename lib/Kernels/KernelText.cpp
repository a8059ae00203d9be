#include "forge/Kernels/KernelText.h"

#include "mlir/IR/AsmState.h"

using namespace mlir;

std::string forge::kernelText(func::FuncOp kernel, ArrayRef<StringRef> leftOut) {
  NamedAttrList attributes(kernel->getDiscardableAttrDictionary());
  for (StringRef name : leftOut)
    attributes.erase(name);
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << kernel.getFunctionType() << attributes.getDictionary(kernel.getContext());
  OpPrintingFlags flags;
  flags.printGenericOpForm().useLocalScope().elideLargeElementsAttrs(0x7fffffff);
  // Values are numbered once, not for each operation.
  AsmState state(kernel, flags);
  for (Operation &op : kernel.getBody().front()) {
    op.print(stream, state);
    stream << '\n';
  }
  return text;
}
