// Contractions on buffers: what is recognised, and the schedule it is lowered by.
#ifndef FORGE_CODEGEN_CONTRACTION_H
#define FORGE_CODEGEN_CONTRACTION_H

#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/TargetInfo.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <string>

namespace forge {

/// C[b, m, n] += sum over k of A[b, m, k] B[b, k, n], by the roles of the loops of a linalg
/// operation. Any list may be empty. The element types of A and B are equal; they may be narrower
/// than that of C (f16 or bf16 and f32).
struct ContractionLoops {
  llvm::SmallVector<unsigned> batch, m, n, k;
};

/// Whether the body of an operation with two inputs and one output is yield(c + a * b), the inputs
/// taken as they are or extended.
bool addsProduct(mlir::Block &body);
/// The same of integers.
bool addsIntegerProduct(mlir::Block &body);
/// As addsProduct, of inputs that are floats, or integers converted to floats.
bool addsNarrowProduct(mlir::Block &body);
/// Factors of a product that are each the sum of several inputs, its pieces: f32 numbers as bf16
/// ones. The numbers of the inputs, in the order in which they are added.
struct FactorPieces {
  llvm::SmallVector<unsigned, 3> left, right;

  /// The products of a piece of each that are not too small to matter, as places in the lists, the
  /// smallest first. Each piece is at most 2^-8 of the one before it: a product of the i-th and the
  /// j-th is at most 2^(-8 (i + j)) of that of the factors, the last bit of an f32 for i + j = 3.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 6> products() const;
};

/// On the multiplication of factors in pieces: forge-split-factors made them, so that each is at
/// most 2^-8 of the one before it.
inline constexpr llvm::StringLiteral kPiecesAttr = "forge.pieces";

/// On a product whose body makes one of the factors (forge-fuse-narrow-factors): a contraction,
/// though its form is not that of one.
inline constexpr llvm::StringLiteral kMadeFactorAttr = "forge.made_factor";

/// The factors where the body is yield(c + (a0 + a1 + ...) * (b0 + b1 + ...)), the multiplication
/// marked, each input extended, of one factor and read once.
std::optional<FactorPieces> addsProductOfPieces(mlir::Block &body);
/// The element types of contractions: inputs a and b, summed in c.
bool areProductTypes(mlir::Type a, mlir::Type b, mlir::Type c);

/// How far a step of `loop` moves in a dimension whose index is a sum of loops by constant factors;
/// nothing for another index.
std::optional<int64_t> factorOf(mlir::AffineExpr index, unsigned loop);

/// The roles of the loops of `op`, if it is a contraction of floats over memrefs: projected
/// permutations (one input may be read by windows, as a convolution reads its image), a body that
/// adds the product of the two inputs (each possibly extended) to the output. Otherwise says why
/// not.
llvm::FailureOr<ContractionLoops>
matchContraction(mlir::linalg::LinalgOp op, llvm::function_ref<void(const llvm::Twine &)> whyNot);

/// How a contraction is computed: a complete schedule.
struct ContractionSchedule {
  /// - "packed": register tiles of tile[0] rows by tile[1] columns, inside blocks of block = {m, n,
  ///   k}; the operands named in `pack` ("a", "b", "ab" or "none") are first copied to panels.
  /// - "stream": few rows; B, contiguous along n, is read once, tile = {rows at once, columns at
  ///   once, k at once}, block[1] columns for a task.
  /// - "dot": few rows; B is contiguous along k, tile = {rows, columns} at once, block[1] columns
  ///   for a task.
  std::string strategy;
  llvm::SmallVector<int64_t> tile, block;
  std::string pack = "none";
  /// "packed": each task copies the panel of B that its tiles read to memory of its own, and asks
  /// for the next one meanwhile.
  bool stageB = false;
  /// A and B, m and n change places.
  bool swap = false;
  /// Spread over the cores.
  bool parallel = true;

  bool packs(char operand) const {
    return pack != "none" && pack.find(operand) != std::string::npos;
  }
};

/// The fields of a strategy of contractions, besides `strategy`; none if `name` is not one.
llvm::ArrayRef<llvm::StringLiteral> contractionFields(llvm::StringRef name);
inline bool isContractionStrategy(llvm::StringRef name) { return !contractionFields(name).empty(); }

/// Checks that the strategy of `schedule`, if it names one, is of contractions and knows its
/// fields, with a diagnostic at `op`.
mlir::LogicalResult checkContractionFields(mlir::Operation *op, ScheduleAttr schedule);

/// As #forge.schedule, with the fields of the strategy.
ScheduleAttr scheduleAttribute(mlir::MLIRContext *context, const ContractionSchedule &schedule);

} // namespace forge

#endif // FORGE_CODEGEN_CONTRACTION_H
