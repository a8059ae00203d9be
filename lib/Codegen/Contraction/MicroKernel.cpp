// The innermost loop of packed contractions, one function for each shape of register tile.
#include "Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace forge::contraction {

namespace {

/// Builds the body:
/// 1. rows x vectors accumulators, zero: a sum over all of k is one of blocks, not one chain.
/// 2. For every step along k: `vectors` vectors of B; for each row one number of A in all lanes,
///    and a multiply-add into the row's accumulators.
/// 3. The tile of C is written, or added to; a tile at the edge under masks. Where C's columns are
///    contiguous and not its rows, squares of the tile are turned in registers before.
class Body {
public:
  Body(IndexBuilder &ib, const MicroKernel &kernel, Block &block) : ib(ib), kernel(kernel) {
    auto arg = [&](unsigned i) { return block.getArgument(i); };
    call = {arg(0),        arg(1),        arg(2),         ib.of(arg(3)),
            ib.of(arg(4)), ib.of(arg(5)), ib.of(arg(6)),  ib.of(arg(7)),
            ib.of(arg(8)), ib.of(arg(9)), ib.of(arg(10)), arg(11)};
    if (kernel.prefetched) {
      call.prefetched = arg(12);
      call.offsetPrefetched = ib.of(arg(13));
      call.stridePrefetched = ib.of(arg(14));
    }
    type = VectorType::get({kernel.lanes}, kernel.accumulator);
  }

  void emit() {
    Value full = ib.make<arith::AndIOp>(
        ib.make<arith::CmpIOp>(arith::CmpIPredicate::eq, ib.value(call.rows),
                               ib.value(ib.of(kernel.rows))),
        ib.make<arith::CmpIOp>(arith::CmpIPredicate::eq, ib.value(call.columns),
                               ib.value(ib.of(kernel.columns()))));
    SmallVector<Value> tile(kernel.rows * kernel.vectors, splat(ib, type, 0));
    if (kernel.inPlaceB && !kernel.exactColumns) {
      Value inside = ib.make<arith::CmpIOp>(arith::CmpIPredicate::eq, ib.value(call.columns),
                                            ib.value(ib.of(kernel.columns())));
      tile = conditional(
          inside, [&] { return multiplyAll(tile, {}); },
          [&] { return multiplyAll(tile, columnMasks()); });
    } else {
      tile = multiplyAll(tile, {});
    }
    if (kernel.transposedC)
      return storeColumns(tile, full);
    tile = addOld(tile, full);
    auto storeFull = [&] {
      forTile([&](int64_t i, int64_t v, unsigned n) {
        storeVector(ib, tile[n], call.c, addressC(i, v));
      });
    };
    if (kernel.exactRows && kernel.exactColumns)
      return storeFull();
    ib.ifThenElse(full, storeFull, [&] {
      SmallVector<Value> masks = columnMasks();
      forTile([&](int64_t i, int64_t v, unsigned n) {
        storeMasked(ib, tile[n], call.c, addressC(i, v), rowMask(i, masks[v]));
      });
    });
  }

private:
  void forTile(function_ref<void(int64_t, int64_t, unsigned)> visit) {
    unsigned n = 0;
    for (int64_t i = 0; i < kernel.rows; ++i)
      for (int64_t v = 0; v < kernel.vectors; ++v)
        visit(i, v, n++);
  }

  Index addressC(int64_t row, int64_t vector) {
    return ib.add(ib.add(call.offsetC, ib.mul(ib.of(row), call.strideC)), vector * kernel.lanes);
  }

  SmallVector<Value> columnMasks() {
    SmallVector<Value> masks;
    for (int64_t v = 0; v < kernel.vectors; ++v)
      masks.push_back(firstLanes(ib, kernel.lanes, ib.sub(call.columns, ib.of(v * kernel.lanes))));
    return masks;
  }

  Value rowMask(int64_t row, Value columns) {
    if (kernel.exactRows)
      return columns;
    Value none = splat(ib, cast<VectorType>(columns.getType()), 0);
    return ib.make<arith::SelectOp>(ib.less(ib.of(row), call.rows), columns, none);
  }

  SmallVector<Value> conditional(Value condition, function_ref<SmallVector<Value>()> yes,
                                 function_ref<SmallVector<Value>()> no) {
    SmallVector<Type> types(kernel.rows * kernel.vectors, type);
    auto op = ib.make<scf::IfOp>(types, condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(ib.b);
    ib.b.setInsertionPointToStart(op.thenBlock());
    ib.make<scf::YieldOp>(yes());
    ib.b.setInsertionPointToStart(op.elseBlock());
    ib.make<scf::YieldOp>(no());
    return SmallVector<Value>(op.getResults());
  }

  /// The sums of this block of k, and what C holds if they are to be added to that.
  SmallVector<Value> addOld(ArrayRef<Value> tile, Value full) {
    auto addFull = [&] {
      SmallVector<Value> sums;
      forTile([&](int64_t i, int64_t v, unsigned n) {
        Value old = loadVector(ib, type, call.c, addressC(i, v));
        sums.push_back(ib.make<arith::AddFOp>(old, tile[n]));
      });
      return sums;
    };
    auto addEdge = [&] {
      SmallVector<Value> sums, masks = columnMasks();
      forTile([&](int64_t i, int64_t v, unsigned n) {
        Value old = loadMasked(ib, type, call.c, addressC(i, v), rowMask(i, masks[v]));
        sums.push_back(ib.make<arith::AddFOp>(old, tile[n]));
      });
      return sums;
    };
    return conditional(
        call.accumulate,
        [&] {
          if (kernel.exactRows && kernel.exactColumns)
            return addFull();
          return conditional(full, addFull, addEdge);
        },
        [&] { return SmallVector<Value>(tile); });
  }

  /// A column of C, a row of the tile's square: `present` of its lanes are rows of a full tile.
  struct Column {
    Value sums;
    int64_t row, column, present;
  };

  /// Squares of `lanes` rows and columns are turned; the last has fewer rows where the tile's are
  /// no multiple.
  void storeColumns(ArrayRef<Value> tile, Value full) {
    SmallVector<Column> columns;
    for (int64_t row = 0; row < kernel.rows; row += kernel.lanes) {
      int64_t present = std::min(kernel.lanes, kernel.rows - row);
      for (int64_t v = 0; v < kernel.vectors; ++v) {
        SmallVector<Value> square(kernel.lanes, splat(ib, type, 0));
        for (int64_t i = 0; i < present; ++i)
          square[i] = tile[(row + i) * kernel.vectors + v];
        transposeSquare(ib, square);
        for (auto [i, sums] : llvm::enumerate(square))
          columns.push_back({sums, row, v * kernel.lanes + static_cast<int64_t>(i), present});
      }
    }
    auto store = [&](bool add) {
      if (kernel.exactRows && kernel.exactColumns)
        return storeWhole(columns, add);
      ib.ifThenElse(full, [&] { storeWhole(columns, add); }, [&] { storeEdge(columns, add); });
    };
    ib.ifThenElse(call.accumulate, [&] { store(true); }, [&] { store(false); });
  }

  Index addressOf(const Column &column) {
    return ib.add(ib.add(call.offsetC, ib.mul(ib.of(column.column), call.strideC)), column.row);
  }

  /// Vectors of 512 bits have registers for masks. Shorter ones are stored under them by
  /// instructions that take a tenth of the time of a product of 384 terms on AMD's processors.
  bool hasMaskRegisters() const {
    return kernel.lanes * static_cast<int64_t>(kernel.accumulator.getIntOrFloatBitWidth()) >= 512;
  }

  void storeUnder(Value mask, Value sums, Index at, bool add) {
    if (add)
      sums = ib.make<arith::AddFOp>(loadMasked(ib, type, call.c, at, mask), sums);
    storeMasked(ib, sums, call.c, at, mask);
  }

  /// A vector that is not full in parts of powers of two, where masks are slow.
  void storeWhole(ArrayRef<Column> columns, bool add) {
    for (const Column &column : columns) {
      if (column.present < kernel.lanes && hasMaskRegisters()) {
        Value mask = firstLanes(ib, kernel.lanes, ib.of(column.present));
        storeUnder(mask, column.sums, addressOf(column), add);
        continue;
      }
      int64_t size = 0;
      for (int64_t from = 0; from < column.present; from += size) {
        size = static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(column.present - from)));
        Value part = column.sums;
        if (size < kernel.lanes)
          part = ib.make<vector::ExtractStridedSliceOp>(
              part, ArrayRef<int64_t>(from), ArrayRef<int64_t>(size), ArrayRef<int64_t>(1));
        Index at = ib.add(addressOf(column), from);
        if (add) {
          Value old = loadVector(ib, cast<VectorType>(part.getType()), call.c, at);
          part = ib.make<arith::AddFOp>(old, part);
        }
        storeVector(ib, part, call.c, at);
      }
    }
  }

  void storeEdge(ArrayRef<Column> columns, bool add) {
    for (const Column &column : columns) {
      Index rows = kernel.exactRows ? ib.of(column.present) : ib.sub(call.rows, ib.of(column.row));
      Value mask = firstLanes(ib, kernel.lanes, rows);
      if (!kernel.exactColumns) {
        Value none = splat(ib, cast<VectorType>(mask.getType()), 0);
        mask = ib.make<arith::SelectOp>(ib.less(ib.of(column.column), call.columns), mask, none);
      }
      storeUnder(mask, column.sums, addressOf(column), add);
    }
  }

  SmallVector<Value> multiplyAll(ValueRange tile, ArrayRef<Value> masks) {
    return ib.loopCarrying(ib.of(0), call.steps, 1, tile, [&](Index step, ValueRange sums) {
      return multiply(step, sums, masks);
    });
  }

  bool pairs() const { return kernel.unit.isInteger(32); }
  VectorType pairType() { return VectorType::get({2 * kernel.lanes}, ib.b.getBF16Type()); }

  /// The vectors of B of one step; with masks, columns that do not exist are not read.
  SmallVector<Value> columnsOf(Index step, ArrayRef<Value> masks) {
    bool rowsOfPairs = kernel.inPlaceB && pairs();
    auto load = [&](Index at, int64_t v) {
      Type element = rowsOfPairs ? ib.b.getBF16Type() : kernel.unit;
      auto vectorType = VectorType::get({kernel.lanes}, element);
      Index address = ib.add(at, v * kernel.lanes);
      return masks.empty() ? loadVector(ib, vectorType, call.b, address)
                           : loadMasked(ib, vectorType, call.b, address, masks[v]);
    };
    Index row = ib.mul(step, rowsOfPairs ? ib.mul(call.strideStepB, 2) : call.strideStepB);
    Index b = ib.add(call.offsetB, row);
    SmallVector<int64_t> alternate;
    for (int64_t i = 0; i < kernel.lanes; ++i)
      alternate.append({i, i + kernel.lanes});
    SmallVector<Value> columns;
    for (int64_t v = 0; v < kernel.vectors; ++v) {
      Value first = load(b, v);
      if (rowsOfPairs) {
        Value second = load(ib.add(b, call.strideStepB), v);
        columns.push_back(ib.make<vector::ShuffleOp>(first, second, alternate));
      } else {
        columns.push_back(pairs() ? ib.make<vector::BitCastOp>(pairType(), first).getResult()
                                  : first);
      }
    }
    return columns;
  }

  SmallVector<Value> multiply(Index step, ValueRange sums, ArrayRef<Value> masks) {
    auto unitType = VectorType::get({kernel.lanes}, kernel.unit);
    Index a = ib.add(call.offsetA, ib.mul(step, kernel.strideStepA));
    SmallVector<Value> columns = columnsOf(step, masks), next;
    if (kernel.prefetched) {
      Index line = ib.add(call.offsetPrefetched, ib.mul(step, call.stridePrefetched));
      ib.make<memref::PrefetchOp>(call.prefetched, ValueRange{ib.value(line)}, /*isWrite=*/false,
                                  /*localityHint=*/2, /*isDataCache=*/true);
    }
    for (int64_t i = 0; i < kernel.rows; ++i) {
      Value scalar = loadScalar(ib, call.a, ib.add(a, i * kernel.strideRowA));
      Value row = broadcast(ib, unitType, scalar);
      if (pairs())
        row = ib.make<vector::BitCastOp>(pairType(), row);
      for (int64_t v = 0; v < kernel.vectors; ++v) {
        Value sum = sums[i * kernel.vectors + v];
        next.push_back(pairs() ? bf16Dot(ib, row, columns[v], sum) : fma(ib, row, columns[v], sum));
      }
    }
    return next;
  }

  IndexBuilder &ib;
  const MicroKernel &kernel;
  MicroKernelCall call;
  VectorType type;
};

} // namespace

static std::string nameOf(const MicroKernel &kernel) {
  std::string name;
  llvm::raw_string_ostream out(name);
  out << "forge_microkernel_";
  if (kernel.unit.isInteger(32))
    out << "bf16pairs";
  else
    out << kernel.unit;
  out << "_" << kernel.rows << "x" << kernel.columns() << "_a" << kernel.strideRowA << "_"
      << kernel.strideStepA << (kernel.inPlaceB ? "_inplace" : "") << (kernel.exactRows ? "_r" : "")
      << (kernel.exactColumns ? "_c" : "") << (kernel.transposedC ? "_t" : "");
  if (kernel.prefetched)
    out << "_ahead_" << kernel.prefetched;
  return name;
}

static func::FuncOp makeMicroKernel(IndexBuilder &outer, const MicroKernel &kernel, StringRef name,
                                    func::FuncOp beside) {
  OpBuilder::InsertionGuard guard(outer.b);
  outer.b.setInsertionPoint(beside);
  MLIRContext *context = outer.b.getContext();
  Type units = MemRefType::get({ShapedType::kDynamic}, kernel.unit), unitsB = units;
  if (kernel.inPlaceB && kernel.unit.isInteger(32))
    unitsB = MemRefType::get({ShapedType::kDynamic}, outer.b.getBF16Type());
  Type sums = MemRefType::get({ShapedType::kDynamic}, kernel.accumulator);
  SmallVector<Type> arguments = {units, unitsB, sums};
  arguments.append(8, outer.b.getIndexType());
  arguments.push_back(outer.b.getI1Type());
  if (kernel.prefetched) {
    Type prefetched = MemRefType::get({ShapedType::kDynamic}, kernel.prefetched);
    arguments.append({prefetched, outer.b.getIndexType(), outer.b.getIndexType()});
  }
  auto function = outer.make<func::FuncOp>(name, FunctionType::get(context, arguments, {}));
  function.setPrivate();
  function->setAttr("llvm.linkage", LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
  // Inlined into every place that calls it, its registers and its compile time would be paid again
  // there.
  function->setAttr("passthrough", outer.b.getStrArrayAttr({"noinline"}));
  Block *block = function.addEntryBlock();
  outer.b.setInsertionPointToStart(block);
  IndexBuilder ib(outer.b, outer.loc);
  Body(ib, kernel, *block).emit();
  ib.make<func::ReturnOp>();
  return function;
}

void callMicroKernel(IndexBuilder &ib, const MicroKernel &kernel, const MicroKernelCall &call) {
  auto here = ib.b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto current = dyn_cast<func::FuncOp>(ib.b.getInsertionBlock()->getParentOp());
  if (!current)
    current = ib.b.getInsertionBlock()->getParentOp()->getParentOfType<func::FuncOp>();
  std::string name = nameOf(kernel);
  auto function = here.lookupSymbol<func::FuncOp>(name);
  if (!function)
    function = makeMicroKernel(ib, kernel, name, current);
  SmallVector<Value> arguments = {call.a, call.b, call.c};
  for (Index i : {call.offsetA, call.offsetB, call.strideStepB, call.offsetC, call.strideC,
                  call.steps, call.rows, call.columns})
    arguments.push_back(ib.value(i));
  arguments.push_back(call.accumulate);
  if (kernel.prefetched)
    arguments.append(
        {call.prefetched, ib.value(call.offsetPrefetched), ib.value(call.stridePrefetched)});
  ib.make<func::CallOp>(function, arguments);
}

} // namespace forge::contraction
