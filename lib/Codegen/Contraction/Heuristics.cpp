// Which strategy and which tiles, from sizes, strides and the target's registers and caches.
#include "Emission.h"

#include "forge/Support/TensorBytes.h"

using namespace mlir;

namespace forge::contraction {

static bool isKnown(int64_t n) { return !ShapedType::isDynamic(n); }
/// `n` if known, otherwise a size that counts as large.
static int64_t orLarge(int64_t n) { return isKnown(n) ? n : 4096; }

static int64_t batchCount(const StaticProblem &p) {
  int64_t count = 1;
  for (const StaticLoop &loop : p.batch)
    count = saturatingMul(count, isKnown(loop.size) ? loop.size : 8);
  return count;
}

/// The split of `size` into equal parts of at most `limit`, each a multiple of `unit`.
static int64_t evenPart(int64_t size, int64_t limit, int64_t unit) {
  int64_t parts = llvm::divideCeil(size, std::max(limit, unit));
  return llvm::alignTo(llvm::divideCeil(size, parts), unit);
}

/// Rows of the register tile that leave room for `vectors` of B and one of A.
static int64_t mostRows(int64_t vectors, const TargetInfo &target) {
  return std::min<int64_t>((target.vectorRegisters - 1 - vectors) / vectors, 24);
}

/// Whether B can be read where it is: the microkernel wants rows along n, and pairs of bf16 rows.
static bool canReadB(const StaticProblem &p, const TargetInfo &target) {
  if (p.n.strideB != 1)
    return false;
  if (p.input == p.accumulator)
    return true;
  return p.input.isBF16() && target.bf16Dot && isKnown(p.k.size) && p.k.size % 2 == 0;
}

/// Whether A can: with a known number of rows, and strides that become constants of the
/// microkernel.
static bool canReadA(const StaticProblem &p) {
  return p.input == p.accumulator && isKnown(p.m.strideA) && isKnown(p.k.strideA) &&
         isKnown(p.m.size);
}

/// A is read in place if its panels would be used too few times to pay, or if tasks stage B, which
/// leaves A's rows the second cache; and if the rows of a tile do not fight for the same lines of
/// the first cache.
static bool shouldReadA(const StaticProblem &p, int64_t rows, bool stageB = false) {
  if (!canReadA(p) || (orLarge(p.n.size) > 512 && !(stageB && p.k.strideA == 1)))
    return false;
  int64_t bytes = p.accumulator.getIntOrFloatBitWidth() / 8;
  bool collides = p.m.strideA % (4096 / bytes) == 0 && rows > 8;
  return (p.k.strideA == 1 && !collides) || (p.m.strideA == 1 && orLarge(p.k.size) <= 512);
}

/// Whether A and B should change places though C is then written in turned tiles: B, contiguous
/// along k, is read where it is instead of copied to panels, for a copy of A. Both copies and the
/// tiles take about the same for each element.
static bool shouldTurn(const StaticProblem &p, const TargetInfo &target) {
  if (p.m.strideC == 1 || p.n.strideC != 1 || canReadB(p, target))
    return false;
  StaticProblem turned = p;
  turned.swapOperands();
  double m = p.m.size, n = orLarge(p.n.size), k = orLarge(p.k.size);
  return p.k.strideB == 1 && shouldReadA(turned, 8) && n * k > m * (n + k);
}

/// Few rows times a B that no cache near the core holds: B is read where it is, once.
static bool isFewRows(const StaticProblem &p, const TargetInfo &target) {
  // In double: where one of the sizes is not known, the other may be any number.
  double bytes = 1.0 * orLarge(p.n.size) * orLarge(p.k.size) * p.input.getIntOrFloatBitWidth() / 8;
  return target.vectorRegisters >= 32 && isKnown(p.m.size) && p.m.size <= mostRows(1, target) &&
         canReadB(p, target) && 2 * bytes > target.l2Bytes;
}

/// The vectors per tile that leave the fewest columns unused: of those that do not differ much, the
/// first of `order`.
static int64_t chooseVectors(int64_t n, const TargetInfo &target, int64_t lanes,
                             ArrayRef<int64_t> order) {
  int64_t best = order.front(), bestColumns = std::numeric_limits<int64_t>::max();
  for (int64_t vectors : order) {
    if (mostRows(vectors, target) < 2 || (vectors > 2 && target.vectorRegisters < 32))
      continue;
    int64_t columns = llvm::alignTo(n, vectors * lanes);
    if (columns < bestColumns - (vectors == 1 || vectors == 2 ? 0 : n / 16)) {
      best = vectors;
      bestColumns = columns;
    }
  }
  return best;
}

/// 1. Few rows, large B: eight rows by three vectors, or four by six, so that whole lines of B are
///    read.
/// 2. bf16 pairs: four vectors by six rows, measured on Zen 5.
/// 3. Otherwise two vectors where columns do not decide: two loads of B then serve the most rows;
///    but one if a tile then holds all rows.
/// 4. Rows: as many as registers hold, evened out over the panels; eight, if A can then be read in
///    place and otherwise not.
/// 5. Eight rows by three vectors for large matrices whose A is packed: panels of eight are the
///    fastest to make, measured on Zen 5.
static void chooseTile(ContractionSchedule &s, const StaticProblem &p, const TargetInfo &target,
                       int64_t lanes) {
  int64_t n = orLarge(p.n.size), m = orLarge(p.m.size);
  if (isFewRows(p, target)) {
    int64_t rows = evenPart(m, 8, 1);
    s.tile = {rows, (rows <= 4 ? 6 : 3) * lanes};
    return;
  }
  bool pairs = usesBF16Dot(p.input, target);
  int64_t best = pairs ? chooseVectors(n, target, lanes, {4, 3, 2, 1})
                       : chooseVectors(n, target, lanes, {2, 3, 4, 1});
  if (m > mostRows(best, target) && m <= mostRows(1, target))
    best = 1;
  int64_t most = mostRows(best, target);
  s.tile = {evenPart(m, most, 1), best * lanes};
  if (shouldReadA(p, s.tile[0]))
    return;
  if (shouldReadA(p, 8))
    s.tile[0] = evenPart(m, 8, 1);
  else if (p.input == p.accumulator && target.vectorRegisters >= 32 && n >= 256 &&
           m > mostRows(1, target))
    s.tile = {evenPart(m, 8, 1), 3 * lanes};
}

/// Rows of B in place that one block of k walks through at most: each is in pages of its own,
/// and the first address cache holds as many as that.
static int64_t mostDepth(const StaticProblem &p, const TargetInfo &target) {
  if (!isFewRows(p, target))
    return std::numeric_limits<int64_t>::max();
  return p.input == p.accumulator ? 96 : 64;
}

/// Rows of a block whose tiles share a copied panel of B, at most.
constexpr int64_t mostStagedRows = 512;

/// Whether tasks copy panels of B, as they come to them, to memory of their own: enough tiles use
/// each, and B is contiguous along n or is copied once only.
static bool shouldStageB(const StaticProblem &p, int64_t rows, const TargetInfo &target) {
  constexpr int64_t leastTiles = 8;
  int64_t m = orLarge(p.m.size);
  return !isFewRows(p, target) && m >= leastTiles * rows &&
         (canReadB(p, target) || m <= mostStagedRows);
}

/// 1. k: a panel of B of tile columns fills the first cache. A staged panel is contiguous and may
///    fill a sixth of the second, so that C is read and written for fewer blocks of k.
/// 2. m: a block of A fills an eighth of the second cache. With staged panels it may have
///    mostStagedRows: its rows come from the last cache as fast as they are used.
/// 3. n: B's block half of it; of copied panels four, enough to share out.
/// 4. Smaller blocks while there are fewer than eight tasks.
static void chooseBlocks(ContractionSchedule &s, const StaticProblem &p, const TargetInfo &target) {
  Type unit = usesBF16Dot(p.input, target) ? p.input : p.accumulator;
  int64_t bytes = unit.getIntOrFloatBitWidth() / 8;
  int64_t m = orLarge(p.m.size), n = orLarge(p.n.size), k = orLarge(p.k.size);
  int64_t panelBytes = s.stageB ? target.l2Bytes / 6 : target.l1Bytes;
  int64_t depth = std::max<int64_t>(panelBytes / (s.tile[1] * bytes), 32);
  depth = std::min(depth, mostDepth(p, target));
  int64_t blockK = evenPart(k, depth, 2);
  int64_t rows = s.stageB ? mostStagedRows : target.l2Bytes / 8 / (blockK * bytes);
  int64_t columns = s.stageB ? 4 * s.tile[1] : target.l2Bytes / 2 / (blockK * bytes);
  int64_t blockM = evenPart(m, std::max(rows, s.tile[0]), s.tile[0]);
  int64_t blockN = evenPart(n, std::max(columns, s.tile[1]), s.tile[1]);
  auto tasks = [&] {
    return batchCount(p) * llvm::divideCeil(m, blockM) * llvm::divideCeil(n, blockN);
  };
  while (tasks() < 8 && (blockM > 2 * s.tile[0] || blockN > 2 * s.tile[1])) {
    if (blockN > 2 * s.tile[1] && blockN >= blockM)
      blockN = evenPart(blockN, blockN / 2, s.tile[1]);
    else if (blockM > 2 * s.tile[0])
      blockM = evenPart(blockM, blockM / 2, s.tile[0]);
    else
      blockN = evenPart(blockN, blockN / 2, s.tile[1]);
  }
  s.block = {blockM, blockN, blockK};
}

static ContractionSchedule choosePacked(const StaticProblem &p, const TargetInfo &target,
                                        int64_t lanes, ScheduleAttr given) {
  ContractionSchedule s;
  s.strategy = "packed";
  chooseTile(s, p, target, lanes);
  s.tile = {given.findSize("m").value_or(s.tile[0]), given.findSize("n").value_or(s.tile[1])};
  if (given.has("pack"))
    s.pack = given.findWord("pack").str();
  s.stageB =
      given.findFlag("stage_b").value_or(!s.packs('b') && shouldStageB(p, s.tile[0], target));
  chooseBlocks(s, p, target);
  for (auto [size, field] : llvm::zip_equal(s.block, ArrayRef{"block_m", "block_n", "block_k"}))
    size = given.findSize(field).value_or(size);
  if (given.has("pack"))
    return s;
  // Panels of B pay where it cannot be read in place (its rows are prefetched as well as a
  // panel's), and where its rows would be paired again and again.
  bool repairs = usesBF16Dot(p.input, target) && orLarge(p.m.size) > mostRows(1, target);
  bool packB = !s.stageB && (repairs || !canReadB(p, target));
  bool packA = !shouldReadA(p, s.tile[0], s.stageB);
  s.pack = packA && packB ? "ab" : packA ? "a" : packB ? "b" : "none";
  return s;
}

/// Beyond these, register tiles are faster; with the bf16 dot instruction, which a stream does not
/// use, sooner.
constexpr int64_t mostStreamedRows = 4, mostStreamedPairs = 2, mostDotRows = 32;

static ContractionSchedule chooseStream(const StaticProblem &p, int64_t lanes, ScheduleAttr given) {
  int64_t n = orLarge(p.n.size), m = orLarge(p.m.size);
  ContractionSchedule s;
  s.strategy = "stream";
  s.tile = {given.findSize("m").value_or(m), given.findSize("n").value_or(2 * lanes),
            given.findSize("k").value_or(8)};
  int64_t columns = evenPart(n, std::max<int64_t>(n / 2, 64), s.tile[1]);
  if (batchCount(p) == 1)
    columns = std::min<int64_t>(columns, std::max<int64_t>(512, 16384 / m));
  s.block = {m, given.findSize("block_n").value_or(columns), orLarge(p.k.size)};
  return s;
}

static ContractionSchedule chooseDot(const StaticProblem &p, const TargetInfo &target,
                                     ScheduleAttr given) {
  int64_t n = orLarge(p.n.size), m = orLarge(p.m.size);
  ContractionSchedule s;
  s.strategy = "dot";
  bool wide = target.vectorRegisters >= 32;
  int64_t rows = given.findSize("m").value_or(evenPart(m, wide ? 4 : 2, 1));
  s.tile = {rows, given.findSize("n").value_or(rows == 1 ? 8 : 4)};
  int64_t columns = evenPart(n, std::max<int64_t>(n / 8, 16), s.tile[1]);
  s.block = {m, given.findSize("block_n").value_or(columns), orLarge(p.k.size)};
  return s;
}

/// Two strategies for few rows; which one, B's layout says. Nothing if neither fits.
static std::optional<ContractionSchedule>
chooseSkinny(const StaticProblem &p, const TargetInfo &target, int64_t lanes, ScheduleAttr given) {
  // One that is asked for is taken for any number of rows that it allows.
  if (given.strategy() == "stream")
    return chooseStream(p, lanes, given);
  if (given.strategy() == "dot")
    return chooseDot(p, target, given);
  if (!isKnown(p.m.size) || given.strategy() == "packed")
    return std::nullopt;
  bool pairs = canReadB(p, target) && usesBF16Dot(p.input, target);
  if (p.m.size <= (pairs ? mostStreamedPairs : mostStreamedRows) && p.n.strideB == 1 &&
      p.n.strideC == 1 && orLarge(p.n.size) >= lanes)
    return chooseStream(p, lanes, given);
  if (p.m.size <= mostDotRows && p.k.strideB == 1 && p.k.strideA == 1 && orLarge(p.k.size) >= lanes)
    return chooseDot(p, target, given);
  return std::nullopt;
}

/// Multiply-adds from which a product is shared out: some microseconds on one core, while waking
/// another and waiting for it takes one or two.
constexpr int64_t leastSharedWork = int64_t(1) << 20;

/// In the orientation that `given` asks for, else in the one that takes the fewest rows, else in
/// the other.
static std::optional<ContractionSchedule> chooseFewRows(const StaticProblem &original,
                                                        const TargetInfo &target, int64_t lanes,
                                                        ScheduleAttr given) {
  // Few columns are few rows of the transposed product. One row or column may lie either way.
  bool normalFirst =
      !isKnown(original.n.size) || !isKnown(original.m.size) || original.m.size <= original.n.size;
  std::optional<bool> fixed = given.findFlag("swap");
  std::optional<ContractionSchedule> refused;
  for (bool swap : {!normalFirst, normalFirst}) {
    if (fixed && *fixed != swap)
      continue;
    StaticProblem p = original;
    if (swap)
      p.swapOperands();
    std::optional<ContractionSchedule> s = chooseSkinny(p, target, lanes, given);
    if (!s)
      continue;
    s->swap = swap;
    if (given.strategy().empty() || checkSchedule(*s, original, target).empty())
      return s;
    refused = refused ? refused : s;
  }
  return refused;
}

/// Vectors of sums that `dot` keeps for a made factor: computing its elements takes registers, too.
static int64_t madeSums(const TargetInfo &target) { return target.vectorRegisters >= 32 ? 16 : 8; }

static int64_t vectorsOf(int64_t step, int64_t lanes) { return llvm::divideCeil(step, lanes); }

MadeStep madeStep(const MadeProduct &product, const ContractionSchedule &schedule,
                  const TargetInfo &target) {
  int64_t lanes = target.lanes(32), tile = schedule.tile[0] * schedule.tile[1];
  MadeStep step = {*mostLanes(product, kLeastMadeLanes), 1};
  while (step.lanes > kLeastMadeLanes && tile * vectorsOf(step.lanes, lanes) > madeSums(target))
    step.lanes /= 2;
  while (product.size(product.k) % (2 * step.count * step.lanes) == 0 &&
         2 * step.count * tile * vectorsOf(step.lanes, lanes) <= madeSums(target))
    step.count *= 2;
  return step;
}

bool keepsAllRows(const MadeProduct &product, const TargetInfo &target) {
  return product.size(product.m) <= madeSums(target);
}

bool isComputable(const MadeProduct &product, const TargetInfo &target) {
  return mostLanes(product, kLeastMadeLanes) &&
         (keepsAllRows(product, target) || MadeLanes(product, target.lanes(32)).isPossible());
}

/// 1. Few rows: `dot`, all of them at once, so that each element of the factor is computed once; of
///    the factor a row at a time, so that memory is read in order.
/// 2. Others: panels of the factor are made where the tiles of a block read them.
ContractionSchedule chooseSchedule(const MadeProduct &product, const TargetInfo &target) {
  constexpr int64_t aligned = 32;
  StaticProblem p = analyzeStatically(product);
  int64_t lanes = target.lanes(32);
  ContractionSchedule s;
  if (keepsAllRows(product, target)) {
    s.strategy = "dot";
    s.tile = {p.m.size, 1};
    s.block = {p.m.size, evenPart(p.n.size, std::max<int64_t>(p.n.size / 8, 16), s.tile[1]),
               p.k.size};
  } else {
    s.strategy = "packed";
    s.stageB = true;
    chooseTile(s, p, target, lanes);
    s.pack = shouldReadA(p, s.tile[0], true) ? "none" : "a";
    chooseBlocks(s, p, target);
    s.block[2] = llvm::alignTo(s.block[2], aligned);
  }
  s.parallel = saturatingMul(saturatingMul(p.m.size, p.n.size), p.k.size) >= leastSharedWork;
  return s;
}

ContractionSchedule chooseSchedule(const StaticProblem &original, const TargetInfo &target,
                                   ScheduleAttr given) {
  int64_t lanes = target.lanes(original.accumulator.getIntOrFloatBitWidth());
  std::optional<ContractionSchedule> s = chooseFewRows(original, target, lanes, given);
  if (!s) {
    // Rows of C are written as vectors.
    bool swap = given.findFlag("swap").value_or(
        (original.n.strideC != 1 && original.m.strideC == 1) || shouldTurn(original, target));
    StaticProblem p = original;
    if (swap)
      p.swapOperands();
    s = choosePacked(p, target, lanes, given);
    s->swap = swap;
  }
  int64_t work = batchCount(original);
  for (int64_t size : {original.m.size, original.n.size, original.k.size})
    work = saturatingMul(work, orLarge(size));
  s->parallel = given.findFlag("parallel").value_or(work >= leastSharedWork);
  return *s;
}

std::string checkSchedule(const ContractionSchedule &s, const StaticProblem &original,
                          const TargetInfo &target) {
  StaticProblem p = original;
  if (s.swap)
    p.swapOperands();
  if (s.strategy != "packed" && (!isKnown(p.m.size) || p.m.size > 64))
    return "expected at most 64 rows, known beforehand";
  for (int64_t size : llvm::concat<const int64_t>(s.tile, s.block))
    if (size <= 0 || size > 1 << 20)
      return "expected sizes from 1 to 2^20, but got " + std::to_string(size);
  if (s.tile[0] * s.tile[1] > 4096)
    return "expected a register tile of at most 4096 results";
  if (s.strategy == "packed") {
    if (p.n.strideC != 1 && p.n.size != 1 && p.m.strideC != 1)
      return "expected C to be contiguous along m or n";
    if (s.block[0] % s.tile[0] != 0 || s.block[1] % s.tile[1] != 0)
      return "expected blocks that are multiples of the tile";
    if (!s.packs('a') && !canReadA(p))
      return "expected A to be packed: its type, size or strides do not allow to read it in place";
    if (!s.packs('b') && !s.stageB && !canReadB(p, target))
      return "expected B to be packed: its type or strides do not allow to read it in place";
    if (s.stageB && s.packs('b'))
      return "expected B to be packed or staged, not both";
    return "";
  }
  if (s.strategy == "dot")
    return p.k.strideB == 1 && p.k.strideA == 1 ? "" : "expected A and B to be contiguous along k";
  if (s.tile[2] > 64)
    return "expected at most 64 along k at once, but got " + std::to_string(s.tile[2]);
  return p.n.strideB == 1 && p.n.strideC == 1 ? "" : "expected B and C to be contiguous along n";
}

} // namespace forge::contraction
