// Passes of code generation: a file for each folder of lib/Codegen. Each description ends with what the pass does to numerics.
#ifndef FORGE_CODEGEN_PASSES
#define FORGE_CODEGEN_PASSES

include "forge/Codegen/AttentionPasses.td"
include "forge/Codegen/ContractionPasses.td"
include "forge/Codegen/FusionPasses.td"
include "forge/Codegen/GenericPasses.td"
include "forge/Codegen/LibraryPasses.td"
include "forge/Codegen/MathPasses.td"
include "forge/Codegen/RowKernelsPasses.td"
include "forge/Codegen/RowsPasses.td"
include "forge/Codegen/StrategyPasses.td"
include "forge/Codegen/TilePasses.td"

#endif // FORGE_CODEGEN_PASSES
