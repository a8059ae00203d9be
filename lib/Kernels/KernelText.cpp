#include "forge/Kernels/KernelText.h"

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
  for (Operation &op : kernel.getBody().front()) {
    op.print(stream, flags);
    stream << '\n';
  }
  return text;
}
