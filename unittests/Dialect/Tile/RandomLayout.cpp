#include "RandomLayout.h"

#include <rapidcheck.h>

using namespace forge::tile;
using llvm::SmallVector;

mlir::MLIRContext &tileContext() {
  static mlir::MLIRContext context;
  context.loadDialect<TileDialect>();
  return context;
}

int64_t drawNumber(int64_t first, int64_t end) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<int64_t>(first, end));
}

LayoutAttr drawLayout(int64_t rank, unsigned laneBits, unsigned warpBits) {
  SmallVector<LayoutEntry> lists[3];
  auto counts =
      std::array<unsigned, 3>{static_cast<unsigned>(drawNumber(0, 4)), laneBits, warpBits};
  // Where each entry is, shuffled; the steps of a dimension come in this order, too.
  std::vector<std::pair<unsigned, unsigned>> places;
  for (unsigned list = 0; list < 3; ++list) {
    lists[list].resize(counts[list]);
    for (unsigned i = 0; i < counts[list]; ++i)
      places.emplace_back(list, i);
  }
  for (size_t i = places.size(); i > 1; --i)
    std::swap(places[i - 1], places[drawNumber(0, i)]);
  SmallVector<uint8_t> next(rank);
  for (auto [list, i] : places) {
    bool replicated = rank == 0 || (list != 0 && drawNumber(0, 4) == 0);
    if (replicated)
      continue;
    auto dim = drawNumber(0, rank);
    lists[list][i] = {static_cast<int8_t>(dim), next[dim]++};
  }
  llvm::erase_if(lists[0], [](LayoutEntry entry) { return entry.isReplicated(); });
  return LayoutAttr::get(&tileContext(), rank, lists[0], lists[1], lists[2]);
}

SmallVector<int64_t> drawShape(llvm::ArrayRef<LayoutAttr> layouts) {
  SmallVector<int64_t> shape(layouts.front().getRank(), 1);
  for (LayoutAttr layout : layouts)
    for (auto [size, extent] : llvm::zip_equal(shape, layout.getAtom()))
      size = std::max(size, extent);
  for (int64_t &size : shape)
    size *= drawNumber(1, 4);
  return shape;
}

std::string toString(mlir::Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  attribute.print(stream);
  return text;
}
