#include "forge/Dialect/Forge/IR/Forge.h"
#include "forge/Dialect/Register/IR/Register.h"
#include "forge/Dialect/StableHLO/IR/Check.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/Sdy.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/Tile/IR/Tile.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Dialect/Transformer/Transforms/Differentiation.h"
#include "forge/Pipelines/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

void forge::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<check::CheckDialect, chlo::CHLODialect, ForgeDialect, registers::RegisterDialect,
                  sdy::SdyDialect, stablehlo::StableHLODialect, tile::TileDialect,
                  transformer::TransformerDialect>();
  transformer::registerDifferentiationModels(registry);
}
