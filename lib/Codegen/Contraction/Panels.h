// Panels: an operand copied to the order in which the microkernel reads it.
#ifndef FORGE_LIB_CODEGEN_CONTRACTION_PANELS_H
#define FORGE_LIB_CODEGEN_CONTRACTION_PANELS_H

#include "Emission.h"

namespace forge::contraction {

/// A panel holds `width` rows (of A) or columns (of B): unit (k, r) at k * width + r. Units are
/// numbers of the accumulator type or, with `pairs`, an i32 holding two bf16 along k. Rows beyond
/// the operand hold zeros, and so does the second half of the last pair of an odd k.
struct Panel {
  mlir::Value source; // memref<?xT>
  Index start;        // of the panel's first row in the source
  Index strideRow, strideK;
  Index rows, sizeK; // that exist
  int64_t width, lanes;
  mlir::Value target; // memref<?xunit>
  Index targetStart;
  mlir::Type unit;
  // Instead of the source, an operand that is computed from `memory`: its first row and k.
  const MadeProduct *made = nullptr;
  const mlir::IRMapping *memory = nullptr;
  Index firstRow = {}, firstK = {};
};

void emitFillPanel(IndexBuilder &ib, const Panel &panel);

} // namespace forge::contraction

#endif // FORGE_LIB_CODEGEN_CONTRACTION_PANELS_H
