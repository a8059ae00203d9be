// Names of a checkpoint's modules as locations of the operations that are built.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_PLACESCOPE_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_PLACESCOPE_H

#include "forge/Dialect/Transformer/Builders/Graph.h"

namespace forge::huggingface {

/// From here to the end of the scope operations are at a name; at that of before where it is empty.
class PlaceScope {
public:
  PlaceScope(transformer::Graph &graph, llvm::StringRef name)
      : builder(graph.builder()), before(builder.getLoc()) {
    if (!name.empty())
      builder.setLoc(mlir::NameLoc::get(builder.getStringAttr(name)));
  }
  ~PlaceScope() { builder.setLoc(before); }
  PlaceScope(const PlaceScope &) = delete;
  PlaceScope &operator=(const PlaceScope &) = delete;

private:
  mlir::ImplicitLocOpBuilder &builder;
  mlir::Location before;
};

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_PLACESCOPE_H
