// What a matrix instruction computes of the numbers in its operands.
#include "forge/Support/MatrixArithmetic.h"

#include "Matrix.h"
#include "State.h"

#include <algorithm>

using namespace forge;
using namespace forge::sim;

namespace {
/// A type of factors: what it is called, and the exponent of its smallest normal number.
struct Factor {
  DType type;
  int smallestExponent;
};
} // namespace

/// Nothing of integers, and f64: their sums are exact, or rounded as double is.
static std::optional<Factor> factorOf(MatrixType type) {
  switch (type) {
  case MatrixType::F16:
    return Factor{DType::F16, -14};
  case MatrixType::BF16:
    return Factor{DType::BF16, -126};
  case MatrixType::F32:
  case MatrixType::TF32:
    return Factor{DType::F32, -126};
  case MatrixType::E4M3:
    return Factor{DType::F8E4M3FN, -6};
  case MatrixType::E5M2:
    return Factor{DType::F8E5M2, -14};
  case MatrixType::E4M3FNUZ:
    return Factor{DType::F8E4M3FNUZ, -7};
  case MatrixType::E5M2FNUZ:
    return Factor{DType::F8E5M2FNUZ, -15};
  default:
    return std::nullopt;
  }
}

static const MatrixArithmetic *arithmeticOf(const MatrixShape &shape) {
  std::optional<Factor> factor = factorOf(shape.a);
  return factor ? matrixArithmeticOf(machine->chip.name, factor->type,
                                     shape.family == MatrixFamily::Wgmma)
                : nullptr;
}

static void multiplyExactly(const MatrixShape &shape, const double *a, const double *b, double *d) {
  for (uint32_t i = 0; i < shape.m; ++i)
    for (uint32_t k = 0; k < shape.k; ++k) {
      double left = a[i * shape.k + k];
      for (uint32_t j = 0; j < shape.n; ++j)
        d[i * shape.n + j] += left * b[k * shape.n + j];
    }
}

void forge::sim::multiplyAdd(const MatrixShape &shape, const double *a, const double *b,
                             double *d) {
  const MatrixArithmetic *unit = arithmeticOf(shape);
  if (!unit)
    return multiplyExactly(shape, a, b, d);
  int smallestA = factorOf(shape.a)->smallestExponent,
      smallestB = factorOf(shape.b)->smallestExponent;
  // B by columns, whose elements are then side by side.
  static thread_local std::vector<double> columns, products;
  static thread_local std::vector<int> exponentsA, exponentsB, exponents;
  columns.resize(shape.n * shape.k);
  exponentsB.resize(shape.n * shape.k);
  exponentsA.resize(shape.k);
  products.resize(shape.k);
  exponents.resize(shape.k);
  for (uint32_t j = 0; j < shape.n; ++j)
    for (uint32_t k = 0; k < shape.k; ++k) {
      columns[j * shape.k + k] = b[k * shape.n + j];
      exponentsB[j * shape.k + k] = exponentOfFactor(b[k * shape.n + j], smallestB);
    }
  DType result = shape.d == MatrixType::F16 ? DType::F16 : DType::F32;
  for (uint32_t i = 0; i < shape.m; ++i) {
    const double *row = a + i * shape.k;
    for (uint32_t k = 0; k < shape.k; ++k)
      exponentsA[k] = exponentOfFactor(row[k], smallestA);
    for (uint32_t j = 0; j < shape.n; ++j) {
      const double *column = &columns[j * shape.k];
      for (uint32_t k = 0; k < shape.k; ++k) {
        products[k] = row[k] * column[k];
        exponents[k] = exponentsA[k] + exponentsB[j * shape.k + k];
      }
      d[i * shape.n + j] = addProducts(*unit, d[i * shape.n + j],
                                       {products.data(), exponents.data(), shape.k}, result);
    }
  }
}
