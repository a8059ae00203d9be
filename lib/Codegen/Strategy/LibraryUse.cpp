#include "forge/Codegen/LibraryUse.h"

using namespace forge;

std::optional<LibraryUse> LibraryUse::byName(llvm::StringRef name) {
  if (name == "prefer")
    return LibraryUse{/*least=*/0, /*gemvRows=*/0, /*byCost=*/false};
  if (name == "cost")
    return LibraryUse{/*least=*/int64_t(1) << 20, /*gemvRows=*/4, /*byCost=*/true};
  if (name == "never")
    return LibraryUse{};
  return std::nullopt;
}

std::optional<LibraryUse> forge::parseLibraryUse(mlir::Operation *op, llvm::StringRef name) {
  std::optional<LibraryUse> use = LibraryUse::byName(name);
  if (!use)
    op->emitError("expected prefer, cost or never as library, but got '") << name << "'";
  return use;
}
