#include "forge/Pipelines/InitAll.h"

#include "forge/Codegen/Passes.h"
#include "forge/Conversion/RegisterToLinalg/Passes.h"
#include "forge/Conversion/StableHLOToLinalg/Passes.h"
#include "forge/Conversion/TransformerToLinalg/Passes.h"
#include "forge/Dialect/Forge/IR/Forge.h"
#include "forge/Dialect/Register/IR/Register.h"
#include "forge/Dialect/StableHLO/IR/Check.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/Sdy.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"
#include "forge/Dialect/Tile/IR/Tile.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Dialect/Transformer/Transforms/Differentiation.h"
#include "forge/Dialect/Transformer/Transforms/Passes.h"
#include "forge/Kernels/Passes.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Target/CPU/Passes.h"
#include "forge/Target/Device/Passes.h"
#include "forge/Target/NVVM/Passes.h"
#include "forge/Target/ROCDL/Passes.h"

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

void forge::registerAllPasses() {
  registerForgeCodegenPasses();
  registerForgeKernelsPasses();
  registerForgeTargetCPUPasses();
  registerForgeTargetDevicePasses();
  registerForgeTargetNVVMPasses();
  registerForgeTargetROCDLPasses();
  registerForgeRegisterToLinalgPasses();
  registerForgeStableHLOToLinalgPasses();
  registerForgeStableHLOTransformsPasses();
  registerForgeTransformerToLinalgPasses();
  registerForgeTransformerTransformsPasses();
  registerForgePipeline();
}
