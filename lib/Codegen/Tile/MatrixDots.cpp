// Products of factors in registers: by matrix instructions of one warp, or an fma at a time.
#include "MmaSync.h"
#include "ThreadEmitter.h"

#include "forge/Codegen/MatrixUnit.h"
#include "forge/Dialect/Tile/IR/MatrixLayouts.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace forge;

namespace {
/// A thread's registers of a tile of two dimensions, by the coordinates that lane and warp leave
/// open; of a transposed tile, by those of the tile that it stands for.
class RegisterMap {
public:
  explicit RegisterMap(RankedTensorType tile, bool isTransposed = false)
      : layout(cast<tile::LayoutAttr>(tile.getEncoding())), shape(tile.getShape()),
        isTransposed(isTransposed) {
    int64_t count = layout.getRegisters(shape);
    for (int64_t reg = 0; reg < count; ++reg)
      numbers[at(reg)] = static_cast<size_t>(reg);
  }
  std::pair<int64_t, int64_t> at(int64_t reg) const {
    SmallVector<int64_t> coordinates = layout.getCoordinates(shape, reg);
    return {coordinates[isTransposed ? 1 : 0], coordinates[isTransposed ? 0 : 1]};
  }
  size_t numberOf(int64_t row, int64_t column) const { return numbers.find({row, column})->second; }

  /// The registers of one instruction's operand of layout `operand` and extents `sizes` at these
  /// coordinates, in the instruction's order.
  SmallVector<size_t> operandAt(tile::LayoutAttr operand, ArrayRef<int64_t> sizes, int64_t row,
                                int64_t column) const {
    SmallVector<size_t> list;
    for (int64_t reg = 0; reg < operand.getRegisters(sizes); ++reg) {
      SmallVector<int64_t> within = operand.getCoordinates(sizes, reg);
      list.push_back(numberOf(row + within[0], column + within[1]));
    }
    return list;
  }

  /// Where a thread's operands of `sizes` begin along dimension `dim`, ascending.
  SmallVector<int64_t> begins(unsigned dim, int64_t size) const {
    llvm::SmallSetVector<int64_t, 16> found;
    for (auto [coordinates, number] : numbers) {
      int64_t coordinate = dim == 0 ? coordinates.first : coordinates.second;
      found.insert(coordinate - coordinate % size);
    }
    SmallVector<int64_t> list(found.begin(), found.end());
    llvm::sort(list);
    return list;
  }

private:
  tile::LayoutAttr layout;
  ArrayRef<int64_t> shape;
  bool isTransposed;
  std::map<std::pair<int64_t, int64_t>, size_t> numbers;
};
} // namespace

static SmallVector<Value> pick(ArrayRef<Value> values, ArrayRef<size_t> numbers) {
  return llvm::map_to_vector(numbers, [&](size_t number) { return values[number]; });
}

/// mfma and wmma take vectors.
static SmallVector<Value> emitAmd(ThreadBuilder &b, const tile::MatrixInstruction &instruction,
                                  tile::DotKind kind, ArrayRef<Value> left, ArrayRef<Value> right,
                                  ArrayRef<Value> sums) {
  auto vectorOf = [&](ArrayRef<Value> values) -> Value {
    auto type = VectorType::get(static_cast<int64_t>(values.size()), values.front().getType());
    return vector::FromElementsOp::create(b, type, values);
  };
  Value a = vectorOf(left), bs = vectorOf(right), c = vectorOf(sums), made;
  auto rows = static_cast<uint32_t>(instruction.rows),
       terms = static_cast<uint32_t>(instruction.terms);
  if (kind == tile::DotKind::Mfma)
    made = amdgpu::MFMAOp::create(b, c.getType(), rows, rows, terms, /*blocks=*/1u, a, bs, c);
  else
    made = amdgpu::WMMAOp::create(b, c.getType(), rows, rows, terms, a, bs, c);
  return llvm::map_to_vector(llvm::seq<int64_t>(sums.size()), [&](int64_t i) -> Value {
    return vector::ExtractOp::create(b, made, i);
  });
}

static MatrixUnit unitOf(tile::DotKind kind) {
  switch (kind) {
  case tile::DotKind::Mma:
    return MatrixUnit::Mma;
  case tile::DotKind::Mfma:
    return MatrixUnit::Mfma;
  case tile::DotKind::Wmma:
    return MatrixUnit::Wmma;
  default:
    return MatrixUnit::None;
  }
}

/// For every step of terms, ascending, each instruction of the thread's part of the accumulator: so
/// instructions that follow each other do not wait for each other.
LogicalResult ThreadEmitter::emitMatrixDot(tile::DotOp op) {
  if (matrixUnitOf(*program.chip) != unitOf(op.getKind()))
    return op.emitOpError("expected a chip with ")
           << tile::stringifyDotKind(op.getKind()) << ", but got " << program.chip->name;
  auto leftType = cast<RankedTensorType>(op.getLhs().getType()),
       rightType = cast<RankedTensorType>(op.getRhs().getType());
  Type element = leftType.getElementType();
  tile::MatrixInstruction instruction =
      *tile::matrixInstruction(op.getKind(), *op.getInstruction(), element);
  int64_t m = instruction.rows, n = instruction.columns, k = instruction.terms;
  RegisterMap leftMap(leftType, op.getTransposedLhs()), rightMap(rightType, op.getTransposedRhs()),
      sumMap(op.getType());
  SmallVector<Value> left = registers(op.getLhs()), right = registers(op.getRhs()),
                     sums = registers(op.getAcc());
  SmallVector<int64_t> rows = sumMap.begins(0, m), columns = sumMap.begins(1, n);
  int64_t terms = leftType.getDimSize(op.getTransposedLhs() ? 0 : 1);
  for (int64_t term = 0; term < terms; term += k)
    for (int64_t row : rows)
      for (int64_t column : columns) {
        SmallVector<size_t> at = sumMap.operandAt(instruction.accumulator, {m, n}, row, column);
        SmallVector<Value> l = pick(left, leftMap.operandAt(instruction.left, {m, k}, row, term)),
                           r = pick(right,
                                    rightMap.operandAt(instruction.right, {n, k}, column, term)),
                           c = pick(sums, at);
        SmallVector<Value> made =
            op.getKind() == tile::DotKind::Mma
                ? mmaSync(b, packRegisters(b, l, 2), packRegisters(b, r, 2), c, element)
                : emitAmd(b, instruction, op.getKind(), l, r, c);
        for (auto [number, value] : llvm::zip_equal(at, made))
          sums[number] = value;
      }
  tiles[op].registers = std::move(sums);
  return success();
}

Value ThreadEmitter::widen(Value value, Type element) {
  if (value.getType() == element)
    return value;
  return isa<FloatType>(element) ? arith::ExtFOp::create(b, element, value).getResult()
                                 : arith::ExtSIOp::create(b, element, value).getResult();
}

Value ThreadEmitter::multiplyAdd(Value left, Value right, Value sum) {
  if (isa<FloatType>(sum.getType()))
    return math::FmaOp::create(b, left, right, sum);
  return arith::AddIOp::create(b, sum, arith::MulIOp::create(b, left, right));
}

/// Both factors in registers: a thread has all terms of its rows and columns.
LogicalResult ThreadEmitter::emitRegisterFmaDot(tile::DotOp op) {
  auto leftType = cast<RankedTensorType>(op.getLhs().getType());
  Type element = op.getType().getElementType();
  RegisterMap leftMap(leftType), rightMap(cast<RankedTensorType>(op.getRhs().getType())),
      sumMap(op.getType());
  SmallVector<Value> left = registers(op.getLhs()), right = registers(op.getRhs()),
                     sums = registers(op.getAcc());
  for (SmallVector<Value> *list : {&left, &right})
    for (Value &value : *list)
      value = widen(value, element);
  for (int64_t term = 0; term < leftType.getDimSize(1); ++term)
    for (auto [reg, sum] : llvm::enumerate(sums)) {
      auto [row, column] = sumMap.at(static_cast<int64_t>(reg));
      sum = multiplyAdd(left[leftMap.numberOf(row, term)], right[rightMap.numberOf(column, term)],
                        sum);
    }
  tiles[op].registers = std::move(sums);
  return success();
}
