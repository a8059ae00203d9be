// 1. A tile of lines is a block's. Lines whose numbers are side by side are read along the line;
//    where the lines are side by side instead, a tile has neighbouring ones, and threads go from
//    line to line.
// 2. With N = R1 R2 ... passes of radix R follow each other. S is the product of the radices
// before:
//    step j of the N / R steps of a line, k = j mod S, reads the numbers j + r N / R, multiplies
//    them with e^(s 2 pi i r k / (S R)), transforms them, and writes (j - k) R + k + r S.
// 3. What is known to be zero is not read, and what is not wanted is not written.
#include "FftLines.h"

#include "Butterfly.h"

#include "forge/Conversion/Utils/IndexBuilder.h"
#include "forge/Dialect/Forge/IR/FftPasses.h"
#include "forge/Support/RootOfUnity.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Steps of a pass that a block has at least, where there are as many lines.
static constexpr int64_t kSteps = 256;
/// Neighbouring lines of a tile: 64 bytes of f32.
static constexpr int64_t kNeighbours = 16;

namespace {
class LineTransform {
public:
  LineTransform(OpBuilder &builder, FftLinesOp op, int64_t blockBytes)
      : ib{builder, op.getLoc()}, op(op), dim(static_cast<int64_t>(op.getDim())),
        length(static_cast<int64_t>(op.getLength())), sign(op.getBackward() ? 1 : -1),
        in(cast<RankedTensorType>(op.getParts().front().getType())),
        out(cast<RankedTensorType>(op.getTransformed().front().getType())),
        element(cast<FloatType>(in.getElementType())), radices(fftPasses(length)) {
    for (auto [number, size] : llvm::enumerate(in.getShape())) {
      if (static_cast<int64_t>(number) != dim)
        outer.push_back(size);
      if (static_cast<int64_t>(number) > dim)
        neighbours *= size;
    }
    count = llvm::product_of(outer);
    chooseTile(blockBytes);
  }

  SmallVector<Value> create();

private:
  bool isAcross() const { return neighbours > 1; }
  int64_t padded(int64_t places) const {
    return isAcross() ? places : places + places / kFftPadding;
  }

  void chooseTile(int64_t blockBytes);
  void createTable();
  SmallVector<Value> createTile(IndexBuilder in, Value tile, ValueRange targets);
  SmallVector<Value> createPass(IndexBuilder in, size_t pass, Value tile, ValueRange source,
                                ValueRange targets);
  SmallVector<Value> createStep(IndexBuilder in, size_t pass, Value tile, Value number,
                                ValueRange source, ValueRange targets);
  SmallVector<Value> writeResults(IndexBuilder in, ArrayRef<Number> numbers, Value line,
                                  Value first, ValueRange targets);

  //===--- places: integers of 32 bits within a tile ---===//

  Value place(IndexBuilder in, int64_t value) const {
    return arith::ConstantIntOp::create(in.b, in.loc, in.b.getI32Type(), value);
  }
  Value plus(IndexBuilder in, Value at, int64_t more) const {
    return more == 0 ? at : in.add(at, place(in, more));
  }
  Value times(IndexBuilder in, Value at, int64_t factor) const {
    return factor == 1 ? at : in.mul(at, place(in, factor));
  }
  std::pair<Value, Value> divide(IndexBuilder in, Value at, int64_t by) const;
  static Value toIndex(IndexBuilder in, Value at) {
    return in.b.createOrFold<arith::IndexCastUIOp>(in.loc, in.b.getIndexType(), at);
  }
  /// Where the scratch memory has number `at` of a line of the tile.
  Value scratchPlace(IndexBuilder in, Value line, Value at) const;

  //===--- numbers ---===//

  SmallVector<Value> coordinates(IndexBuilder in, Value line, Value at) const;
  Number readInput(IndexBuilder in, Value line, Value at, int64_t from, int64_t to);
  Number readRoot(IndexBuilder in, Value at) const;
  void turn(IndexBuilder in, Butterfly &butterfly, SmallVectorImpl<Number> &numbers, Value k,
            int64_t step) const;

  IndexBuilder ib;
  FftLinesOp op;
  int64_t dim, length;
  int sign;
  RankedTensorType in, out;
  FloatType element;
  SmallVector<int64_t> radices;
  /// Sizes of the other dimensions; their lines, those side by side, and those of a tile.
  SmallVector<int64_t> outer;
  int64_t count = 1, neighbours = 1, lines = 1;
  /// Roots of unity, cosines and sines: e^(sign 2 pi i m / length) for the first m.
  Value cosines, sines;
};
} // namespace

/// What `body` makes of the tensors where an index is below `end`, else the tensors. Without it a
/// loop of one step would be taken for code of the host, or of all threads.
static SmallVector<Value> ifBelow(IndexBuilder in, Value index, int64_t end, ValueRange tensors,
                                  llvm::function_ref<SmallVector<Value>(IndexBuilder)> body) {
  auto branch = scf::IfOp::create(
      in.b, in.loc, in.less(index, in.constant(end)),
      [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, body(IndexBuilder{b, l})); },
      [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, tensors); });
  return SmallVector<Value>(branch.getResults());
}

/// As many lines as give all threads of a block a step, and divide those that there are.
void LineTransform::chooseTile(int64_t blockBytes) {
  int64_t most = llvm::divideCeil(kSteps, length / radices.front());
  if (isAcross())
    most = std::max(most, kNeighbours);
  int64_t bytes = fftLineBytes(length, element.getWidth() / 8);
  // Two blocks of a multiprocessor are better than one, whose threads all wait for each other.
  if (bytes > 0)
    most = std::min(most, blockBytes / 2 / bytes);
  int64_t among = isAcross() ? neighbours : count;
  for (lines = std::clamp<int64_t>(most, 1, among); among % lines != 0;)
    --lines;
}

/// Pass by pass, the largest root that is read is the eighth, or fourth, power of that of the last
/// step.
void LineTransform::createTable() {
  if (radices.size() == 1)
    return;
  int64_t size = 1;
  for (int64_t radix : ArrayRef(radices).drop_front())
    size = std::max(size, (radix > 8 ? 8 : radix > 4 ? 4 : 1) * (length / radix));
  auto type = RankedTensorType::get({size}, element);
  auto table = [&](bool imaginary) -> Value {
    SmallVector<APFloat> numbers;
    for (int64_t m = 0; m < size; ++m) {
      std::complex<double> root = rootOfUnity(m, length, sign);
      APFloat number(imaginary ? root.imag() : root.real());
      bool losesInfo = false;
      number.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
      numbers.push_back(number);
    }
    return arith::ConstantOp::create(ib.b, ib.loc, DenseElementsAttr::get(type, numbers));
  };
  cosines = table(false);
  sines = table(true);
}

std::pair<Value, Value> LineTransform::divide(IndexBuilder in, Value at, int64_t by) const {
  if (by == 1)
    return {at, place(in, 0)};
  Value divisor = place(in, by);
  return {in.b.createOrFold<arith::DivUIOp>(in.loc, at, divisor),
          in.b.createOrFold<arith::RemUIOp>(in.loc, at, divisor)};
}

Value LineTransform::scratchPlace(IndexBuilder in, Value line, Value at) const {
  if (isAcross())
    return toIndex(in, in.add(times(in, at, lines), line));
  Value skipped = divide(in, at, kFftPadding).first;
  at = in.add(at, skipped);
  return toIndex(in, lines == 1 ? at : in.add(times(in, line, padded(length)), at));
}

/// Of number `at` of a line of all.
SmallVector<Value> LineTransform::coordinates(IndexBuilder in, Value line, Value at) const {
  SmallVector<Value> result = in.delinearize(line, outer);
  result.insert(result.begin() + dim, at);
  return result;
}

/// Number `at` of a line, which is at least `from` and below `to`.
Number LineTransform::readInput(IndexBuilder in, Value line, Value at, int64_t from, int64_t to) {
  int64_t size = this->in.getDimSize(dim);
  Value index = toIndex(in, at), isMissing, isConjugate;
  if (op.getHermitian()) {
    Value mirrored = in.sub(in.constant(length), index);
    if (from >= size) {
      index = mirrored;
      isConjugate = arith::ConstantOp::create(in.b, in.loc, in.b.getBoolAttr(true));
    } else if (to > size) {
      isConjugate = in.less(in.constant(size - 1), index);
      index = in.select(isConjugate, mirrored, index);
    }
  } else if (from >= size) {
    return {};
  } else if (to > size) {
    isMissing = in.less(in.constant(size - 1), index);
    index = in.min(index, in.constant(size - 1));
  }
  SmallVector<Value> parts;
  Value zero = arith::ConstantOp::create(in.b, in.loc, in.b.getZeroAttr(element));
  for (Value part : op.getParts()) {
    Value value = in.read(part, coordinates(in, line, index));
    parts.push_back(isMissing ? in.select(isMissing, zero, value) : value);
  }
  if (parts.size() == 1)
    return {parts[0], {}};
  if (isConjugate)
    parts[1] =
        in.select(isConjugate, arith::NegFOp::create(in.b, in.loc, parts[1]).getResult(), parts[1]);
  return {parts[0], parts[1]};
}

Number LineTransform::readRoot(IndexBuilder in, Value at) const {
  Value index = toIndex(in, at);
  return {in.read(cosines, index), in.read(sines, index)};
}

/// Number r times root^r, where root is number k step of the table: powers 1, 4 and 8 are read, so
/// that others are products of at most three.
void LineTransform::turn(IndexBuilder in, Butterfly &butterfly, SmallVectorImpl<Number> &numbers,
                         Value k, int64_t step) const {
  SmallVector<Number> powers(numbers.size());
  for (size_t r = 1; r < numbers.size(); ++r) {
    size_t base = r >= 8 ? 8 : r >= 4 ? 4 : 1;
    if (r == base)
      powers[r] = readRoot(in, times(in, k, step * static_cast<int64_t>(r)));
    else
      powers[r] = butterfly.multiply(powers[base], powers[r - base]);
    numbers[r] = butterfly.multiply(numbers[r], powers[r]);
  }
}

/// The last pass: number r is at `first` + r length / radix of its line.
SmallVector<Value> LineTransform::writeResults(IndexBuilder in, ArrayRef<Number> numbers,
                                               Value line, Value first, ValueRange targets) {
  int64_t steps = length / radices.back(), kept = out.getDimSize(dim);
  double factor = op.getScale().convertToDouble();
  Butterfly butterfly(in.b, in.loc, element, sign);
  Value zero = arith::ConstantOp::create(in.b, in.loc, in.b.getZeroAttr(element));
  SmallVector<Value> next(targets);
  for (auto [r, number] : llvm::enumerate(numbers)) {
    int64_t offset = static_cast<int64_t>(r) * steps;
    if (offset >= kept)
      break;
    Value at = toIndex(in, plus(in, first, offset));
    SmallVector<Value> parts{number.re, number.im};
    parts.resize(next.size());
    for (Value &part : parts)
      part = part ? butterfly.scale(part, factor) : zero;
    auto write = [&](IndexBuilder w) {
      SmallVector<Value> into = coordinates(w, line, at), made;
      for (auto [part, tensor] : llvm::zip(parts, next))
        made.push_back(w.write(part, tensor, into));
      return made;
    };
    next = offset + steps <= kept ? write(in) : ifBelow(in, at, kept, next, write);
  }
  return next;
}

/// Step `number` of a pass, over all lines of a tile; the lines count fastest where they are side
/// by side.
SmallVector<Value> LineTransform::createStep(IndexBuilder in, size_t pass, Value tile, Value number,
                                             ValueRange source, ValueRange targets) {
  int64_t radix = radices[pass], steps = length / radix;
  int64_t before = llvm::product_of(ArrayRef(radices).take_front(pass));
  bool isLast = pass + 1 == radices.size();
  auto [major, minor] = divide(in, number, isAcross() ? lines : steps);
  Value j = isAcross() ? major : minor, local = isAcross() ? minor : major;
  Value line = in.add(in.mul(tile, lines), toIndex(in, local));
  Butterfly butterfly(in.b, in.loc, element, sign);
  // 1. Read, all before the first is written.
  SmallVector<Number> numbers;
  for (int64_t r = 0; r < radix; ++r) {
    Value at = plus(in, j, r * steps);
    if (pass == 0) {
      numbers.push_back(readInput(in, line, at, r * steps, (r + 1) * steps));
      continue;
    }
    Value from = scratchPlace(in, local, at);
    numbers.push_back({in.read(source[0], from), in.read(source[1], from)});
  }
  // 2. Transform.
  Value k = isLast ? j : divide(in, j, before).second;
  if (pass > 0)
    turn(in, butterfly, numbers, k, length / (before * radix));
  numbers = butterfly.transform(numbers);
  // 3. Write.
  if (isLast)
    return writeResults(in, numbers, line, j, targets);
  Value first = before == 1 ? times(in, j, radix) : in.add(times(in, in.sub(j, k), radix), k);
  Value zero = arith::ConstantOp::create(in.b, in.loc, in.b.getZeroAttr(element));
  SmallVector<Value> next(targets);
  for (auto [r, transformed] : llvm::enumerate(numbers)) {
    Value to = scratchPlace(in, local, plus(in, first, static_cast<int64_t>(r) * before));
    next[0] = in.write(transformed.re ? transformed.re : zero, next[0], to);
    next[1] = in.write(transformed.im ? transformed.im : zero, next[1], to);
  }
  return next;
}

/// From the operands (no source) or what the pass before wrote, to `targets`: the memory of the
/// block, or the results in the last pass.
SmallVector<Value> LineTransform::createPass(IndexBuilder in, size_t pass, Value tile,
                                             ValueRange source, ValueRange targets) {
  int64_t steps = lines * (length / radices[pass]);
  SmallVector<Value> results =
      in.loops(in.constant(std::max<int64_t>(steps, 2)), targets,
               [&](IndexBuilder s, ValueRange counters, ValueRange written) {
                 auto step = [&](IndexBuilder at) {
                   Value number =
                       arith::IndexCastUIOp::create(at.b, at.loc, at.b.getI32Type(), counters[0]);
                   return createStep(at, pass, tile, number, source, written);
                 };
                 return steps > 1 ? step(s) : ifBelow(s, counters[0], steps, written, step);
               });
  results.front().getDefiningOp()->setAttr("forge.shared", in.b.getUnitAttr());
  return results;
}

SmallVector<Value> LineTransform::createTile(IndexBuilder in, Value tile, ValueRange targets) {
  auto createScratch = [&]() -> SmallVector<Value> {
    int64_t size = isAcross() ? lines * length : lines * padded(length);
    return {tensor::EmptyOp::create(in.b, in.loc, {size}, element).getResult(),
            tensor::EmptyOp::create(in.b, in.loc, {size}, element).getResult()};
  };
  SmallVector<Value> source, spare;
  for (size_t pass = 0; pass + 1 < radices.size(); ++pass) {
    SmallVector<Value> target = spare.empty() ? createScratch() : spare;
    spare = std::exchange(source, createPass(in, pass, tile, source, target));
  }
  return createPass(in, radices.size() - 1, tile, source, targets);
}

SmallVector<Value> LineTransform::create() {
  createTable();
  SmallVector<Value> targets;
  for (size_t i = 0; i < op.getNumResults(); ++i)
    targets.push_back(tensor::EmptyOp::create(ib.b, ib.loc, out.getShape(), element).getResult());
  int64_t tiles = count / lines;
  Value extent = ib.constant(std::max<int64_t>(tiles, 2));
  return ib.independentLoops(
      extent, targets, [&](IndexBuilder t, ValueRange at, ValueRange values) {
        auto tile = [&](IndexBuilder in) { return createTile(in, at[0], values); };
        return tiles > 1 ? tile(t) : ifBelow(t, at[0], tiles, values, tile);
      });
}

SmallVector<Value> forge::createFftLines(OpBuilder &builder, FftLinesOp op, int64_t blockBytes) {
  return LineTransform(builder, op, blockBytes).create();
}
