#include "forge/Generate/Compiler/PrefillLengths.h"

#include "forge/Generate/ChoosePrefill.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace forge;

/// Tokens of a sequence that are computed together at most. Rows of a product's tiles are worth
/// filling up to some thousand, over all sequences. Scores of more than 256 tokens are a large
/// matrix where no kernel keeps them out of memory.
static int64_t longestOf(const Target &target, int64_t batch) {
  constexpr int64_t least = 256, rows = 2048;
  bool isFlash = target.isGPU() && target.chip->warpgroupProducts;
  return isFlash ? std::clamp<int64_t>(rows / batch, least, rows) : least;
}

/// Each is a quarter of the one before: most of the time of a prefill whose tokens fill it to a
/// quarter is saved by the next. With some tens of rows products take as long as reading the
/// weights does.
static std::vector<int64_t> lengthsOf(const Target &target, int64_t batch) {
  constexpr int64_t factor = 4, fewRows = 32;
  std::vector<int64_t> lengths = {longestOf(target, batch)};
  while (lengths.back() * batch > fewRows && lengths.back() >= 2 * factor)
    lengths.push_back(
        static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(lengths.back() / factor))));
  return lengths;
}

/// Short pieces are computed together, since each run reads the weights. Long ones are computed
/// alone, without padding.
PrefillLengths forge::prefillLengths(const Target &target, int64_t batch, bool paged) {
  PrefillLengths lengths{lengthsOf(target, batch), {}};
  if (!paged || batch == 1)
    return lengths;
  int64_t mostRows = target.isGPU() ? 1024 : 64;
  std::vector<int64_t> &together = lengths.together;
  while (together.size() > 1 && together.front() * batch > mostRows)
    together.erase(together.begin());
  for (int64_t length : lengthsOf(target, 1))
    if (length > together.front())
      lengths.alone.push_back(length);
  return lengths;
}

/// 1. A prompt is taken in equal pieces, of a few sizes, so that code in the cache serves other
///    prompts: a power of two, or, above 64, a multiple of an eighth of the one below, by which a
///    piece is at most an eighth too long.
/// 2. Batches of prompts that are shorter than a quarter of others have a prefill of their own.
static std::vector<int64_t> lengthsFor(const Target &target, int64_t batch,
                                       std::vector<int64_t> longest) {
  constexpr int64_t factor = 4;
  int64_t most = longestOf(target, batch);
  std::ranges::sort(longest, std::greater());
  std::vector<int64_t> lengths;
  for (int64_t prompt : longest) {
    auto piece =
        static_cast<uint64_t>(llvm::divideCeilSigned(prompt, llvm::divideCeilSigned(prompt, most)));
    uint64_t size = piece <= 64 ? llvm::PowerOf2Ceil(piece) : llvm::bit_floor(piece) / 8;
    auto length = static_cast<int64_t>(llvm::alignTo(piece, size));
    if (lengths.empty() || length * factor <= lengths.back())
      lengths.push_back(length);
  }
  return lengths;
}

/// What the prefills of prompts cost, in rows, `batch` of them at a time.
static int64_t costOf(const Target &target, std::span<const int64_t> lengths, int64_t batch,
                      std::span<const int64_t> longest) {
  int64_t cost = 0;
  for (int64_t prompt : longest)
    cost += prefillCost(lengths, prompt, PrefillCosts::of(!target.isGPU(), batch));
  return cost;
}

PrefillLengths forge::prefillLengthsFor(const Target &target, int64_t batch, bool paged,
                                        std::span<const int64_t> prompts) {
  std::vector<int64_t> each, longest;
  for (size_t i = 0; i < prompts.size(); ++i) {
    each.push_back(std::max<int64_t>(prompts[i], 1));
    if (i % static_cast<size_t>(batch) == 0)
      longest.push_back(1);
    longest.back() = std::max(longest.back(), each.back());
  }
  PrefillLengths together{lengthsFor(target, batch, longest), {}};
  if (!paged || batch == 1)
    return together;
  PrefillLengths alone{{}, lengthsFor(target, 1, each)};
  return costOf(target, alone.alone, 1, each) < costOf(target, together.together, batch, longest)
             ? alone
             : together;
}

Tier forge::tierOfFunction(const std::string &name, Tier tier) {
  return tier == Tier::Hybrid && name.starts_with("prefill_") ? Tier::Optimized : tier;
}
