// Where and by how much an operation rounds: the deterministic part of the error model.
#ifndef FORGE_LIB_VERIFY_ROUNDINGPROFILE_H
#define FORGE_LIB_VERIFY_ROUNDINGPROFILE_H

#include "SumTerms.h"

#include "forge/Reference/Elements.h"

#include "mlir/IR/Operation.h"

namespace forge {

/// What is known of the rounding inside one operation, in units of u, half the distance from 1 to
/// the next number of the type that it computes in: f32, or f64 for f64.
struct RoundingProfile {
  /// It moves, picks or compares elements and rounds none.
  bool exact = false;
  /// Terms in each sum that it forms; 1 when it forms none.
  double terms = 1;
  /// Standard deviation of what else it computes, relative to the result: 0 for what IEEE 754
  /// rounds exactly, 2 for functions (implementations are within 4 ulp of 1 to 2 u each, mostly
  /// within 1).
  double relative = 0;
  /// 1 and -1 where it is nearer to them than u / 8, and never beyond: tanh, erf, logistic.
  bool saturates = false;
  /// The reference rounds each step of it by itself (forge/Reference/Rounding.h): `terms` and
  /// `relative` are for estimates alone.
  bool inSteps = false;
  /// The type that it computes in, where the operation names one.
  std::optional<DType> accumulator;
  /// Every partial sum may be rounded to the result's type.
  bool sumsInStorage = false;
  /// What is rounded to the result's type may be a multiple of the value.
  bool roundsAtAnyScale = false;
  /// These operands may be rounded to this type, and what is rounded may be a multiple of them.
  std::vector<unsigned> roundedOperands;
  DType roundedType = DType::BF16;
  /// So may the result.
  bool roundsResult = false;
  /// It adds up products of numbers of this type, 16 bits or fewer: what a matrix unit takes.
  std::optional<DType> factors;
};

RoundingProfile profileOf(mlir::Operation *op, OperandShape shapeOf);

/// Whether `op` turns floats into something that no small error changes gradually: integers, truth
/// values, whole numbers, an order. Shapes do not count: no rounding changes them.
bool isDecision(mlir::Operation *op);
/// Whether what the decision `op` gives rises or falls with each operand alone, so that trying both
/// ends of an interval tells whether anything in it decides otherwise.
bool isMonotone(mlir::Operation *op);
/// Whether result `i` of the decision `op` is what was decided, and not a value that went along.
bool isDecided(mlir::Operation *op, unsigned i);

} // namespace forge

#endif // FORGE_LIB_VERIFY_ROUNDINGPROFILE_H
