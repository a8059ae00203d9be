// Runs lowered contractions on small integers, where every order of summation is exact, against
// plain loops.
#include "Jit.h"

#include "forge/Support/SmallFloat.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

using forge::DType;
using forge::test::Jit;

namespace {

/// An einsum: letters of A and B, those of C; the size of each letter.
struct Case {
  std::string a, b, c;
  std::map<char, int64_t> sizes;
  std::string type = "f32";
  bool dynamic = false, zero = true;
  int64_t gap = 0; // elements between rows of the last dimension, and before the first
  std::string schedule = "";
};

std::ostream &operator<<(std::ostream &out, const Case &c) {
  out << c.a << "," << c.b << "->" << c.c << " " << c.type;
  for (auto [letter, size] : c.sizes)
    out << " " << letter << size;
  return out << (c.dynamic ? " dynamic" : "") << (c.zero ? "" : " accumulating") << " gap " << c.gap
             << " " << c.schedule;
}

struct Operand {
  std::string letters, element;
  std::vector<int64_t> sizes, strides;
  std::vector<double> values; // with gaps

  Operand(const Case &c, const std::string &letters, const std::string &element)
      : letters(letters), element(element), strides(letters.size()) {
    int64_t stride = 1;
    for (size_t i = letters.size(); i-- > 0;) {
      sizes.insert(sizes.begin(), c.sizes.at(letters[i]));
      strides[i] = stride;
      stride *= sizes.front() + (i + 1 == letters.size() ? c.gap : 0);
    }
    values.assign(c.gap + stride, 77);
  }
  std::string type(const Case &c) const {
    std::string text = "memref<";
    for (int64_t size : sizes)
      text += (c.dynamic ? "?" : std::to_string(size)) + "x";
    text += element;
    if (c.gap) {
      text += ", strided<[";
      for (size_t i = 0; i < strides.size(); ++i)
        text += (i ? ", " : "") +
                std::string(c.dynamic && i + 1 < strides.size() ? "?" : std::to_string(strides[i]));
      text += "], offset: " + (c.dynamic ? "?" : std::to_string(c.gap)) + ">";
    }
    return text + ">";
  }
  size_t at(const Case &c, const std::map<char, int64_t> &position) const {
    size_t index = c.gap;
    for (size_t i = 0; i < letters.size(); ++i)
      index += position.at(letters[i]) * strides[i];
    return index;
  }
};

/// Calls visit for every position of the letters.
template <typename F>
void forAll(const std::map<char, int64_t> &sizes, std::map<char, int64_t> &position,
            std::map<char, int64_t>::const_iterator next, F visit) {
  if (next == sizes.end())
    return visit();
  auto following = std::next(next);
  for (int64_t i = 0; i < next->second; ++i) {
    position[next->first] = i;
    forAll(sizes, position, following, visit);
  }
}

std::string sourceOf(const Case &c, const Operand &a, const Operand &b, const Operand &out) {
  std::string dims, iterators;
  for (auto [letter, size] : c.sizes) {
    dims += (dims.empty() ? "" : ", ") + std::string(1, letter);
    iterators += (iterators.empty() ? "\"" : ", \"") +
                 std::string(c.c.find(letter) == std::string::npos ? "reduction" : "parallel") +
                 "\"";
  }
  auto map = [&](const std::string &letters) {
    std::string results;
    for (char letter : letters)
      results += (results.empty() ? "" : ", ") + std::string(1, letter);
    return "affine_map<(" + dims + ") -> (" + results + ")>";
  };
  std::string extend = a.element == out.element
                           ? "    %p = arith.mulf %x, %y : " + out.element + "\n"
                           : "    %u = arith.extf %x : " + a.element + " to " + out.element +
                                 "\n    %v = arith.extf %y : " + a.element + " to " + out.element +
                                 "\n    %p = arith.mulf %u, %v : " + out.element + "\n";
  return "func.func @f(%a: " + a.type(c) + ", %b: " + b.type(c) + ", %c: " + out.type(c) +
         ") attributes {llvm.emit_c_interface} {\n" +
         (c.zero ? "  %z = arith.constant 0.0 : " + out.element + "\n  linalg.fill ins(%z : " +
                       out.element + ") outs(%c : " + out.type(c) + ")\n"
                 : "") +
         "  linalg.generic {indexing_maps = [" + map(c.a) + ", " + map(c.b) + ", " + map(c.c) +
         "], iterator_types = [" + iterators + "]}\n      ins(%a, %b : " + a.type(c) + ", " +
         b.type(c) + ") outs(%c : " + out.type(c) + ")\n" +
         (c.schedule.empty()
              ? ""
              : "      attrs = {forge.schedule = #forge.schedule" + c.schedule + "} ") +
         "  {\n  ^bb0(%x: " + a.element + ", %y: " + b.element + ", %o: " + out.element + "):\n" +
         extend + "    %s = arith.addf %o, %p : " + out.element +
         "\n    linalg.yield %s : " + out.element + "\n  }\n  return\n}\n";
}

/// The bytes of `values` in the element type, and a descriptor of them.
struct Buffer {
  std::vector<uint8_t> bytes;
  std::vector<int64_t> descriptor;
  Buffer(const Operand &operand, int64_t offset) {
    size_t width = operand.element == "f64" ? 8 : operand.element == "f32" ? 4 : 2;
    DType type = operand.element == "f64"   ? DType::F64
                 : operand.element == "f32" ? DType::F32
                 : operand.element == "f16" ? DType::F16
                                            : DType::BF16;
    bytes.resize(operand.values.size() * width);
    for (size_t i = 0; i < operand.values.size(); ++i) {
      uint64_t bits = forge::encodeFloat(type, operand.values[i]);
      memcpy(&bytes[i * width], &bits, width);
    }
    int64_t address = reinterpret_cast<int64_t>(bytes.data());
    descriptor = {address, address, offset};
    descriptor.insert(descriptor.end(), operand.sizes.begin(), operand.sizes.end());
    descriptor.insert(descriptor.end(), operand.strides.begin(), operand.strides.end());
  }
  double value(const Operand &operand, size_t i) const {
    if (operand.element == "f64") {
      double v;
      memcpy(&v, &bytes[i * 8], 8);
      return v;
    }
    float v;
    memcpy(&v, &bytes[i * 4], 4);
    return v;
  }
};

class Contraction : public ::testing::TestWithParam<Case> {};

void check(const Case &c, const std::string &target) {
  SCOPED_TRACE(target);
  Operand a(c, c.a, c.type), b(c, c.b, c.type), out(c, c.c, c.type == "f64" ? "f64" : "f32");
  std::mt19937 random(11);
  for (Operand *operand : {&a, &b, &out})
    for (double &value : operand->values)
      value = static_cast<int>(random() % 9) - 4;
  Buffer bufferA(a, c.gap), bufferB(b, c.gap), bufferC(out, c.gap);
  Jit jit;
  ASSERT_TRUE(jit.compile(sourceOf(c, a, b, out),
                          "forge-lower-contractions{target=" + target + "},canonicalize,cse"));
  EXPECT_EQ(jit.loweredText.find("linalg.generic"), std::string::npos) << "not lowered";
  auto f = jit.function<void (*)(void *, void *, void *)>("f");
  f(bufferA.descriptor.data(), bufferB.descriptor.data(), bufferC.descriptor.data());

  std::vector<double> expected = out.values;
  std::map<char, int64_t> position, outer;
  if (c.zero) {
    for (char letter : c.c)
      outer[letter] = c.sizes.at(letter);
    forAll(outer, position, outer.begin(), [&] { expected[out.at(c, position)] = 0; });
  }
  forAll(c.sizes, position, c.sizes.begin(), [&] {
    expected[out.at(c, position)] += a.values[a.at(c, position)] * b.values[b.at(c, position)];
  });
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(bufferC.value(out, i), expected[i]) << "element " << i << " (gaps included)";
}

TEST_P(Contraction, EqualsPlainLoops) {
  check(GetParam(), "host");
  if (GetParam().type == "f32")
    check(GetParam(), "avx2");
  // The same kernel without the dot instruction.
  if (GetParam().type == "bf16")
    check(GetParam(), "avx512");
}

std::vector<Case> cases() {
  std::vector<Case> all;
  auto add = [&](std::string a, std::string b, std::string c, std::map<char, int64_t> sizes) {
    bool odd = all.size() % 2;
    all.push_back({a, b, c, sizes, "f32", false, true, 0});
    all.push_back({a, b, c, sizes, "f32", true, odd, 5});
    all.push_back({a, b, c, sizes, "f64", false, !odd, 5});
    all.push_back({a, b, c, sizes, "bf16", odd, true, odd ? 3 : 0});
    if (all.size() % 4 == 0)
      all.push_back({a, b, c, sizes, "f16", !odd, true, 0});
  };
  // Matrices: whole tiles, primes, one past a tile; each operand transposed.
  add("mk", "kn", "mn", {{'m', 28}, {'n', 64}, {'k', 32}});
  add("mk", "kn", "mn", {{'m', 53}, {'n', 101}, {'k', 37}});
  add("km", "kn", "mn", {{'m', 29}, {'n', 33}, {'k', 17}});
  add("mk", "nk", "mn", {{'m', 31}, {'n', 65}, {'k', 129}});
  add("km", "nk", "mn", {{'m', 19}, {'n', 47}, {'k', 21}});
  add("mk", "kn", "nm", {{'m', 23}, {'n', 41}, {'k', 19}});
  // k longer than a block; a k of one.
  add("mk", "kn", "mn", {{'m', 20}, {'n', 33}, {'k', 700}});
  add("mk", "kn", "mn", {{'m', 37}, {'n', 35}, {'k', 1}});
  // Few rows, few columns, both layouts of the matrix.
  for (int64_t m : {1, 3, 5, 16}) {
    add("mk", "kn", "mn", {{'m', m}, {'n', 203}, {'k', 67}});
    add("mk", "nk", "mn", {{'m', m}, {'n', 45}, {'k', 83}});
    add("mk", "kn", "mn", {{'m', 61}, {'n', m}, {'k', 59}});
    add("km", "nk", "mn", {{'m', 61}, {'n', m}, {'k', 59}});
  }
  // Vectors and scalars.
  add("mk", "k", "m", {{'m', 71}, {'k', 43}});
  add("k", "kn", "n", {{'n', 71}, {'k', 43}});
  add("k", "k", "", {{'k', 100}});
  add("m", "n", "mn", {{'m', 35}, {'n', 40}});
  // Batches; several loops of a role, joined or not; attention's.
  add("bmk", "bkn", "bmn", {{'b', 3}, {'m', 17}, {'n', 35}, {'k', 18}});
  add("bmhk", "bnhk", "bhmn", {{'b', 2}, {'h', 3}, {'m', 18}, {'n', 33}, {'k', 20}});
  add("bhmn", "bnhk", "bmhk", {{'b', 2}, {'h', 3}, {'m', 18}, {'n', 33}, {'k', 20}});
  add("bsk", "kn", "bsn", {{'b', 3}, {'s', 11}, {'n', 34}, {'k', 18}});
  add("bshd", "hdn", "bsn", {{'b', 2}, {'s', 9}, {'h', 3}, {'d', 8}, {'n', 34}});
  add("bhsd", "hdn", "bsn", {{'b', 2}, {'s', 19}, {'h', 3}, {'d', 8}, {'n', 34}});
  add("bsm", "bsn", "mn", {{'b', 3}, {'s', 11}, {'m', 21}, {'n', 34}});
  add("bmk", "bnk", "bmn", {{'b', 5}, {'m', 1}, {'n', 37}, {'k', 64}});
  add("bmk", "kbn", "mbn", {{'b', 4}, {'m', 20}, {'n', 24}, {'k', 16}});
  // Few rows times a matrix larger than the caches: read in place, k in short blocks.
  for (int64_t m : {4, 8, 20})
    for (std::string type : {"f32", "bf16"})
      for (int64_t gap : {0, 5})
        all.push_back(
            {"mk", "kn", "mn", {{'m', m}, {'n', 650}, {'k', 918}}, type, false, gap == 0, gap});
  // Enough rows for panels of B that each task copies for itself: several blocks of every loop, the
  // edges of panels and blocks, B in both layouts, batches.
  for (std::string type : {"f32", "bf16", "f16"})
    for (bool fromZero : {true, false}) {
      all.push_back(
          {"mk", "kn", "mn", {{'m', 75}, {'n', 203}, {'k', 301}}, type, true, fromZero, 0});
      all.push_back(
          {"mk", "kn", "mn", {{'m', 530}, {'n', 50}, {'k', 33}}, type, !fromZero, fromZero, 3});
      all.push_back(
          {"mk", "nk", "mn", {{'m', 67}, {'n', 34}, {'k', 950}}, type, false, fromZero, 0});
      all.push_back({"bmk",
                     "bkn",
                     "bmn",
                     {{'b', 2}, {'m', 113}, {'n', 50}, {'k', 64}},
                     type,
                     true,
                     fromZero,
                     0});
    }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Einsum, Contraction, ::testing::ValuesIn(cases()));

std::vector<Case> scheduled() {
  std::vector<Case> all;
  for (std::string schedule :
       {"<strategy = packed, m = 6, n = 32, block_m = 12, block_n = 32, block_k = 16, pack = ab, "
        "swap = false, parallel = true>",
        "<strategy = packed, m = 6, n = 16, block_m = 6, block_n = 16, block_k = 7, pack = none, "
        "parallel = false>",
        "<strategy = packed, m = 4, n = 32, block_m = 12, pack = b>", "<strategy = packed, m = 5>",
        "<strategy = packed, m = 4, n = 32, block_m = 12, block_n = 32, block_k = 16, pack = none, "
        "stage_b = true>",
        "<strategy = packed, m = 5, n = 48, block_m = 10, block_n = 48, block_k = 20, pack = a, "
        "stage_b = true, parallel = false>",
        "<strategy = stream, m = 5, n = 32, k = 3, block_n = 48>", "<strategy = stream>",
        "<parallel = false>"})
    for (bool zero : {true, false})
      all.push_back(
          {"mk", "kn", "mn", {{'m', 12}, {'n', 64}, {'k', 50}}, "f32", false, zero, 0, schedule});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Scheduled, Contraction, ::testing::ValuesIn(scheduled()));

} // namespace
