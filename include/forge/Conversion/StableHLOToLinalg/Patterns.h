// One function per family of ops; each adds the conversion patterns of its file. To lower another
// op: write a pattern with StableHLOTypeConverter, declare its populate function here, and call it
// from populateStableHLOToLinalgPatterns.
#ifndef FORGE_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H
#define FORGE_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H

#include "mlir/Transforms/DialectConversion.h"

namespace forge {

/// How convolutions become products of matrices.
struct PatchLimits {
  /// Elements of the patches that are cut at a time, about.
  int64_t elements;
  /// Whether products of 16-bit floats read windows of an input with features innermost, so that
  /// there are no patches then.
  bool windows = false;
};

/// All of the following. With `chunkedSorts`, merges of sorts and running sums are done in chunks
/// that do not depend on each other, and many updates of a scatter are grouped by destination.
/// `blockBytes`: memory of a block of threads that factors matrices and solves systems; 0: none.
void populateStableHLOToLinalgPatterns(const mlir::TypeConverter &converter,
                                       mlir::RewritePatternSet &patterns, bool chunkedSorts,
                                       PatchLimits patches, int64_t blockBytes);

/// batch_norm_inference, batch_norm_training, batch_norm_grad.
void populateBatchNormPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);
/// bitcast_convert between types of different width.
void populateBitcastConvertPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);
/// dot, dot_general.
void populateContractionPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);
/// dot_general of rows with the matrices of their groups, in tiles of rows of one group; on the host
/// tile after tile, or with `allTiles` all tiles side by side. Before the patterns above.
void populateGroupedContractionPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &,
                                        bool allTiles);
/// check.*, and the custom_call targets that Forge knows.
void populateCheckPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);
/// convolution, dynamic_conv.
void populateConvolutionPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &,
                                 PatchLimits patches);
/// while, if, case, optimization_barrier, tokens.
void populateControlFlowPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);
/// dynamic_pad, pad of dynamic shape.
void populateDynamicPadPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);
/// dynamic_reshape, dynamic_broadcast_in_dim, dynamic_iota, real_dynamic_slice, get_dimension_size.
void populateDynamicShapePatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);
/// Everything that works element by element, and map.
void populateElementwisePatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);
/// gather, dynamic_gather.
void populateGatherPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);
/// triangular_solve, cholesky; by blocks of threads where their memory of `blockBytes` is enough.
void populateLinearSolvePatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &,
                                 int64_t blockBytes);
/// rng_bit_generator, custom_call @stablehlo.dynamic_rng_bit_generator.
void populateRandomBitsPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);
/// reduce_window, custom_call @stablehlo.dynamic_reduce_window.
void populateReduceWindowPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &,
                                  bool sumsInBlocks);
/// scatter.
void populateScatterPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &, bool grouped);
/// select_and_scatter.
void populateSelectAndScatterPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &,
                                      bool sideBySide);
/// sort, chlo.top_k, custom_call @mhlo.topk, @stablehlo.dynamic_top_k and @ApproxTopK.
void populateSortPatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &,
                          bool chunkedSorts);
/// reduce.
void populateReducePatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);
/// constant, iota, broadcast, broadcast_in_dim, reshape, transpose, reverse.
void populateShapePatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);
/// slice, dynamic_slice, dynamic_update_slice, concatenate, pad.
void populateSlicePatterns(const mlir::TypeConverter &, mlir::RewritePatternSet &);

} // namespace forge

#endif // FORGE_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H
