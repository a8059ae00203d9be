// The text of #tile.layout and what it must hold.
#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge::tile;

static constexpr StringLiteral kDimensions = "xyzw";
static constexpr size_t kMaxLaneBits = 6, kMaxWarpBits = 5;

/// `_`, or a dimension and a step: `x8`.
static ParseResult parseEntry(AsmParser &parser, LayoutEntry &entry) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  entry = LayoutEntry::replicated();
  if (word == "_")
    return success();
  size_t dim = kDimensions.find(word.front());
  uint64_t step = 0;
  if (dim == StringRef::npos || word.drop_front().getAsInteger(10, step) ||
      !llvm::isPowerOf2_64(step) || step > (uint64_t(1) << 30))
    return parser.emitError(loc)
           << "expected a dimension, x, y, z or w, with a power of two, or _, but got " << word;
  entry = {int8_t(dim), uint8_t(llvm::Log2_64(step))};
  return success();
}

static ParseResult parseList(AsmParser &parser, StringRef name,
                             SmallVectorImpl<LayoutEntry> &list) {
  return failure(parser.parseKeyword(name) || parser.parseEqual() ||
                 parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
                   return parseEntry(parser, list.emplace_back());
                 }));
}

/// One more than the last dimension that is mentioned.
static int64_t mentionedRank(ArrayRef<LayoutEntry> reg, ArrayRef<LayoutEntry> lane,
                             ArrayRef<LayoutEntry> warp) {
  int64_t rank = 0;
  for (ArrayRef<LayoutEntry> list : {reg, lane, warp})
    for (LayoutEntry entry : list)
      rank = std::max<int64_t>(rank, entry.dim + 1);
  return rank;
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<LayoutEntry> reg, lane, warp;
  if (parser.parseLess() || parseList(parser, "reg", reg) || parser.parseComma() ||
      parseList(parser, "lane", lane) || parser.parseComma() || parseList(parser, "warp", warp))
    return {};
  int64_t rank = mentionedRank(reg, lane, warp);
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("rank") || parser.parseEqual() || parser.parseInteger(rank)))
    return {};
  if (parser.parseGreater())
    return {};
  // Before the form is made minimal, which relies on it.
  auto emitError = [&] { return parser.emitError(loc); };
  if (failed(verify(emitError, rank, reg, lane, warp)))
    return {};
  return get(parser.getContext(), rank, reg, lane, warp);
}

static void printList(AsmPrinter &printer, StringRef name, ArrayRef<LayoutEntry> list) {
  printer << name << " = [";
  llvm::interleaveComma(list, printer, [&](LayoutEntry entry) {
    if (entry.isReplicated())
      printer << "_";
    else
      printer << kDimensions.substr(entry.dim, 1) << entry.step();
  });
  printer << "]";
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printList(printer, "reg", getReg());
  printer << ", ";
  printList(printer, "lane", getLane());
  printer << ", ";
  printList(printer, "warp", getWarp());
  if (getRank() != mentionedRank(getReg(), getLane(), getWarp()))
    printer << ", rank = " << getRank();
  printer << ">";
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rank,
                                 ArrayRef<LayoutEntry> reg, ArrayRef<LayoutEntry> lane,
                                 ArrayRef<LayoutEntry> warp) {
  if (lane.size() > kMaxLaneBits)
    return emitError() << "expected at most " << kMaxLaneBits << " lane entries, but got "
                       << lane.size();
  if (warp.size() > kMaxWarpBits)
    return emitError() << "expected at most " << kMaxWarpBits << " warp entries, but got "
                       << warp.size();
  if (reg.size() > llvm::Log2_64(kMaxTileRegisters))
    return emitError() << "expected at most " << llvm::Log2_64(kMaxTileRegisters)
                       << " register entries, but got " << reg.size();
  int64_t mentioned = mentionedRank(reg, lane, warp);
  if (rank < mentioned || rank > kMaxTileRank)
    return emitError() << "expected a rank from " << mentioned << " to " << kMaxTileRank
                       << ", but got " << rank;
  if (llvm::any_of(reg, [](LayoutEntry entry) { return entry.isReplicated(); }))
    return emitError() << "expected _ among lane or warp entries only";
  for (int64_t dim = 0; dim < rank; ++dim) {
    uint64_t seen = 0;
    for (ArrayRef<LayoutEntry> list : {reg, lane, warp}) {
      for (LayoutEntry entry : list) {
        if (entry.dim != dim)
          continue;
        if (seen & entry.step())
          return emitError() << "expected " << kDimensions.substr(dim, 1) << entry.step()
                             << " once";
        seen |= entry.step();
      }
    }
    if (!llvm::isPowerOf2_64(seen + 1))
      return emitError() << "expected " << kDimensions.substr(dim, 1)
                         << (uint64_t(1) << llvm::countr_one(seen)) << " below the other steps of "
                         << kDimensions.substr(dim, 1);
  }
  return success();
}

/// What a tile of this layout would have to be; nothing if it is that.
static std::optional<std::string> whyNotTile(LayoutAttr layout, ArrayRef<int64_t> shape,
                                             Type elementType) {
  if (static_cast<int64_t>(shape.size()) != layout.getRank())
    return llvm::formatv("a tile of rank {0} as its layout, but got rank {1}", layout.getRank(),
                         shape.size())
        .str();
  if (!elementType.isIntOrIndexOrFloat())
    return "a tile of integers or floats, but got elements of type " +
           llvm::formatv("'{0}'", elementType).str();
  int64_t registers = int64_t(1) << layout.getReg().size();
  for (auto [dim, size, extent] : llvm::enumerate(shape, layout.getAtom())) {
    if (ShapedType::isDynamic(size))
      return "a tile of static shape";
    if (size == 0 || size % extent != 0)
      return llvm::formatv("a multiple of {0}, the layout's, in dimension {1}, but got {2}", extent,
                           dim, size)
          .str();
    if (llvm::MulOverflow(registers, size / extent, registers))
      registers = std::numeric_limits<int64_t>::max();
  }
  if (registers > kMaxTileRegisters)
    return llvm::formatv("at most {0} elements a thread, but got {1}", kMaxTileRegisters, registers)
        .str();
  return std::nullopt;
}

bool forge::tile::fitsItsLayout(RankedTensorType tile) {
  auto layout = dyn_cast_or_null<LayoutAttr>(tile.getEncoding());
  return !layout || !whyNotTile(layout, tile.getShape(), tile.getElementType());
}

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (std::optional<std::string> why = whyNotTile(*this, shape, elementType))
    return emitError() << "expected " << *why;
  return success();
}
