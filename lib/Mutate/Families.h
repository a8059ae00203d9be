// The families of mutators, and what they share.
#ifndef FORGE_LIB_MUTATE_FAMILIES_H
#define FORGE_LIB_MUTATE_FAMILIES_H

#include "forge/Mutate/Mutator.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

#include <optional>
#include <vector>

namespace forge::mutate {

using Mutators = std::vector<const Mutator *>;

// One file each.
void addArithmetic(Mutators &mutators);
void addConstants(Mutators &mutators);
void addComparison(Mutators &mutators);
void addReduction(Mutators &mutators);
void addPrecision(Mutators &mutators);
void addIndexing(Mutators &mutators);
void addLoops(Mutators &mutators);
void addMemory(Mutators &mutators);
void addTransformer(Mutators &mutators);

/// Adds one object of the class.
template <typename T> void add(Mutators &mutators) {
  static const T mutator;
  mutators.push_back(&mutator);
}

bool isFloatLike(mlir::Type type);
/// Whether the op has this name: "arith.addf".
bool isNamed(mlir::Operation *op, llvm::StringRef name);
/// The second of the pair whose first is the op's name; empty when there is none.
using NamePair = std::pair<llvm::StringRef, llvm::StringRef>;
llvm::StringRef counterpart(mlir::Operation *op, llvm::ArrayRef<NamePair> pairs);

/// Puts an op of another name, with the same operands, attributes and result types, in its place.
mlir::Operation *rename(mlir::Operation *op, llvm::StringRef name);
/// Uses of the op's only result take `value` instead; the op goes.
void replaceBy(mlir::Operation *op, mlir::Value value);
/// An op of one result before `at`, by name.
mlir::Value create(mlir::OpBuilder &builder, mlir::Location location, llvm::StringRef name,
                   mlir::ValueRange operands, mlir::Type type,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {});

/// The float that every element of a constant has, through broadcasts.
std::optional<double> splatOf(mlir::Value value);
/// A constant of `like`'s type, in its dialect's way, with every element `value`.
mlir::Value constantLike(mlir::OpBuilder &builder, mlir::Location location, mlir::Value like,
                         double value);
/// `index` + `delta`.
mlir::Value shifted(mlir::OpBuilder &builder, mlir::Location location, mlir::Value index,
                    int64_t delta);

} // namespace forge::mutate

#endif // FORGE_LIB_MUTATE_FAMILIES_H
