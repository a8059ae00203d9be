// All families of the transformer dialect.
#ifndef FORGE_DIALECT_TRANSFORMER_OPS_TD
#define FORGE_DIALECT_TRANSFORMER_OPS_TD

include "forge/Dialect/Transformer/IR/ActivationOps.td"
include "forge/Dialect/Transformer/IR/AttentionGradOps.td"
include "forge/Dialect/Transformer/IR/AttentionOps.td"
include "forge/Dialect/Transformer/IR/BlockOps.td"
include "forge/Dialect/Transformer/IR/ContractionGradOps.td"
include "forge/Dialect/Transformer/IR/ContractionOps.td"
include "forge/Dialect/Transformer/IR/ElementwiseGradOps.td"
include "forge/Dialect/Transformer/IR/NormalizationGradOps.td"
include "forge/Dialect/Transformer/IR/NormalizationOps.td"
include "forge/Dialect/Transformer/IR/PositionGradOps.td"
include "forge/Dialect/Transformer/IR/PositionOps.td"
include "forge/Dialect/Transformer/IR/QuantizationOps.td"
include "forge/Dialect/Transformer/IR/SelectionGradOps.td"
include "forge/Dialect/Transformer/IR/SelectionOps.td"

#endif // FORGE_DIALECT_TRANSFORMER_OPS_TD
