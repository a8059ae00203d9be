// The stablehlo dialect: include this to use it.
#pragma once

#include "forge/Dialect/StableHLO/IR/OpTraits.h"
#include "forge/Dialect/StableHLO/IR/StableHLOBase.h"
#include "forge/Dialect/StableHLO/IR/TypeUtils.h"

#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/ControlFlowOps.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/DynamicOps.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/ElementwiseOps.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/ShapeOps.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/ContractionOps.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/IndexingOps.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/LibraryOps.h.inc"
#define GET_OP_CLASSES
#include "forge/Dialect/StableHLO/IR/ReductionOps.h.inc"
