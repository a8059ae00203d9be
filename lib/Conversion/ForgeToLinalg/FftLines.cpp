// 1. A tile of lines is a block's. Lines whose numbers are side by side are read along the line;
//    where the lines are side by side instead, a tile has neighbouring ones, and threads go from
//    line to line.
// 2. With N = R1 R2 ... passes of radix R follow each other. S is the product of the radices so
// far:
//    step j of the N / R steps of a line, k = j mod S, reads the numbers j + r N / R, multiplies
//    them with e^(s 2 pi i r k / (S R)), transforms them, and writes (j - k) R + k + r S.
// 3. Real numbers are transformed in pairs (FftPairs.cpp).
// 4. What is known to be zero is not read, and what is not wanted is not written.
#include "FftLines.h"

#include "LineTransform.h"

#include "forge/Support/RootOfUnity.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Steps of a pass that a block has at least, where there are as many lines.
static constexpr int64_t kSteps = 256;
/// Neighbouring lines of a tile: 64 bytes of f32.
static constexpr int64_t kNeighbours = 16;

/// As many lines as give all threads of a block a step, and divide those that there are.
void LineTransform::chooseTile(int64_t blockBytes) {
  int64_t most = llvm::divideCeil(kSteps, size / radices.front());
  if (isAcross())
    most = std::max(most, kNeighbours);
  int64_t bytes = fftLineBytes(op);
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
  int64_t roots = toPairs ? size : fromPairs ? size / 2 + 1 : 0;
  for (int64_t radix : ArrayRef(radices).drop_front())
    roots = std::max(roots, (radix > 8 ? 8 : radix > 4 ? 4 : 1) * (length / radix));
  if (roots == 0)
    return;
  auto type = RankedTensorType::get({roots}, element);
  auto table = [&](bool imaginary) -> Value {
    SmallVector<APFloat> numbers;
    for (int64_t m = 0; m < roots; ++m) {
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
  return toIndex(in, lines == 1 ? at : in.add(times(in, line, padded(size)), at));
}

/// Of number `at` of a line of all.
SmallVector<Value> LineTransform::coordinates(IndexBuilder in, Value line, Value at) const {
  SmallVector<Value> result = in.delinearize(line, outer);
  result.insert(result.begin() + dim, at);
  return result;
}

/// Number `index` of a line, which is at least `from` and below `to`; null where it is behind the
/// operand's, zero where it may be.
Value LineTransform::readPart(IndexBuilder in, Value part, Value line, Value index, int64_t from,
                              int64_t to) {
  int64_t inLine = this->in.getDimSize(dim);
  if (from >= inLine)
    return {};
  if (to <= inLine)
    return in.read(part, coordinates(in, line, index));
  Value last = in.constant(inLine - 1), isMissing = in.less(last, index);
  Value value = in.read(part, coordinates(in, line, in.min(index, last)));
  Value zero = arith::ConstantOp::create(in.b, in.loc, in.b.getZeroAttr(element));
  return in.select(isMissing, zero, value);
}

/// Number `at` of the line that the operands are, or are the first half of.
Number LineTransform::readInput(IndexBuilder in, Value line, Value at, int64_t from, int64_t to) {
  Value index = toIndex(in, at);
  OperandRange parts = op.getParts();
  if (!op.getHermitian()) {
    Value im = parts.size() > 1 ? readPart(in, parts[1], line, index, from, to) : Value();
    return {readPart(in, parts[0], line, index, from, to), im};
  }
  int64_t half = this->in.getDimSize(dim);
  Value mirrored = in.sub(in.constant(length), index), isMirrored;
  if (to > half) {
    isMirrored = in.less(in.constant(half - 1), index);
    index = in.select(isMirrored, mirrored, index);
  }
  Number number{in.read(parts[0], coordinates(in, line, index)), {}};
  if (parts.size() == 1)
    return number;
  number.im = in.read(parts[1], coordinates(in, line, index));
  if (isMirrored)
    number.im = in.select(isMirrored, arith::NegFOp::create(in.b, in.loc, number.im).getResult(),
                          number.im);
  return number;
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

SmallVector<Value> LineTransform::writeWanted(IndexBuilder in, ArrayRef<Value> parts, Value line,
                                              Value at, int64_t from, int64_t to,
                                              ValueRange targets) {
  int64_t kept = out.getDimSize(dim);
  if (from >= kept)
    return SmallVector<Value>(targets);
  Value index = toIndex(in, at);
  auto write = [&](IndexBuilder w) {
    SmallVector<Value> into = coordinates(w, line, index), made;
    for (auto [part, tensor] : llvm::zip(parts, targets))
      made.push_back(w.write(part, tensor, into));
    return made;
  };
  return to <= kept ? write(in) : in.when(in.less(index, in.constant(kept)), targets, write);
}

/// The last pass: number r is at `first` + r N / radix of its line.
SmallVector<Value> LineTransform::writeResults(IndexBuilder in, ArrayRef<Number> numbers,
                                               Value line, Value first, ValueRange targets) {
  int64_t steps = size / radices.back();
  double factor = op.getScale().convertToDouble();
  Butterfly butterfly(in.b, in.loc, element, sign);
  Value zero = arith::ConstantOp::create(in.b, in.loc, in.b.getZeroAttr(element));
  SmallVector<Value> next(targets);
  for (auto [r, number] : llvm::enumerate(numbers)) {
    int64_t offset = static_cast<int64_t>(r) * steps;
    Value at = plus(in, first, offset);
    SmallVector<Value> parts{number.re, number.im};
    for (Value &part : parts)
      part = part ? butterfly.scale(part, factor) : zero;
    if (!toPairs) {
      next = writeWanted(in, parts, line, at, offset, offset + steps, next);
      continue;
    }
    Value even = times(in, at, 2);
    for (int64_t odd = 0; odd < 2; ++odd)
      next = writeWanted(in, parts[odd], line, plus(in, even, odd), 2 * offset + odd,
                         2 * (offset + steps) - 1 + odd, next);
  }
  return next;
}

/// Step `number` of a pass, over all lines of a tile; the lines count fastest where they are side
/// by side.
SmallVector<Value> LineTransform::createStep(IndexBuilder in, size_t pass, Value tile, Value number,
                                             ValueRange source, ValueRange targets) {
  int64_t radix = radices[pass], steps = size / radix;
  int64_t before = llvm::product_of(ArrayRef(radices).take_front(pass));
  bool isLast = pass + 1 == radices.size() && !fromPairs;
  auto [major, minor] = divide(in, number, isAcross() ? lines : steps);
  Value j = isAcross() ? major : minor, local = isAcross() ? minor : major;
  Value line = in.add(in.mul(tile, lines), toIndex(in, local));
  Butterfly butterfly(in.b, in.loc, element, sign);
  // 1. Read, all before the first is written.
  SmallVector<Number> numbers;
  for (int64_t r = 0; r < radix; ++r) {
    Value at = plus(in, j, r * steps);
    if (pass == 0) {
      numbers.push_back(readNumber(in, line, at, r * steps, (r + 1) * steps));
      continue;
    }
    Value from = scratchPlace(in, local, at);
    numbers.push_back({in.read(source[0], from), in.read(source[1], from)});
  }
  // 2. Transform.
  Value k = pass + 1 == radices.size() ? j : divide(in, j, before).second;
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
  int64_t steps = lines * (size / radices[pass]);
  // A loop of one step would be taken for code of all threads.
  return in.sharedLoop(
      in.constant(std::max<int64_t>(steps, 2)), targets,
      [&](IndexBuilder s, ValueRange counters, ValueRange written) {
        auto step = [&](IndexBuilder at) {
          Value number = arith::IndexCastUIOp::create(at.b, at.loc, at.b.getI32Type(), counters[0]);
          return createStep(at, pass, tile, number, source, written);
        };
        return steps > 1 ? step(s) : s.when(s.less(counters[0], s.constant(steps)), written, step);
      });
}

SmallVector<Value> LineTransform::createTile(IndexBuilder in, Value tile, ValueRange targets) {
  auto createScratch = [&]() -> SmallVector<Value> {
    int64_t numbers = lines * padded(size);
    return {tensor::EmptyOp::create(in.b, in.loc, {numbers}, element).getResult(),
            tensor::EmptyOp::create(in.b, in.loc, {numbers}, element).getResult()};
  };
  SmallVector<Value> source, spare;
  size_t inMemory = radices.size() - (fromPairs ? 0 : 1);
  for (size_t pass = 0; pass < inMemory; ++pass) {
    SmallVector<Value> target = spare.empty() ? createScratch() : spare;
    spare = std::exchange(source, createPass(in, pass, tile, source, target));
  }
  return fromPairs ? takePairsApart(in, tile, source, targets)
                   : createPass(in, inMemory, tile, source, targets);
}

SmallVector<Value> LineTransform::create() {
  createTable();
  SmallVector<Value> targets;
  for (size_t i = 0; i < op.getNumResults(); ++i)
    targets.push_back(tensor::EmptyOp::create(ib.b, ib.loc, out.getShape(), element).getResult());
  int64_t tiles = count / lines;
  // A loop of one step would be taken for code of the host.
  Value extent = ib.constant(std::max<int64_t>(tiles, 2));
  return ib.independentLoops(
      extent, targets, [&](IndexBuilder t, ValueRange at, ValueRange values) {
        auto tile = [&](IndexBuilder in) { return createTile(in, at[0], values); };
        return tiles > 1 ? tile(t) : t.when(t.less(at[0], t.constant(tiles)), values, tile);
      });
}

int64_t forge::fftLineBytes(FftLinesOp op) {
  auto type = cast<RankedTensorType>(op.getParts().front().getType());
  bool isReal = op.getHermitian() ? op.getNumResults() == 1 : op.getParts().size() == 1;
  return fftLineBytes(static_cast<int64_t>(op.getLength()), type.getElementTypeBitWidth() / 8,
                      isReal);
}

SmallVector<Value> forge::createFftLines(OpBuilder &builder, FftLinesOp op, int64_t blockBytes) {
  return LineTransform(builder, op, blockBytes).create();
}
