#include "forge/Diagnostics/Location.h"

using namespace forge;

static mlir::FileLineColRange findPlace(mlir::Location location) {
  if (auto place = llvm::dyn_cast<mlir::FileLineColRange>(location))
    return place;
  if (auto name = llvm::dyn_cast<mlir::NameLoc>(location))
    return findPlace(name.getChildLoc());
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location))
    return findPlace(call.getCallee());
  if (auto opaque = llvm::dyn_cast<mlir::OpaqueLoc>(location))
    return findPlace(opaque.getFallbackLocation());
  if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(location))
    for (mlir::Location part : fused.getLocations())
      if (mlir::FileLineColRange place = findPlace(part))
        return place;
  return {};
}

std::string forge::locationString(mlir::Location location) {
  mlir::FileLineColRange place = findPlace(location);
  if (!place)
    return "";
  // Of a file without lines, the whole of it.
  if (place.getStartLine() == 0)
    return place.getFilename().str();
  return (place.getFilename().getValue() + ":" + llvm::Twine(place.getStartLine()) + ":" +
          llvm::Twine(place.getStartColumn()))
      .str();
}
