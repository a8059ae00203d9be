#include "forge/Codegen/Passes.h"
#include "forge/Conversion/ForgeToLinalg/Passes.h"
#include "forge/Conversion/RegisterToLinalg/Passes.h"
#include "forge/Conversion/StableHLOToLinalg/Passes.h"
#include "forge/Conversion/TransformerToLinalg/Passes.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"
#include "forge/Dialect/Transformer/Transforms/Passes.h"
#include "forge/Kernels/Passes.h"
#include "forge/Pipelines/InitAll.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Target/CPU/Passes.h"
#include "forge/Target/Device/Passes.h"
#include "forge/Target/NVVM/Passes.h"
#include "forge/Target/ROCDL/Passes.h"

void forge::registerAllPasses() {
  registerForgeCodegenPasses();
  registerForgeKernelsPasses();
  registerForgeTargetCPUPasses();
  registerForgeTargetDevicePasses();
  registerForgeTargetNVVMPasses();
  registerForgeTargetROCDLPasses();
  registerForgeForgeToLinalgPasses();
  registerForgeRegisterToLinalgPasses();
  registerForgeStableHLOToLinalgPasses();
  registerForgeStableHLOTransformsPasses();
  registerForgeTransformerToLinalgPasses();
  registerForgeTransformerTransformsPasses();
  registerForgePipeline();
}
