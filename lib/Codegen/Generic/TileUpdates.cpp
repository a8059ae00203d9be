#include "TileUpdates.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace forge;

void TileUpdates::allocateShared(int64_t mostRows) {
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  auto space =
      gpu::AddressSpaceAttr::get(builder.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  auto allocate = [&](int64_t size) -> Value {
    auto type = MemRefType::get({size}, builder.getI32Type(), MemRefLayoutAttrInterface(), space);
    return memref::AllocOp::create(builder, loc, type);
  };
  counts = allocate(threads);
  keys = allocate(kChunk);
  begins = allocate(mostRows + 1);
}

Value TileUpdates::addUp(Value count) {
  Value sum = count;
  store(sum, counts, thread);
  for (int64_t distance = 1; distance < threads; distance *= 2) {
    barrier();
    Value has = compare(arith::CmpIPredicate::uge, thread, constant(distance));
    Value other = branch(has, number(0), [&] {
                    Value place = make<arith::SubIOp>(thread, constant(distance));
                    return SmallVector<Value>{load(counts, place)};
                  }).front();
    sum = make<arith::AddIOp>(sum, other);
    barrier();
    store(sum, counts, thread);
  }
  barrier();
  return sum;
}

void TileUpdates::sortKeys(Value total) {
  Value isFew = compare(arith::CmpIPredicate::sle, total, number(threads));
  auto branches = scf::IfOp::create(builder, loc, isFew, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branches.thenBlock());
  sortFew(toIndex(total));
  builder.setInsertionPointToStart(branches.elseBlock());
  sortMany(total);
}

/// At most a key a thread: its place is how many are smaller.
void TileUpdates::sortFew(Value total) {
  Value has = compare(arith::CmpIPredicate::ult, thread, total);
  Values mine = branch(has, ValueRange{number(0), number(0)}, [&] {
    Value key = load(keys, thread);
    Value place = loop(zero, total, one, number(0), [&](Value other, ValueRange count) {
                    Value smaller = compare(arith::CmpIPredicate::slt, load(keys, other), key);
                    Value more =
                        arith::ExtUIOp::create(builder, loc, builder.getI32Type(), smaller);
                    return Values{make<arith::AddIOp>(count.front(), more)};
                  }).front();
    return Values{key, place};
  });
  barrier();
  branch(has, [&] { store(mine[0], keys, toIndex(mine[1])); });
  barrier();
}

/// A network: K. E. Batcher, Sorting networks and their applications, 1968.
void TileUpdates::sortMany(Value total) {
  Value bits = make<arith::SubIOp>(
      number(32),
      math::CountLeadingZerosOp::create(builder, loc, make<arith::SubIOp>(total, number(1))));
  bits = toIndex(bits);
  // A power of two of keys; the others are larger than all.
  Value all = make<arith::ShLIOp>(one, bits);
  loop(make<arith::AddIOp>(toIndex(total), thread), all, constant(threads),
       [&](Value place) { store(number(std::numeric_limits<int32_t>::max()), keys, place); });
  barrier();
  Value half = make<arith::ShRUIOp>(all, one);
  loop(one, make<arith::AddIOp>(bits, one), one, [&](Value level) {
    Value run = make<arith::ShLIOp>(one, level);
    loop(one, make<arith::AddIOp>(level, one), one, [&](Value step) {
      Value distance = make<arith::ShRUIOp>(run, step);
      loop(thread, half, constant(threads), [&](Value pair) { exchange(pair, distance, run); });
      barrier();
    });
  });
}

/// Puts the two keys of pair number `pair`, `distance` apart, in order: runs of `run` keys ascend
/// and descend in turn.
void TileUpdates::exchange(Value pair, Value distance, Value run) {
  Value inner = make<arith::AndIOp>(pair, make<arith::SubIOp>(distance, one));
  Value first = make<arith::SubIOp>(make<arith::AddIOp>(pair, pair), inner);
  Value second = make<arith::AddIOp>(first, distance);
  Value ascends = compare(arith::CmpIPredicate::eq, make<arith::AndIOp>(first, run), zero);
  Value x = load(keys, first), y = load(keys, second);
  Value least = make<arith::MinSIOp>(x, y), most = make<arith::MaxSIOp>(x, y);
  store(arith::SelectOp::create(builder, loc, ascends, least, most), keys, first);
  store(arith::SelectOp::create(builder, loc, ascends, most, least), keys, second);
}

void TileUpdates::findRows(Value total, Value rows) {
  Value steps = constant(llvm::Log2_64(kChunk) + 1);
  loop(thread, make<arith::AddIOp>(rows, one), constant(threads), [&](Value row) {
    Value key = make<arith::MulIOp>(toI32(row), number(kChunk));
    // The most keys, from the first on, that are smaller.
    Value smaller = loop(zero, steps, one, zero, [&](Value step, ValueRange known) {
                      Value more = make<arith::AddIOp>(
                          known.front(), make<arith::ShRUIOp>(constant(kChunk), step));
                      return branch(compare(arith::CmpIPredicate::ule, more, total), known, [&] {
                        Value last = load(keys, make<arith::SubIOp>(more, one));
                        Value less = compare(arith::CmpIPredicate::slt, last, key);
                        return SmallVector<Value>{
                            arith::SelectOp::create(builder, loc, less, more, known.front())};
                      });
                    }).front();
    store(toI32(smaller), begins, row);
  });
}
