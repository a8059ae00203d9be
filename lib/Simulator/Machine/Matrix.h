// Where the elements of a matrix instruction's operands lie in the registers of a warp.
#ifndef FORGE_LIB_SIMULATOR_MACHINE_MATRIX_H
#define FORGE_LIB_SIMULATOR_MACHINE_MATRIX_H

#include <cstdint>

namespace forge::sim {

/// Families of instructions with a register layout of their own:
/// MmaSync: PTX ISA 9.7.14.5, "Matrix Fragments for mma.m16n8k*"; 32 lanes.
/// Mfma: AMD Instinct MI300 ISA, 7.1 "Matrix Arithmetic Instructions", as AMD's matrix instruction
/// calculator lists them; 64 lanes. Wmma: RDNA 3 ISA, 7.9 "Wave Matrix Multiply Accumulate"; 32
/// lanes, A and B twice. Wgmma: PTX ISA 9.7.15.5, "Register Fragments for wgmma.mma_async"; 128
/// lanes, A and D.
enum class MatrixFamily : uint32_t { MmaSync, Mfma, Wmma, Wgmma };

enum class MatrixType : uint32_t {
  F16,
  BF16,
  F32,
  TF32,
  F64,
  S8,
  U8,
  S32,
  E4M3,
  E5M2,
  E4M3FNUZ,
  E5M2FNUZ
};

/// D[m, n] = A[m, k] * B[k, n] + C[m, n], `blocks` times.
struct MatrixShape {
  MatrixFamily family = MatrixFamily::MmaSync;
  uint32_t m = 0, n = 0, k = 0, blocks = 1;
  MatrixType a = MatrixType::F16, b = MatrixType::F16, c = MatrixType::F32, d = MatrixType::F32;
  uint32_t lanes() const;
};

/// An element of a matrix: row and column of A are m and k, of B k and n, of C and D m and n.
struct MatrixPlace {
  uint32_t block = 0, row = 0, column = 0;
};

unsigned bytesOf(MatrixType type);
/// Elements of each operand in one lane's registers.
unsigned countA(const MatrixShape &shape);
unsigned countB(const MatrixShape &shape);
unsigned countD(const MatrixShape &shape);
/// Where element `i` of lane `lane` belongs.
MatrixPlace placeA(const MatrixShape &shape, uint32_t lane, uint32_t i);
MatrixPlace placeB(const MatrixShape &shape, uint32_t lane, uint32_t i);
MatrixPlace placeD(const MatrixShape &shape, uint32_t lane, uint32_t i);

/// Element `i` of an array of `type`, and how it is written: rounded to nearest even; integers
/// wrap.
double readElement(const void *array, MatrixType type, uint64_t i);
void writeElement(void *array, MatrixType type, uint64_t i, double value);

/// D += A B of one block, row by row, as the matrix unit of the chip that runs adds up products
/// (forge/Support/MatrixArithmetic.h); exact in double where the unit is exact, or where no
/// measurements of it are published.
void multiplyAdd(const MatrixShape &shape, const double *a, const double *b, double *d);

} // namespace forge::sim

#endif // FORGE_LIB_SIMULATOR_MACHINE_MATRIX_H
