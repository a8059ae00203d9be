// The map of a layout: coordinates of registers, places of elements.
#include "forge/Dialect/Tile/IR/Tile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge::tile;

/// How many entries of `lists` are of `dim`.
static unsigned countEntries(ArrayRef<ArrayRef<LayoutEntry>> lists, int64_t dim) {
  unsigned count = 0;
  for (ArrayRef<LayoutEntry> list : lists)
    count += llvm::count_if(list, [&](LayoutEntry entry) { return entry.dim == dim; });
  return count;
}

ArrayRef<LayoutEntry> forge::tile::dropRepeats(int64_t rank, ArrayRef<LayoutEntry> reg,
                                               ArrayRef<LayoutEntry> lane,
                                               ArrayRef<LayoutEntry> warp) {
  while (!reg.empty() && reg.back().dim == rank - 1 &&
         reg.back().bit + 1u == countEntries({reg, lane, warp}, rank - 1))
    reg = reg.drop_back();
  return reg;
}

SmallVector<int64_t> LayoutAttr::getAtom() const {
  SmallVector<int64_t> atom;
  for (int64_t dim = 0; dim < getRank(); ++dim)
    atom.push_back(int64_t(1) << countEntries({getReg(), getLane(), getWarp()}, dim));
  return atom;
}

static int64_t replicatedBits(ArrayRef<LayoutEntry> list) {
  int64_t bits = 0;
  for (auto [i, entry] : llvm::enumerate(list))
    if (entry.isReplicated())
      bits |= int64_t(1) << i;
  return bits;
}

int64_t LayoutAttr::getReplicatedLanes() const { return replicatedBits(getLane()); }
int64_t LayoutAttr::getReplicatedWarps() const { return replicatedBits(getWarp()); }

int64_t LayoutAttr::getRegisters(ArrayRef<int64_t> shape) const {
  int64_t registers = int64_t(1) << getReg().size();
  for (auto [size, extent] : llvm::zip_equal(shape, getAtom()))
    registers *= size / extent;
  return registers;
}

/// Adds what the bits of `number` add.
static void addEntries(ArrayRef<LayoutEntry> list, int64_t number,
                       MutableArrayRef<int64_t> coordinates) {
  for (auto [i, entry] : llvm::enumerate(list))
    if (!entry.isReplicated() && (number >> i & 1))
      coordinates[entry.dim] += entry.step();
}

SmallVector<int64_t> LayoutAttr::getCoordinates(ArrayRef<int64_t> shape, int64_t reg, int64_t lane,
                                                int64_t warp) const {
  SmallVector<int64_t> coordinates(getRank()), atom = getAtom();
  int64_t repeat = reg >> getReg().size();
  for (int64_t dim = getRank(); dim-- > 0;) {
    int64_t atoms = shape[dim] / atom[dim];
    coordinates[dim] = repeat % atoms * atom[dim];
    repeat /= atoms;
  }
  addEntries(getReg(), reg, coordinates);
  addEntries(getLane(), lane, coordinates);
  addEntries(getWarp(), warp, coordinates);
  return coordinates;
}

/// The number whose bits add what `coordinates` hold.
static int64_t numberOf(ArrayRef<LayoutEntry> list, ArrayRef<int64_t> coordinates) {
  int64_t number = 0;
  for (auto [i, entry] : llvm::enumerate(list))
    if (!entry.isReplicated())
      number |= (coordinates[entry.dim] >> entry.bit & 1) << i;
  return number;
}

LayoutPlace LayoutAttr::getPlace(ArrayRef<int64_t> shape, ArrayRef<int64_t> coordinates) const {
  int64_t repeat = 0;
  for (auto [size, extent, coordinate] : llvm::zip_equal(shape, getAtom(), coordinates))
    repeat = repeat * (size / extent) + coordinate / extent;
  return {repeat << getReg().size() | numberOf(getReg(), coordinates),
          numberOf(getLane(), coordinates), numberOf(getWarp(), coordinates)};
}

LayoutAttr LayoutAttr::swapDimensions() const {
  auto swapped = [](ArrayRef<LayoutEntry> list) {
    return llvm::map_to_vector(list, [](LayoutEntry entry) {
      return entry.isReplicated() ? entry
                                  : LayoutEntry{static_cast<int8_t>(1 - entry.dim), entry.bit};
    });
  };
  return LayoutAttr::get(getContext(), getRank(), swapped(getReg()), swapped(getLane()),
                         swapped(getWarp()));
}

LayoutAttr LayoutAttr::splitDimension(int64_t dim, ArrayRef<int64_t> extents) const {
  auto count = static_cast<int64_t>(extents.size());
  auto split = [&](ArrayRef<LayoutEntry> list) {
    return llvm::map_to_vector(list, [&](LayoutEntry entry) {
      if (entry.isReplicated() || entry.dim < dim)
        return entry;
      if (entry.dim > dim)
        return LayoutEntry{static_cast<int8_t>(entry.dim + count - 1), entry.bit};
      int64_t bit = entry.bit, part = count - 1;
      for (; part > 0 && bit >= llvm::Log2_64(extents[part]); --part)
        bit -= llvm::Log2_64(extents[part]);
      return LayoutEntry{static_cast<int8_t>(dim + part), static_cast<uint8_t>(bit)};
    });
  };
  return get(getContext(), getRank() + count - 1, split(getReg()), split(getLane()),
             split(getWarp()));
}

LayoutAttr LayoutAttr::dropDimensions(ArrayRef<int64_t> dims) const {
  SmallVector<int8_t> renamed(getRank(), LayoutEntry::kReplicated);
  int8_t rank = 0;
  for (int64_t dim = 0; dim < getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      renamed[dim] = rank++;
  auto rename = [&](ArrayRef<LayoutEntry> list, bool keepReplicas) {
    SmallVector<LayoutEntry> result;
    for (LayoutEntry entry : list) {
      if (!entry.isReplicated())
        entry = {renamed[entry.dim], entry.bit};
      if (!entry.isReplicated())
        result.push_back(entry);
      else if (keepReplicas)
        result.push_back(LayoutEntry::replicated());
    }
    return result;
  };
  return get(getContext(), rank, rename(getReg(), false), rename(getLane(), true),
             rename(getWarp(), true));
}
