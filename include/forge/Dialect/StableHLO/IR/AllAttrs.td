// Root of the generated dialect, types, enums and attributes: the parser of attributes has to know
// all of them.
include "forge/Dialect/StableHLO/IR/StableHLOAttrs.td"
include "forge/Dialect/StableHLO/IR/StableHLOTypes.td"
include "forge/Dialect/StableHLO/IR/StructuredAttrs.td"
