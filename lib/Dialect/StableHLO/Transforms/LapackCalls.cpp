#include "LapackCalls.h"

#include "Algebra.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

/// Of JAX's calls for its CPU and its CUDA backend.
static constexpr llvm::StringLiteral kLapack = "lapack_", kCusolver = "cusolver_",
                                     kPivotsToPermutation = "cu_lu_pivots_to_permutation";

/// The letter that an option of the call is, as LAPACK has it; 0 if it has none.
static char letterOf(CustomCallOp call, StringRef option) {
  auto config = call->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  auto letter = config ? config.getAs<IntegerAttr>(option) : IntegerAttr();
  return letter ? static_cast<char>(letter.getValue().getZExtValue()) : 0;
}

/// A matrix, or batch of them, [..., m, n].
static bool isMatrix(Value value) { return typeOf(value).getRank() >= 2; }

/// The type of one number for each of `count` rows of a batch of matrices, or, without a count, for
/// each matrix.
static RankedTensorType perMatrix(Value matrix, Type element, std::optional<int64_t> count = {}) {
  SmallVector<int64_t> shape(typeOf(matrix).getShape().drop_back(2));
  if (count)
    shape.push_back(*count);
  return RankedTensorType::get(shape, element);
}

/// Whether a call factors from the lower triangle: LAPACK has a letter for that, cuSOLVER's calls a
/// boolean. Nothing if it has neither.
static std::optional<bool> isOfLower(CustomCallOp call) {
  if (char uplo = letterOf(call, "uplo"))
    return uplo == 'L' || uplo == 'U' ? std::optional(uplo == 'L') : std::nullopt;
  auto config = call->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  auto lower = config ? config.getAs<BoolAttr>("lower") : BoolAttr();
  return lower ? std::optional(lower.getValue()) : std::nullopt;
}

/// What is left of a: l in its triangle, `a` in the other one; and the number of the first pivot
/// that is not positive, from 1 on, or 0.
static FailureOr<SmallVector<Value>> expandPotrf(OpBuilder &builder, CustomCallOp call) {
  std::optional<bool> lower = isOfLower(call);
  Value a = call.getInputs()[0];
  if (call->getNumResults() != 2 || !isMatrix(a) || rowsOf(a) != columnsOf(a) || !lower ||
      call->getResult(0).getType() != a.getType() ||
      call->getResult(1).getType() != perMatrix(a, builder.getI32Type()))
    return failure();
  Algebra m(builder, call.getLoc());
  int64_t rank = typeOf(a).getRank(), n = columnsOf(a);
  Value factor = CholeskyOp::create(builder, call.getLoc(), a.getType(), a, *lower);
  Value row = m.index(a, rank - 2), column = m.index(a, rank - 1);
  Value inside = m.is(*lower ? Direction::GE : Direction::LE, row, column);
  Value kept = m.select(inside, factor, a);
  // From the first pivot that is not positive on, the diagonal of the factor is NaN.
  Value real = m.real(factor);
  Value isPivot = m.both(m.is(Direction::EQ, row, column), m.is(Direction::EQ, real, real));
  Value one = m.constant(row, 1), zero = m.constant(row, 0);
  Value pivots = m.sum(m.sum(m.select(isPivot, one, zero), rank - 1), rank - 2);
  Value whole = m.constant(pivots, static_cast<double>(n));
  Value failed = m.add(pivots, m.constant(pivots, 1));
  return SmallVector<Value>{
      kept, m.select(m.is(Direction::EQ, pivots, whole), m.constant(pivots, 0), failed)};
}

static FailureOr<SmallVector<Value>> expandTrsm(OpBuilder &builder, CustomCallOp call) {
  char side = letterOf(call, "side"), uplo = letterOf(call, "uplo"), diag = letterOf(call, "diag"),
       trans = letterOf(call, "trans_x");
  if (call.getInputs().size() != 2 || call->getNumResults() != 1 || (side != 'L' && side != 'R') ||
      (uplo != 'L' && uplo != 'U') || (diag != 'N' && diag != 'U') ||
      (trans != 'N' && trans != 'T' && trans != 'C'))
    return failure();
  Value a = call.getInputs()[0], b = call.getInputs()[1];
  if (!isMatrix(a) || !isMatrix(b) || rowsOf(a) != columnsOf(a) ||
      (side == 'L' ? rowsOf(b) : columnsOf(b)) != rowsOf(a) ||
      typeOf(a).getShape().drop_back(2) != typeOf(b).getShape().drop_back(2) ||
      call->getResult(0).getType() != b.getType())
    return failure();
  Transpose transpose = trans == 'N'   ? Transpose::NO_TRANSPOSE
                        : trans == 'T' ? Transpose::TRANSPOSE
                                       : Transpose::ADJOINT;
  return SmallVector<Value>{TriangularSolveOp::create(
      builder, call.getLoc(), b.getType(), a, b, side == 'L', uplo == 'L', diag == 'U', transpose)};
}

/// |Re x| + |Im x|, by which LAPACK compares (izamax).
static Value sizeOf(Algebra &m, OpBuilder &builder, Location loc, Value x) {
  Value re = AbsOp::create(builder, loc, m.real(x));
  return isComplex(x) ? m.add(re, AbsOp::create(builder, loc, m.imag(x)).getResult()) : re;
}

/// One column of getrf: a, pivots and info after it.
static SmallVector<Value> eliminate(OpBuilder &builder, Location loc, Value k, ValueRange carried) {
  Algebra m(builder, loc);
  Value a = carried[0], pivots = carried[1], info = carried[2];
  int64_t rank = typeOf(a).getRank();
  // 1. The largest number of the column from row k down, and the first row that has it; row k if
  //    the largest is NaN.
  Value x = m.column(a, k), rows = m.index(x, rank - 2), here = m.spread(k, rows);
  Value size = sizeOf(m, builder, loc, x);
  Value open = m.is(Direction::GE, rows, here);
  Value sizes = m.select(open, size, m.constant(size, -1));
  Value isMost = m.is(Direction::EQ, sizes, m.repeat(m.most(sizes, rank - 2), sizes));
  Value outside = m.constant(rows, static_cast<double>(rowsOf(a)));
  Value pivot = m.least(m.select(isMost, rows, outside), rank - 2);
  pivot = m.select(m.is(Direction::EQ, pivot, m.constant(pivot, static_cast<double>(rowsOf(a)))),
                   m.spread(k, pivot), pivot);
  // 2. Both rows change places.
  Value allRows = m.index(a, rank - 2), columns = m.index(a, rank - 1);
  Value atK = m.is(Direction::EQ, allRows, m.spread(k, allRows));
  Value atPivot = m.is(Direction::EQ, allRows, m.repeat(m.repeat(pivot, rows), a, 1));
  Value upper = m.sum(m.select(atPivot, a, m.constant(a, 0)), rank - 2);
  Value lower = m.row(a, k);
  a = m.select(atK, m.asRows(upper, a), m.select(atPivot, m.asRows(lower, a), a));
  // 3. The rows below, less multiples of row k; a column of zeros stays.
  Value number = m.index(upper, rank - 2);
  Value diagonal =
      m.sum(m.select(m.is(Direction::EQ, number, m.spread(k, number)), upper, m.constant(upper, 0)),
            rank - 2);
  Value isZero = m.is(Direction::EQ, diagonal, m.constant(diagonal, 0));
  Value divisor = m.select(isZero, m.constant(diagonal, 1), diagonal);
  Value below = m.is(Direction::GT, rows, here);
  Value column = m.column(a, k);
  Value factors = m.select(below, m.div(column, m.repeat(divisor, column)), m.constant(column, 0));
  Value after =
      m.select(m.is(Direction::GT, number, m.spread(k, number)), upper, m.constant(upper, 0));
  Value rest = subtractOuter(m, a, factors, after);
  Value isFactor = m.both(m.is(Direction::EQ, columns, m.spread(k, columns)),
                          m.is(Direction::GT, allRows, m.spread(k, allRows)));
  a = m.select(isFactor, m.asColumns(factors, a), rest);
  // 4. Both count from 1.
  Value place = m.index(pivots, rank - 2), next = m.add(k, m.constant(k, 1));
  pivots = m.select(m.is(Direction::EQ, place, m.spread(k, place)),
                    m.repeat(m.add(pivot, m.constant(pivot, 1)), pivots), pivots);
  Value isFirst = m.both(isZero, m.is(Direction::EQ, info, m.constant(info, 0)));
  return {a, pivots, m.select(isFirst, m.spread(next, info), info)};
}

/// l without its diagonal of ones and u in one matrix, the rows that changed places, and the number
/// of the first pivot that is 0, or 0.
static FailureOr<SmallVector<Value>> expandGetrf(OpBuilder &builder, CustomCallOp call) {
  Value a = call.getInputs()[0];
  if (call->getNumResults() != 3 || !isMatrix(a))
    return failure();
  int64_t steps = std::min(rowsOf(a), columnsOf(a));
  RankedTensorType pivots = perMatrix(a, builder.getI32Type(), steps),
                   info = perMatrix(a, builder.getI32Type());
  if (call->getResult(0).getType() != a.getType() || call->getResult(1).getType() != pivots ||
      call->getResult(2).getType() != info)
    return failure();
  Algebra m(builder, call.getLoc());
  SmallVector<Value> start{a, m.splat(pivots, 0), m.splat(info, 0)};
  if (typeOf(a).getNumElements() == 0)
    return start;
  return m.loop(steps, start, [&](Value k, ValueRange carried) {
    return eliminate(builder, call.getLoc(), k, carried);
  });
}

/// The permutation of rows that changing places by `pivots`, from 0 on, makes, one after the other.
static FailureOr<SmallVector<Value>> expandPivots(OpBuilder &builder, CustomCallOp call) {
  if (call.getInputs().size() != 1 || call->getNumResults() != 1)
    return failure();
  Value pivots = call.getInputs()[0];
  RankedTensorType given = typeOf(pivots), type = typeOf(call->getResult(0));
  if (given.getRank() < 1 || !given.getElementType().isInteger(32) ||
      type.getElementType() != given.getElementType() || type.getRank() != given.getRank() ||
      type.getShape().drop_back() != given.getShape().drop_back() ||
      type.getShape().back() < given.getShape().back())
    return failure();
  Algebra m(builder, call.getLoc());
  int64_t last = given.getRank() - 1;
  Value place = m.index(call->getResult(0), last);
  RankedTensorType perMatrix = given.clone(given.getShape().drop_back());
  auto at = [&](Value values, Value number) {
    Value numbers = m.index(values, last);
    return m.sum(m.select(m.is(Direction::EQ, numbers, m.repeat(number, values)), values,
                          m.constant(values, 0)),
                 last);
  };
  return m.loop(given.getShape().back(), place, [&](Value k, ValueRange carried) {
    Value order = carried[0], here = m.is(Direction::EQ, place, m.spread(k, place));
    Value number = m.spread(k, m.splat(perMatrix, 0)), pivot = at(pivots, number);
    Value there = m.is(Direction::EQ, place, m.repeat(pivot, place));
    Value first = m.repeat(at(order, number), order), second = m.repeat(at(order, pivot), order);
    return SmallVector<Value>{m.select(here, second, m.select(there, first, order))};
  });
}

/// The same call by the name that XLA knows it by.
static FailureOr<SmallVector<Value>> rename(OpBuilder &builder, CustomCallOp call, StringRef name) {
  auto made =
      CustomCallOp::create(builder, call.getLoc(), call->getResultTypes(), call.getInputs(),
                           builder.getNamedAttr("call_target_name", builder.getStringAttr(name)));
  return llvm::to_vector_of<Value>(made->getResults());
}

static FailureOr<SmallVector<Value>> expand(OpBuilder &builder, CustomCallOp call) {
  auto isKnown = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  if (call.getInputs().empty() || !llvm::all_of(call->getOperandTypes(), isKnown) ||
      !llvm::all_of(call->getResultTypes(), isKnown))
    return failure();
  StringRef name = call.getCallTargetName();
  if (name == kPivotsToPermutation)
    return expandPivots(builder, call);
  if (!name.consume_back("_ffi"))
    return failure();
  if (name.consume_front(kLapack)) {
    if (name.size() < 2 || !StringRef("sdcz").contains(name.front()))
      return failure();
    name = name.drop_front();
  } else if (!name.consume_front(kCusolver)) {
    return failure();
  }
  if (name == "potrf")
    return expandPotrf(builder, call);
  if (name == "trsm")
    return expandTrsm(builder, call);
  if (name == "getrf")
    return expandGetrf(builder, call);
  if (name == "geqrf")
    return rename(builder, call, "Qr");
  if (name == "orgqr" || name == "ungqr")
    return rename(builder, call, "ProductOfElementaryHouseholderReflectors");
  return failure();
}

void forge::raiseLapackCalls(ModuleOp module) {
  SmallVector<CustomCallOp> calls;
  module.walk([&](CustomCallOp call) {
    StringRef name = call.getCallTargetName();
    if (name.starts_with(kLapack) || name.starts_with(kCusolver) || name == kPivotsToPermutation)
      calls.push_back(call);
  });
  for (CustomCallOp call : calls) {
    OpBuilder builder(call);
    FailureOr<SmallVector<Value>> results = expand(builder, call);
    if (failed(results))
      continue;
    call->replaceAllUsesWith(*results);
    call->erase();
  }
}
