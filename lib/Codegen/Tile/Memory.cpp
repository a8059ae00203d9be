// Loads and stores of tiles.
#include "ThreadEmitter.h"

#include "../Strategy/AccessBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <functional>
#include <numeric>

using namespace mlir;
using namespace forge;

namespace {
/// One operation's access of memory, by registers.
struct TileAccess {
  RankedTensorType tile;
  tile::LayoutAttr layout;
  SmallVector<int64_t> dims;
  /// Per dimension of the tile, where the thread begins in the memory, and what it must be below,
  /// or null.
  SmallVector<Value> first = {}, limits = {};
  /// Global memory as one dimension; the number there of what the thread begins at; the memory's
  /// strides along the tile's dimensions.
  Value flat = {}, linear = {};
  SmallVector<OpFoldResult> strides = {};
  /// Shared memory: its type, and where the thread begins in each dimension.
  tile::SharedType shared = {};
  SmallVector<Value> begin = {};
  /// Registers of one access, which are neighbours along dimension `inner` of the tile; whether all
  /// of them or none are below the limit there.
  int64_t width = 1;
  size_t inner = 0;
  bool isAllOrNone = false;

  /// What register `reg` adds to the coordinates.
  SmallVector<int64_t> offsets(int64_t reg) const {
    return layout.getCoordinates(tile.getShape(), reg);
  }
};
} // namespace

/// The widest access for which the registers of every group of so many are neighbours in memory, at
/// multiples of its size: as `align` promises, and rows, the tile's layout and steps of the swizzle
/// keep it.
static int64_t accessWidth(TileAccess &access, std::optional<int64_t> align) {
  int64_t bytes =
      access.tile.getElementType().isIndex() ? 8 : access.tile.getElementTypeBitWidth() / 8;
  if (!align || bytes == 0 || access.dims.empty())
    return 1;
  int64_t registers = access.layout.getRegisters(access.tile.getShape());
  auto isInnermost = [&](size_t dim) {
    return access.shared ? access.dims[dim] == access.shared.getRank() - 1
                         : getConstantIntValue(access.strides[dim]) == 1;
  };
  // The last one, as a rule; the memory of a transposed tile has another.
  std::optional<size_t> inner;
  for (size_t dim = access.dims.size(); dim-- > 0 && !inner;)
    if (isInnermost(dim))
      inner = dim;
  if (!inner)
    return 1;
  access.inner = *inner;
  for (int64_t width = std::min(kAccessBytes, *align) / bytes; width > 1; width /= 2) {
    bool fits = registers % width == 0;
    for (int64_t reg = 0; reg < registers && fits; ++reg) {
      SmallVector<int64_t> group = access.offsets(reg - reg % width), at = access.offsets(reg);
      group[*inner] += reg % width;
      fits = group == at && (group[*inner] - reg % width) % width == 0;
    }
    if (fits)
      return width;
  }
  return 1;
}

/// A number that `index` is known to be a multiple of.
static int64_t divisorOf(Value index) {
  constexpr int64_t most = int64_t(1) << 20;
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant == 0 ? most : std::min(std::abs(*constant), most);
  if (auto cast = index.getDefiningOp<arith::IndexCastOp>())
    return divisorOf(cast.getIn());
  if (auto sum = index.getDefiningOp<arith::AddIOp>())
    return std::gcd(divisorOf(sum.getLhs()), divisorOf(sum.getRhs()));
  if (auto product = index.getDefiningOp<arith::MulIOp>())
    return std::min(divisorOf(product.getLhs()) * divisorOf(product.getRhs()), most);
  return 1;
}

/// A buffer's rows are cut into panels as long as the pattern; 16-byte units of a row are XORed
/// with the row's number among eight (of 64 and 32 bytes: with its upper bits), as the tensor
/// memory accelerator does.
Value ThreadEmitter::sharedElement(tile::SharedType type, ArrayRef<Value> coordinates) {
  ArrayRef<int64_t> sizes = type.getShape();
  int64_t bytes = type.getElementBytes(), rows = 1;
  Value row = index(0);
  for (size_t dim = 0; dim + 1 < sizes.size(); ++dim) {
    row = arith::AddIOp::create(b, arith::MulIOp::create(b, row, index(sizes[dim])),
                                coordinates[dim]);
    rows *= sizes[dim];
  }
  Value column = coordinates.back();
  if (!type.getSwizzle()) {
    int64_t stride = sizes.back() + type.getPad() / bytes;
    return arith::AddIOp::create(b, arith::MulIOp::create(b, row, index(stride)), column);
  }
  int64_t inRow = type.getSwizzle() / bytes, unit = std::max<int64_t>(16 / bytes, 1);
  Value panel = arith::DivUIOp::create(b, column, index(inRow));
  Value inPanel = arith::RemUIOp::create(b, column, index(inRow));
  // Of 128 bytes, the unit's three bits and the row's; of 64, two bits and those of every second
  // row; of 32, one bit and that of every fourth.
  Value pattern = arith::RemUIOp::create(b, row, index(8));
  if (int64_t skip = 128 / type.getSwizzle(); skip > 1)
    pattern = arith::DivUIOp::create(b, pattern, index(skip));
  inPanel = arith::XOrIOp::create(b, inPanel, arith::MulIOp::create(b, pattern, index(unit)));
  Value start = arith::AddIOp::create(b, arith::MulIOp::create(b, panel, index(rows * inRow)),
                                      arith::MulIOp::create(b, row, index(inRow)));
  return arith::AddIOp::create(b, start, inPanel);
}

namespace {
/// Makes the accesses of one operation.
class AccessEmitter {
public:
  AccessEmitter(ThreadBuilder &b, TileAccess &access,
                std::function<Value(tile::SharedType, ArrayRef<Value>)> sharedElement)
      : b(b), access(access), sharedElement(std::move(sharedElement)) {}

  /// The number in the flat memory of register `reg`.
  Value place(int64_t reg) {
    SmallVector<int64_t> offsets = access.offsets(reg);
    if (!access.shared) {
      int64_t constant = 0;
      Value at = access.linear;
      for (auto [offset, stride] : llvm::zip_equal(offsets, access.strides)) {
        std::optional<int64_t> known = getConstantIntValue(stride);
        if (known)
          constant += offset * *known;
        else if (offset != 0)
          at = arith::AddIOp::create(
              b, at,
              arith::MulIOp::create(b, cast<Value>(stride),
                                    arith::ConstantIndexOp::create(b, offset)));
      }
      return plus(at, constant);
    }
    SmallVector<Value> at = access.begin;
    for (auto [dim, offset] : llvm::zip_equal(access.dims, offsets))
      at[dim] = plus(at[dim], offset);
    return sharedElement(access.shared, at);
  }

  /// Whether `width` registers from `reg` on are all below the limits; null without limits.
  Value isInside(int64_t reg, int64_t width) {
    SmallVector<int64_t> offsets = access.offsets(reg);
    Value all;
    for (auto [dim, limit] : llvm::enumerate(access.limits)) {
      int64_t end = offsets[dim] + (dim == access.inner ? width - 1 : 0);
      Value below =
          arith::CmpIOp::create(b, arith::CmpIPredicate::slt, plus(access.first[dim], end), limit);
      all = all ? arith::AndIOp::create(b, all, below).getResult() : below;
    }
    return all;
  }

  SmallVector<Value> load(int64_t reg, int64_t width) {
    Value at = place(reg);
    if (width == 1)
      return {memref::LoadOp::create(b, access.flat, at)};
    Type element = access.tile.getElementType();
    auto type = VectorType::get(width, element);
    Value loaded = vector::LoadOp::create(b, type, access.flat, at, /*nontemporal=*/false,
                                          llvm::MaybeAlign(bytesOf(width)));
    return llvm::map_to_vector(llvm::seq<int64_t>(width), [&](int64_t i) -> Value {
      return vector::ExtractOp::create(b, loaded, i);
    });
  }

  void store(int64_t reg, ArrayRef<Value> values) {
    Value at = place(reg);
    if (values.size() == 1) {
      memref::StoreOp::create(b, values.front(), access.flat, at);
      return;
    }
    auto type = VectorType::get(static_cast<int64_t>(values.size()), values.front().getType());
    Value all = vector::FromElementsOp::create(b, type, values);
    vector::StoreOp::create(b, all, access.flat, at, /*nontemporal=*/false,
                            llvm::MaybeAlign(bytesOf(static_cast<int64_t>(values.size()))));
  }

  /// `make` where `condition`, else `otherwise`; the values of both.
  SmallVector<Value> choose(Value condition, TypeRange types,
                            function_ref<SmallVector<Value>()> make,
                            function_ref<SmallVector<Value>()> otherwise) {
    auto branch = scf::IfOp::create(b, types, condition, /*addThenBlock=*/true,
                                    /*addElseBlock=*/bool(otherwise));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(b, make());
    if (otherwise) {
      b.setInsertionPointToEnd(branch.elseBlock());
      scf::YieldOp::create(b, otherwise());
    }
    return branch.getResults();
  }

private:
  Value plus(Value a, int64_t constant) {
    if (constant == 0)
      return a;
    return arith::AddIOp::create(b, a, arith::ConstantIndexOp::create(b, constant));
  }
  uint64_t bytesOf(int64_t width) {
    return static_cast<uint64_t>(width * access.tile.getElementTypeBitWidth() / 8);
  }

  ThreadBuilder &b;
  TileAccess &access;
  std::function<Value(tile::SharedType, ArrayRef<Value>)> sharedElement;
};
} // namespace

template <typename OpT>
static FailureOr<TileAccess>
describeAccess(ThreadBuilder &b, OpT op, Value memory, RankedTensorType tile,
               ArrayRef<Value> offsets, const IRMapping &scalars,
               function_ref<Value(tile::SharedType)> viewOf,
               function_ref<FailureOr<Value>(SmallVectorImpl<OpFoldResult> &)> flatten) {
  TileAccess access{tile, cast<tile::LayoutAttr>(tile.getEncoding()), op.getMemoryDims()};
  SmallVector<Value> indices =
      llvm::map_to_vector(op.getIndices(), [&](Value index) { return scalars.lookup(index); });
  for (auto [dim, offset] : llvm::zip_equal(access.dims, offsets)) {
    indices[dim] = arith::AddIOp::create(b, indices[dim], offset);
    access.first.push_back(indices[dim]);
  }
  for (Value limit : op.getLimits())
    access.limits.push_back(scalars.lookup(limit));
  access.shared = dyn_cast<tile::SharedType>(memory.getType());
  if (access.shared) {
    access.begin = std::move(indices);
    access.flat = viewOf(access.shared);
  } else {
    SmallVector<OpFoldResult> strides;
    FailureOr<Value> flat = flatten(strides);
    if (failed(flat))
      return failure();
    access.flat = *flat;
    for (auto [at, stride] : llvm::zip_equal(indices, strides)) {
      Value part =
          arith::MulIOp::create(b, at, getValueOrCreateConstantIndexOp(b, b.getLoc(), stride));
      access.linear =
          access.linear ? arith::AddIOp::create(b, access.linear, part).getResult() : part;
    }
    if (!access.linear)
      access.linear = arith::ConstantIndexOp::create(b, 0);
    for (int64_t dim : access.dims)
      access.strides.push_back(strides[dim]);
  }
  access.width = accessWidth(access, op.getAlign());
  access.isAllOrNone = access.width == 1 || access.limits.empty() ||
                       (divisorOf(access.limits[access.inner]) % access.width == 0 &&
                        divisorOf(access.first[access.inner]) % access.width == 0);
  return access;
}

LogicalResult ThreadEmitter::emitLoad(tile::LoadOp op) {
  if (std::optional<SmallVector<Value>> matrices = loadMatrices(op)) {
    tiles[op].registers = std::move(*matrices);
    return success();
  }
  RankedTensorType tile = op.getType();
  auto viewOf = [&](tile::SharedType type) {
    return sharedView(mapped(op.getSource()), type.getElementType(),
                      type.getBytes() / type.getElementBytes());
  };
  auto access = describeAccess(b, op, op.getSource(), tile, threadOffsets(layoutOf(tile)), scalars,
                               viewOf, [&](SmallVectorImpl<OpFoldResult> &strides) {
                                 return flatMemory(op, op.getSource(), strides);
                               });
  if (failed(access))
    return failure();
  AccessEmitter emitter(b, *access, [&](tile::SharedType type, ArrayRef<Value> at) {
    return sharedElement(type, at);
  });
  Value fill = op.getFill() ? mapped(op.getFill()) : Value();
  if (!fill && !access->limits.empty())
    fill = arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(tile.getElementType())));
  SmallVector<Value> loaded;
  int64_t count = registersOf(tile), width = access->width;
  for (int64_t reg = 0; reg < count; reg += width) {
    Value inside = emitter.isInside(reg, width);
    if (!inside) {
      llvm::append_range(loaded, emitter.load(reg, width));
      continue;
    }
    SmallVector<Type> types(width, tile.getElementType());
    // Where not all of a wide access is inside, each element by itself.
    auto singly = [&] {
      SmallVector<Value> values;
      for (int64_t i = 0; i < width; ++i)
        llvm::append_range(values, emitter.choose(
                                       emitter.isInside(reg + i, 1), types.front(),
                                       [&] { return emitter.load(reg + i, 1); },
                                       [&] { return SmallVector<Value>{fill}; }));
      return values;
    };
    llvm::append_range(
        loaded,
        emitter.choose(
            inside, types, [&] { return emitter.load(reg, width); },
            [&] { return access->isAllOrNone ? SmallVector<Value>(width, fill) : singly(); }));
  }
  tiles[op].registers = std::move(loaded);
  return success();
}

LogicalResult ThreadEmitter::emitStore(tile::StoreOp op) {
  RankedTensorType tile = op.getValue().getType();
  auto viewOf = [&](tile::SharedType type) {
    return sharedView(mapped(op.getTarget()), type.getElementType(),
                      type.getBytes() / type.getElementBytes());
  };
  auto access = describeAccess(b, op, op.getTarget(), tile, threadOffsets(layoutOf(tile)), scalars,
                               viewOf, [&](SmallVectorImpl<OpFoldResult> &strides) {
                                 return flatMemory(op, op.getTarget(), strides);
                               });
  if (failed(access))
    return failure();
  if (access->shared && !op.getTarget().getDefiningOp<tile::AllocOp>())
    return op.emitOpError("expected memory or a buffer of tile.alloc, but got ")
           << op.getTarget().getType();
  // What others have read may be overwritten, and what is written may be read.
  if (access->shared)
    barrier();
  SmallVector<Value> values = registers(op.getValue());
  {
    OpBuilder::InsertionGuard guard(b);
    if (Value stores = representative(access->layout)) {
      auto branch = scf::IfOp::create(b, stores, /*withElseRegion=*/false);
      b.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    AccessEmitter emitter(b, *access, [&](tile::SharedType type, ArrayRef<Value> at) {
      return sharedElement(type, at);
    });
    int64_t count = registersOf(tile), width = access->width;
    for (int64_t reg = 0; reg < count; reg += width) {
      ArrayRef<Value> group = ArrayRef(values).slice(reg, width);
      Value inside = emitter.isInside(reg, width);
      if (!inside) {
        emitter.store(reg, group);
        continue;
      }
      auto none = [&](int64_t from, ArrayRef<Value> part) {
        emitter.store(from, part);
        return SmallVector<Value>();
      };
      auto singly = [&] {
        for (int64_t i = 0; i < width; ++i)
          emitter.choose(
              emitter.isInside(reg + i, 1), TypeRange(),
              [&] { return none(reg + i, group.slice(i, 1)); }, nullptr);
        return SmallVector<Value>();
      };
      emitter.choose(
          inside, TypeRange(), [&] { return none(reg, group); },
          access->isAllOrNone ? function_ref<SmallVector<Value>()>(nullptr)
                              : function_ref<SmallVector<Value>()>(singly));
    }
  }
  if (access->shared)
    barrier();
  return success();
}
