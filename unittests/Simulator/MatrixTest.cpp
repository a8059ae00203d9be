// Matrix instructions against plain loops, with the register layouts as the vendors document them.
// Elements are small integers, so every result is exact in every type.
#include "MatrixInstruction.h"
#include "SimulatedKernel.h"

#include <cmath>
#include <random>

using namespace forge;
using namespace forge::test;

namespace {
class MatrixTest : public testing::TestWithParam<Instruction> {};
} // namespace

/// What the instruction makes of matrices [block][row][column].
static std::vector<double> run(const Instruction &it, const std::vector<double> &a,
                               const std::vector<double> &b, const std::vector<double> &c) {
  // 1. Operands into registers, by the documented layout.
  auto pack = [&](const std::vector<double> &values, int rows, int columns, int count,
                  Layout layout, const std::string &type) {
    std::vector<char> bytes(it.lanes() * count * bytesOf(type));
    for (int lane = 0; lane < it.lanes(); ++lane)
      for (int i = 0; i < count; ++i) {
        Place place = layout(lane, i);
        put(bytes.data() + (lane * count + i) * bytesOf(type), type,
            values[(place.block * rows + place.row) * columns + place.column]);
      }
    return bytes;
  };
  SimulatedKernel kernel(kernelOf(it), it.chip);
  void *da = kernel.upload(pack(a, it.m, it.k, it.countA, it.a, it.input));
  void *db = kernel.upload(pack(b, it.k, it.n, it.countB, it.b, it.input));
  void *dc = kernel.upload(pack(c, it.m, it.n, it.countD, it.d, it.output));
  size_t resultBytes = it.lanes() * it.countD * bytesOf(it.output);
  void *dd = kernel.allocate(resultBytes);
  sim::LaunchConfig config;
  config.block.x = it.lanes();
  EXPECT_EQ(kernel.launch(config, {&da, &db, &dc, &dd}), "") << kernelOf(it);
  // 2. The result out of the registers.
  std::vector<char> got = kernel.download<char>(dd, resultBytes);
  std::vector<double> d(c.size());
  for (int lane = 0; lane < it.lanes(); ++lane)
    for (int i = 0; i < it.countD; ++i) {
      Place place = it.d(lane, i);
      d[(place.block * it.m + place.row) * it.n + place.column] =
          get(got.data() + (lane * it.countD + i) * bytesOf(it.output), it.output);
    }
  return d;
}

TEST_P(MatrixTest, IsTheProduct) {
  const Instruction &it = GetParam();
  std::mt19937 random(std::random_device{}());
  std::uniform_int_distribution<int> draw(-3, 3);
  auto matrix = [&](int count) {
    std::vector<double> values(count * it.blocks);
    for (double &value : values)
      value = draw(random);
    return values;
  };
  std::vector<double> a = matrix(it.m * it.k), b = matrix(it.k * it.n), c = matrix(it.m * it.n),
                      expected = c;
  for (int block = 0; block < it.blocks; ++block)
    for (int i = 0; i < it.m; ++i)
      for (int j = 0; j < it.n; ++j)
        for (int k = 0; k < it.k; ++k)
          expected[(block * it.m + i) * it.n + j] +=
              a[(block * it.m + i) * it.k + k] * b[(block * it.k + k) * it.n + j];
  EXPECT_EQ(run(it, a, b, c), expected);
}

// PTX ISA 9.7.14.5, "Matrix Fragments for mma.m16n8k16 with floating point type" and its
// neighbours, where groupID is lane >> 2 and threadID_in_group lane % 4.
static Place mmaD(int lane, int i) {
  return {(lane >> 2) + (i < 2 ? 0 : 8), (lane % 4) * 2 + (i & 1)};
}
static Place m8D(int lane, int i) { return {lane >> 2, (lane % 4) * 2 + (i & 1)}; }
static Place halfK16A(int lane, int i) {
  return {(i < 2 || (i >= 4 && i < 6)) ? lane >> 2 : (lane >> 2) + 8,
          (lane % 4) * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
}
static Place halfK16B(int lane, int i) {
  return {(lane % 4) * 2 + (i & 1) + (i >= 2 ? 8 : 0), lane >> 2};
}
static Place halfK8A(int lane, int i) {
  return {(lane >> 2) + (i < 2 ? 0 : 8), (lane % 4) * 2 + (i & 1)};
}
static Place halfK8B(int lane, int i) { return {(lane % 4) * 2 + i, lane >> 2}; }
static Place tf32K4A(int lane, int i) { return {(lane >> 2) + (i == 0 ? 0 : 8), lane % 4}; }
static Place tf32K4B(int lane, int) { return {lane % 4, lane >> 2}; }
static Place tf32K8A(int lane, int i) {
  return {(i == 0 || i == 2) ? lane >> 2 : (lane >> 2) + 8, lane % 4 + (i >= 2 ? 4 : 0)};
}
static Place tf32K8B(int lane, int i) { return {lane % 4 + (i == 0 ? 0 : 4), lane >> 2}; }
static Place byteK16A(int lane, int i) {
  return {(lane >> 2) + (i < 4 ? 0 : 8), (lane % 4) * 4 + (i & 3)};
}
static Place byteK16B(int lane, int i) { return {(lane % 4) * 4 + i, lane >> 2}; }
static Place byteK32A(int lane, int i) {
  return {(i < 4 || (i >= 8 && i < 12)) ? lane >> 2 : (lane >> 2) + 8,
          (lane % 4) * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
}
static Place byteK32B(int lane, int i) {
  return {(lane % 4) * 4 + (i & 3) + (i >= 4 ? 16 : 0), lane >> 2};
}
static Place doubleA(int lane, int) { return {lane >> 2, lane % 4}; }
static Place doubleB(int lane, int) { return {lane % 4, lane >> 2}; }

// AMD Instinct MI300 ISA, chapter 7, and AMD's matrix instruction calculator.
static Place mfma32A8(int lane, int i) { return {lane % 32, 4 * (lane / 32) + i}; }
static Place mfma32B8(int lane, int i) { return {4 * (lane / 32) + i, lane % 32}; }
static Place mfma32D(int lane, int i) { return {8 * (i / 4) + 4 * (lane / 32) + i % 4, lane % 32}; }
static Place mfma16A16(int lane, int i) { return {lane % 16, 4 * (lane / 16) + i}; }
static Place mfma16B16(int lane, int i) { return {4 * (lane / 16) + i, lane % 16}; }
static Place mfma16D(int lane, int i) { return {4 * (lane / 16) + i, lane % 16}; }
static Place mfma32A2(int lane, int) { return {lane % 32, lane / 32}; }
static Place mfma32B2(int lane, int) { return {lane / 32, lane % 32}; }
static Place mfma16A4(int lane, int) { return {lane % 16, lane / 16}; }
static Place mfma16B4(int lane, int) { return {lane / 16, lane % 16}; }
static Place mfma32A16(int lane, int i) { return {lane % 32, 8 * (lane / 32) + i}; }
static Place mfma32B16(int lane, int i) { return {8 * (lane / 32) + i, lane % 32}; }
static Place mfma16A32(int lane, int i) { return {lane % 16, 8 * (lane / 16) + i}; }
static Place mfma16B32(int lane, int i) { return {8 * (lane / 16) + i, lane % 16}; }
static Place mfma32x4A(int lane, int i) { return {lane % 32, i, lane / 32}; }
static Place mfma32x4B(int lane, int i) { return {i, lane % 32, lane / 32}; }
static Place mfma32x4D(int lane, int i) {
  return {8 * (i % 16 / 4) + 4 * (lane / 32) + i % 4, lane % 32, i / 16};
}
static Place mfma4A(int lane, int i) { return {lane % 4, i, lane / 4}; }
static Place mfma4B(int lane, int i) { return {i, lane % 4, lane / 4}; }
static Place mfma4D(int lane, int i) { return {i, lane % 4, lane / 4}; }
static Place mfmaDoubleD(int lane, int i) { return {4 * i + lane / 16, lane % 16}; }

// RDNA 3 ISA, 7.9: both halves of the wave hold A and B; D has even rows in the lower half, odd
// ones in the upper.
static Place wmmaA(int lane, int i) { return {lane % 16, i}; }
static Place wmmaB(int lane, int i) { return {i, lane % 16}; }
static Place wmmaD(int lane, int i) { return {2 * i + lane / 16, lane % 16}; }

INSTANTIATE_TEST_SUITE_P(
    Instructions, MatrixTest,
    testing::Values(Instruction{"mma_m16n8k16_f16", "sm_80", 16, 8, 16, 1, "f16", "f32", 8, 4, 4,
                                halfK16A, halfK16B, mmaD, Instruction::Mma},
                    Instruction{"mma_m16n8k16_f16_f16", "sm_80", 16, 8, 16, 1, "f16", "f16", 8, 4,
                                4, halfK16A, halfK16B, mmaD, Instruction::Mma},
                    Instruction{"mma_m16n8k16_bf16", "sm_90a", 16, 8, 16, 1, "bf16", "f32", 8, 4, 4,
                                halfK16A, halfK16B, mmaD, Instruction::Mma},
                    Instruction{"mma_m16n8k8_f16", "sm_75", 16, 8, 8, 1, "f16", "f32", 4, 2, 4,
                                halfK8A, halfK8B, mmaD, Instruction::Mma},
                    Instruction{"mma_m16n8k8_bf16", "sm_80", 16, 8, 8, 1, "bf16", "f32", 4, 2, 4,
                                halfK8A, halfK8B, mmaD, Instruction::Mma},
                    Instruction{"mma_m16n8k4_tf32", "sm_80", 16, 8, 4, 1, "tf32", "f32", 2, 1, 4,
                                tf32K4A, tf32K4B, mmaD, Instruction::Mma},
                    Instruction{"mma_m16n8k8_tf32", "sm_80", 16, 8, 8, 1, "tf32", "f32", 4, 2, 4,
                                tf32K8A, tf32K8B, mmaD, Instruction::Mma},
                    Instruction{"mma_m16n8k16_s8", "sm_80", 16, 8, 16, 1, "i8", "i32", 8, 4, 4,
                                byteK16A, byteK16B, mmaD, Instruction::Mma},
                    Instruction{"mma_m16n8k32_s8", "sm_80", 16, 8, 32, 1, "i8", "i32", 16, 8, 4,
                                byteK32A, byteK32B, mmaD, Instruction::Mma},
                    Instruction{"mma_m8n8k4_f64", "sm_80", 8, 8, 4, 1, "f64", "f64", 1, 1, 2,
                                doubleA, doubleB, m8D, Instruction::Mma},
                    Instruction{"mfma_32x32x8_f16", "gfx942", 32, 32, 8, 1, "f16", "f32", 4, 4, 16,
                                mfma32A8, mfma32B8, mfma32D, Instruction::Mfma},
                    Instruction{"mfma_16x16x16_f16", "gfx942", 16, 16, 16, 1, "f16", "f32", 4, 4, 4,
                                mfma16A16, mfma16B16, mfma16D, Instruction::Mfma},
                    Instruction{"mfma_32x32x8_bf16", "gfx90a", 32, 32, 8, 1, "bf16", "f32", 4, 4,
                                16, mfma32A8, mfma32B8, mfma32D, Instruction::Mfma},
                    Instruction{"mfma_16x16x16_bf16", "gfx942", 16, 16, 16, 1, "bf16", "f32", 4, 4,
                                4, mfma16A16, mfma16B16, mfma16D, Instruction::Mfma},
                    Instruction{"mfma_16x16x32_fp8", "gfx942", 16, 16, 32, 1, "f8E4M3FNUZ", "f32",
                                8, 8, 4, mfma16A32, mfma16B32, mfma16D, Instruction::Mfma},
                    Instruction{"mfma_32x32x16_bf8", "gfx942", 32, 32, 16, 1, "f8E5M2FNUZ", "f32",
                                8, 8, 16, mfma32A16, mfma32B16, mfma32D, Instruction::Mfma},
                    Instruction{"mfma_32x32x2_f32", "gfx942", 32, 32, 2, 1, "f32", "f32", 1, 1, 16,
                                mfma32A2, mfma32B2, mfma32D, Instruction::Mfma},
                    Instruction{"mfma_16x16x4_f32", "gfx942", 16, 16, 4, 1, "f32", "f32", 1, 1, 4,
                                mfma16A4, mfma16B4, mfma16D, Instruction::Mfma},
                    Instruction{"mfma_32x32x4_2_f16", "gfx942", 32, 32, 4, 2, "f16", "f32", 4, 4,
                                32, mfma32x4A, mfma32x4B, mfma32x4D, Instruction::Mfma},
                    Instruction{"mfma_4x4x4_16_f16", "gfx942", 4, 4, 4, 16, "f16", "f32", 4, 4, 4,
                                mfma4A, mfma4B, mfma4D, Instruction::Mfma},
                    Instruction{"mfma_32x32x16_i8", "gfx942", 32, 32, 16, 1, "i8", "i32", 8, 8, 16,
                                mfma32A16, mfma32B16, mfma32D, Instruction::Mfma},
                    Instruction{"mfma_16x16x32_i8", "gfx942", 16, 16, 32, 1, "i8", "i32", 8, 8, 4,
                                mfma16A32, mfma16B32, mfma16D, Instruction::Mfma},
                    Instruction{"mfma_16x16x4_f64", "gfx90a", 16, 16, 4, 1, "f64", "f64", 1, 1, 4,
                                mfma16A4, mfma16B4, mfmaDoubleD, Instruction::Mfma},
                    Instruction{"wmma_16x16x16_f16", "gfx1100", 16, 16, 16, 1, "f16", "f32", 16, 16,
                                8, wmmaA, wmmaB, wmmaD, Instruction::Wmma},
                    Instruction{"wmma_16x16x16_bf16", "gfx1100", 16, 16, 16, 1, "bf16", "f32", 16,
                                16, 8, wmmaA, wmmaB, wmmaD, Instruction::Wmma},
                    Instruction{"wmma_16x16x16_i8", "gfx1100", 16, 16, 16, 1, "i8", "i32", 16, 16,
                                8, wmmaA, wmmaB, wmmaD, Instruction::Wmma}),
    [](const auto &info) { return info.param.name; });

/// C = 1 and k products of 2^(2 e): what each unit keeps of them. Exactly it is 1 + k 2^(2 e).
TEST(MatrixArithmetic, SmallProductsAreCut) {
  auto sum = [](const Instruction &it, int exponent) {
    std::vector<double> a(it.m * it.k, std::ldexp(1.0, exponent)), b(it.k * it.n, a[0]),
        c(it.m * it.n, 1.0), d = run(it, a, b, c);
    EXPECT_EQ(d, std::vector<double>(d.size(), d[0]));
    return d[0];
  };
  Instruction ampere = {"", "sm_80", 16, 8,        16,       1,    "bf16",          "f32",
                        8,  4,       4,  halfK16A, halfK16B, mmaD, Instruction::Mma},
              hopper = ampere,
              cdna = {"", "gfx942", 16, 16,        16,        1,       "bf16",           "f32",
                      4,  4,        4,  mfma16A16, mfma16B16, mfma16D, Instruction::Mfma};
  hopper.chip = "sm_90a";
  // 24 bits below 1, toward 0.
  EXPECT_EQ(sum(ampere, -12), 1 + 0x1p-20);
  EXPECT_EQ(sum(ampere, -13), 1);
  // 25 bits: 2^-26 is the first that is lost.
  EXPECT_EQ(sum(hopper, -12), 1 + 0x1p-20);
  EXPECT_EQ(sum(hopper, -13), 1);
  // The products are added first, eight at a time.
  EXPECT_EQ(sum(cdna, -13), 1 + 0x1p-22);
  EXPECT_EQ(sum(cdna, -14), 1); // 8 * 2^-28 is a quarter of the last bit of 1
}

//===--- ldmatrix, stmatrix
//---------------------------------------------------------------------===//
