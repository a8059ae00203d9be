#include "forge/Reference/LinearSolve.h"

#include <algorithm>
#include <cmath>

using namespace forge;
using namespace forge::reference;

namespace {
/// One matrix of a batch, perhaps read transposed.
struct Matrix {
  std::vector<double> &elements;
  int64_t offset, columns;
  bool transposed;
  double &at(int64_t row, int64_t column) const {
    return elements[offset + (transposed ? column * columns + row : row * columns + column)];
  }
};
} // namespace

static Result<int64_t> squareSize(const HostTensor &a) {
  if (a.rank() < 2 || a.dims()[a.rank() - 1] != a.dims()[a.rank() - 2] || !isFloat(a.type()))
    return Error{"expected square float matrices, but got " + typeString(a)};
  return a.dims().back();
}

Result<HostTensor> reference::triangularSolve(const HostTensor &a, const HostTensor &b,
                                              const TriangularSolve &how) {
  Result<int64_t> size = squareSize(a);
  if (!size)
    return size.error();
  int64_t n = *size, rank = a.rank();
  bool fits = b.rank() == rank && b.type() == a.type() &&
              b.dims()[how.leftSide ? rank - 2 : rank - 1] == n &&
              std::equal(a.dims().begin(), a.dims().end() - 2, b.dims().begin());
  if (!fits)
    return Error{"cannot solve " + typeString(a) + " for " + typeString(b)};
  std::vector<double> left = toDoubles(a), right = toDoubles(b);
  int64_t rows = b.dims()[rank - 2], columns = b.dims()[rank - 1];
  int64_t batches = n == 0 || b.numElements() == 0 ? 0 : b.numElements() / (rows * columns);
  // x a = b is a^T x^T = b^T: both are read transposed.
  bool transposed = how.transpose == how.leftSide, lower = how.lower != transposed;
  for (int64_t batch = 0; batch < batches; ++batch) {
    Matrix matrix{left, batch * n * n, n, transposed},
        x{right, batch * rows * columns, columns, !how.leftSide};
    for (int64_t column = 0; column < (how.leftSide ? columns : rows); ++column)
      for (int64_t step = 0; step < n; ++step) {
        int64_t row = lower ? step : n - 1 - step;
        double rest = x.at(row, column);
        for (int64_t k = lower ? 0 : row + 1; k < (lower ? row : n); ++k)
          rest -= matrix.at(row, k) * x.at(k, column);
        x.at(row, column) = how.unitDiagonal ? rest : rest / matrix.at(row, row);
      }
  }
  return fromDoubles(b.type(), b.dims(), right);
}

Result<HostTensor> reference::cholesky(const HostTensor &a, bool lower) {
  Result<int64_t> size = squareSize(a);
  if (!size)
    return size.error();
  int64_t n = *size, batches = n == 0 ? 0 : a.numElements() / (n * n);
  std::vector<double> source = toDoubles(a), target(source.size(), 0);
  for (int64_t batch = 0; batch < batches; ++batch) {
    // The upper factor is the lower one of the transpose, transposed.
    Matrix from{source, batch * n * n, n, !lower}, to{target, batch * n * n, n, !lower};
    for (int64_t row = 0; row < n; ++row)
      for (int64_t column = 0; column <= row; ++column) {
        double rest = from.at(row, column);
        for (int64_t k = 0; k < column; ++k)
          rest -= to.at(row, k) * to.at(column, k);
        to.at(row, column) = row == column ? std::sqrt(rest) : rest / to.at(column, column);
      }
  }
  return fromDoubles(a.type(), a.dims(), target);
}
