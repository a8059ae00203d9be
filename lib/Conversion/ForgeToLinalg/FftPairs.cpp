// Real numbers are transformed in pairs, z[n] = x[2n] + i x[2n + 1], N = length / 2: with the even
// and odd parts of Z, which Z[N - k] has too, X[k] = E + w^k O and X[k + N] = E - w^k O. So they
// are after the last pass, or, where the result is real, while the first one reads.
#include "LineTransform.h"

using namespace mlir;
using namespace forge;

/// Z[k] = E + i O, where E = X[k] + conj X[N - k] and O = (X[k] - conj X[N - k]) w^k. X[0] and X[N]
/// are taken for real numbers: imaginary parts given for them are ignored.
Number LineTransform::joinHalves(IndexBuilder in, Value line, Value k, bool hasFirst) {
  Butterfly butterfly(in.b, in.loc, element, sign);
  Value index = toIndex(in, k), mirrored = in.sub(in.constant(size), index);
  Number a{in.read(op.getParts()[0], coordinates(in, line, index)), {}};
  Number b{in.read(op.getParts()[0], coordinates(in, line, mirrored)), {}};
  if (op.getParts().size() > 1) {
    a.im = in.read(op.getParts()[1], coordinates(in, line, index));
    b.im = in.read(op.getParts()[1], coordinates(in, line, mirrored));
    if (hasFirst) {
      Value zero = arith::ConstantOp::create(in.b, in.loc, in.b.getZeroAttr(element));
      Value isFirst = in.less(index, in.constant(1));
      a.im = in.select(isFirst, zero, a.im);
      b.im = in.select(isFirst, zero, b.im);
    }
  }
  b = butterfly.conjugate(b);
  Number odd = butterfly.multiply(butterfly.sub(a, b), readRoot(in, k));
  return butterfly.add(butterfly.add(a, b), butterfly.turn(odd, 1));
}

/// Number `at`, at least `from` and below `to`, that the first pass transforms.
Number LineTransform::readNumber(IndexBuilder in, Value line, Value at, int64_t from, int64_t to) {
  if (toPairs)
    return joinHalves(in, line, at, from == 0);
  if (!fromPairs)
    return readInput(in, line, at, from, to);
  Value even = toIndex(in, times(in, at, 2)), part = op.getParts().front();
  return {readPart(in, part, line, even, 2 * from, 2 * to),
          readPart(in, part, line, in.add(even, in.constant(1)), 2 * from + 1, 2 * to)};
}

/// Of what the last pass wrote: a step for each k up to N / 2 gives X at k, N - k, N + k and 2 N -
/// k.
SmallVector<Value> LineTransform::takePairsApart(IndexBuilder in, Value tile, ValueRange source,
                                                 ValueRange targets) {
  int64_t steps = size / 2 + 1;
  return in.sharedLoop(
      in.constant(lines * steps), targets,
      [&](IndexBuilder s, ValueRange counters, ValueRange written) {
        Value number = arith::IndexCastUIOp::create(s.b, s.loc, s.b.getI32Type(), counters[0]);
        auto [major, minor] = divide(s, number, isAcross() ? lines : steps);
        Value k = isAcross() ? major : minor, local = isAcross() ? minor : major;
        Value line = s.add(s.mul(tile, lines), toIndex(s, local));
        Butterfly butterfly(s.b, s.loc, element, sign);
        auto read = [&](Value at) -> Number {
          Value from = scratchPlace(s, local, at);
          return {s.read(source[0], from), s.read(source[1], from)};
        };
        // 1. Z[N] is Z[0].
        Value mirrored = s.sub(place(s, size), k);
        Value isFirst = s.less(k, place(s, 1));
        Number a = read(k), b = butterfly.conjugate(read(s.select(isFirst, k, mirrored)));
        // 2. Halves of sum and difference, scaled.
        double factor = op.getScale().convertToDouble() / 2;
        auto scaled = [&](Number z) -> Number {
          return {butterfly.scale(z.re, factor), butterfly.scale(z.im, factor)};
        };
        Number even = scaled(butterfly.add(a, b)), odd = scaled(butterfly.sub(a, b));
        odd = butterfly.multiply(butterfly.turn(odd, -1), readRoot(s, k));
        Number low = butterfly.add(even, odd), high = butterfly.sub(even, odd);
        // 3. What follows N are conjugates.
        SmallVector<Value> next(written);
        auto write = [&](Number z, Value at, int64_t from, int64_t to) {
          next = writeWanted(s, {z.re, z.im}, line, at, from, to, next);
        };
        write(low, k, 0, size / 2 + 1);
        write(butterfly.conjugate(high), mirrored, size - size / 2, size + 1);
        write(high, plus(s, k, size), size + 1, size + size / 2 + 1); // N is written
        write(butterfly.conjugate(low), s.sub(place(s, length), k), length - size / 2, length + 1);
        return next;
      });
}
