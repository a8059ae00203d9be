// Matrix instructions of one warp, whose operands are registers.
#ifndef FORGE_CODEGEN_MATRIXUNIT_H
#define FORGE_CODEGEN_MATRIXUNIT_H

namespace forge {

struct GPUChip;

/// mma.sync of NVIDIA's chips from sm_80 on, mfma of AMD's CDNA, wmma of AMD's RDNA 3.
enum class MatrixUnit { None, Mma, Mfma, Wmma };

/// What multiplies matrices of bf16 and f16, with sums in f32, on `chip`.
MatrixUnit matrixUnitOf(const GPUChip &chip);

} // namespace forge

#endif // FORGE_CODEGEN_MATRIXUNIT_H
