// Matrix instructions against plain loops, with the register layouts as the vendors document them.
// Elements are small integers, so every result is exact in every type.
#include "SimulatedKernel.h"

#include "forge/Support/SmallFloat.h"

#include <cstring>
#include <random>

using namespace forge;
using namespace forge::test;

namespace {
/// Row and column of an element.
struct Place {
  int row, column, block = 0;
};
using Layout = Place (*)(int lane, int i);

struct Instruction {
  const char *name, *chip;
  int m, n, k, blocks;
  /// Names of the element types: of A and B, and of C and D.
  const char *input, *output;
  /// Elements of a lane.
  int countA, countB, countD;
  Layout a, b, d;
  /// The operation on %a (i32 registers), %b, %c, and its result %d; see kernelOf.
  enum Kind { Mma, Mfma, Wmma } kind;
  int lanes() const { return kind == Mfma ? 64 : 32; }
};

void PrintTo(const Instruction &instruction, std::ostream *os) { *os << instruction.name; }

int bytesOf(const std::string &type) {
  return type == "f32" || type == "i32" || type == "tf32"           ? 4
         : type == "f64"                                            ? 8
         : type == "i8" || type == "e4m3" || type.starts_with("f8") ? 1
                                                                    : 2;
}

void put(char *to, const std::string &type, double value) {
  auto store = [&](auto bits) { std::memcpy(to, &bits, sizeof(bits)); };
  if (type == "f16")
    store(uint16_t(encodeFloat(DType::F16, value)));
  else if (type == "bf16")
    store(uint16_t(encodeFloat(DType::BF16, value)));
  else if (type == "e4m3")
    store(uint8_t(encodeFloat(DType::F8E4M3FN, value)));
  else if (type.starts_with("f8")) // Their bits are those of twice the value in OCP's formats.
    store(uint8_t(encodeFloat(type == "f8E4M3FNUZ" ? DType::F8E4M3FN : DType::F8E5M2, value * 2)));
  else if (type == "i8")
    store(int8_t(value));
  else if (type == "i32")
    store(int32_t(value));
  else if (type == "f64")
    store(value);
  else
    store(float(value));
}

double get(const char *from, const std::string &type) {
  auto load = [&](auto bits) {
    std::memcpy(&bits, from, sizeof(bits));
    return bits;
  };
  if (type == "f16")
    return decodeFloat(DType::F16, load(uint16_t()));
  if (type == "i32")
    return load(int32_t());
  return type == "f64" ? load(double()) : double(load(float()));
}

/// "vector<4xf16>", or "f32" for one element.
std::string vectorOf(int count, const std::string &type) {
  return count == 1 ? type : "vector<" + std::to_string(count) + "x" + type + ">";
}

std::string memrefOf(int lanes, int count, const std::string &type) {
  return "memref<" + std::to_string(lanes) + "x" + std::to_string(count) + "x" + type + ">";
}

/// One lane loads row `lane` of a buffer as `count` elements called `name`.
std::string loadRow(const std::string &name, int lanes, int count, const std::string &type) {
  std::string memref = memrefOf(lanes, count, type);
  if (count == 1)
    return "  " + name + " = memref.load " + name + "m[%t, %c0] : " + memref + "\n";
  return "  " + name + " = vector.load " + name + "m[%t, %c0] : " + memref + ", " +
         vectorOf(count, type) + "\n";
}

/// mma.sync takes registers of four bytes: pairs for f16, i32 for other types; C and D are scalars,
/// or pairs of f16.
std::string mmaBody(const Instruction &it) {
  std::string text, input = it.input, output = it.output;
  bool pairs = input == "f16", halfResult = output == "f16", isDouble = input == "f64";
  auto registers = [&](const std::string &name, int count, const std::string &type,
                       const std::string &as, std::string &list) {
    text += loadRow(name, 32, count, type);
    for (int i = 0; i < count; ++i) {
      std::string each = name + std::to_string(i);
      if (count == 1)
        text += "  " + each + "x = arith.bitcast " + name + " : " + type + " to " + type + "\n";
      else
        text += "  " + each + "x = vector.extract " + name + "[" + std::to_string(i) +
                "] : " + type + " from " + vectorOf(count, type) + "\n";
      if (as != type)
        text += "  " + each + " = llvm.bitcast " + each + "x : " + type + " to " + as + "\n";
      list += std::string(i ? ", " : "") + each + (as != type ? "" : "x");
    }
  };
  std::string a, b, c;
  std::string word = isDouble ? "f64" : "i32", as = pairs ? "vector<2xf16>" : word;
  int per = isDouble ? 1 : 4 / bytesOf(input);
  registers("%a", it.countA / per, word, as, a);
  registers("%b", it.countB / per, word, as, b);
  int results = halfResult ? it.countD / 2 : it.countD;
  registers("%c", results, halfResult ? "i32" : output, halfResult ? "vector<2xf16>" : output, c);
  std::string fields, field = halfResult ? "vector<2xf16>" : output;
  for (int i = 0; i < results; ++i)
    fields += (i ? ", " : "") + field;
  std::string types = pairs || isDouble ? ""
                                        : std::string("multiplicandAPtxType = #nvvm.mma_type<") +
                                              (input == "i8" ? "s8" : input) +
                                              ">, multiplicandBPtxType = #nvvm.mma_type<" +
                                              (input == "i8" ? "s8" : input) + ">, ";
  if (input == "i8")
    types += "intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, ";
  text +=
      "  %r = nvvm.mma.sync A[" + a + "] B[" + b + "] C[" + c + "] {" + types +
      "layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = " +
      std::to_string(it.m) + ", n = " + std::to_string(it.n) + ", k = " + std::to_string(it.k) +
      ">} : (" + as + ", " + as + ", " + field + ") -> !llvm.struct<(" + fields + ")>\n";
  for (int i = 0; i < results; ++i) {
    std::string n = std::to_string(i), value = "%r" + n;
    text += "  " + value + " = llvm.extractvalue %r[" + n + "] : !llvm.struct<(" + fields + ")>\n";
    if (halfResult) {
      text += "  %w" + n + " = llvm.bitcast " + value + " : vector<2xf16> to i32\n";
      value = "%w" + n;
    }
    text += "  %i" + n + " = arith.constant " + n + " : index\n  memref.store " + value +
            ", %dm[%t, %i" + n + "] : " + memrefOf(32, results, halfResult ? "i32" : output) + "\n";
  }
  return text;
}

std::string amdBody(const Instruction &it) {
  std::string input = it.input, output = it.output, text;
  int lanes = it.lanes();
  text += loadRow("%a", lanes, it.countA, input) + loadRow("%b", lanes, it.countB, input) +
          loadRow("%c", lanes, it.countD, output);
  std::string shape =
      std::to_string(it.m) + "x" + std::to_string(it.n) + "x" + std::to_string(it.k);
  std::string types = vectorOf(it.countA, input) + ", " + vectorOf(it.countB, input) + ", " +
                      vectorOf(it.countD, output);
  if (it.kind == Instruction::Mfma)
    text += "  %r = amdgpu.mfma " + shape + " %a * %b + %c {blocks = " + std::to_string(it.blocks) +
            " : i32} blgp = none : " + types + "\n";
  else
    text += "  %r = amdgpu.wmma " + shape + " %a * %b + %c : " + types + "\n";
  return text + "  vector.store %r, %dm[%t, %c0] : " + memrefOf(lanes, it.countD, output) + ", " +
         vectorOf(it.countD, output) + "\n";
}

std::string kernelOf(const Instruction &it) {
  std::string input = it.input, output = it.output;
  auto memref = [&](int count, const std::string &type) {
    if (it.kind != Instruction::Mma)
      return memrefOf(it.lanes(), count, type);
    // Registers of four bytes.
    if (type == "f64" || type == "f32" || type == "i32")
      return memrefOf(32, count, type == "f32" && &type == &input ? "i32" : type);
    return memrefOf(32, count * bytesOf(type) / 4, "i32");
  };
  std::string a = memref(it.countA, input == "tf32" ? "i32" : input),
              b = memref(it.countB, input == "tf32" ? "i32" : input);
  std::string text = "gpu.module @kernels { gpu.func @k(%am: " + a + ", %bm: " + b +
                     ", %cm: " + memref(it.countD, output) + ", %dm: " + memref(it.countD, output) +
                     ") kernel {\n  %t = gpu.thread_id x\n  %c0 = arith.constant 0 : index\n";
  std::string body = it.kind == Instruction::Mma ? mmaBody(it) : amdBody(it);
  // The index must not clash with the registers of C.
  for (size_t at = 0; (at = body.find("%t, %c0]", at)) != std::string::npos; at += 8)
    body.replace(at, 8, "%t, %zero]");
  text.replace(text.find("%c0 = "), 6, "%zero = ");
  return text + body + "  gpu.return\n} }\n";
}

class MatrixTest : public testing::TestWithParam<Instruction> {};
} // namespace

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
  // 1. What the result must be.
  std::vector<double> a = matrix(it.m * it.k), b = matrix(it.k * it.n), c = matrix(it.m * it.n),
                      expected = c;
  for (int block = 0; block < it.blocks; ++block)
    for (int i = 0; i < it.m; ++i)
      for (int j = 0; j < it.n; ++j)
        for (int k = 0; k < it.k; ++k)
          expected[(block * it.m + i) * it.n + j] +=
              a[(block * it.m + i) * it.k + k] * b[(block * it.k + k) * it.n + j];
  // 2. Operands into registers, by the documented layout.
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
  ASSERT_EQ(kernel.launch(config, {&da, &db, &dc, &dd}), "") << kernelOf(it);
  // 3. The result out of the registers.
  std::vector<char> got = kernel.download<char>(dd, resultBytes);
  for (int lane = 0; lane < it.lanes(); ++lane)
    for (int i = 0; i < it.countD; ++i) {
      Place place = it.d(lane, i);
      ASSERT_EQ(get(got.data() + (lane * it.countD + i) * bytesOf(it.output), it.output),
                expected[(place.block * it.m + place.row) * it.n + place.column])
          << "lane " << lane << ", element " << i;
    }
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

//===--- ldmatrix, stmatrix
//---------------------------------------------------------------------===//

/// Four matrices of 8x8 in shared memory, rows of 16 bytes; lane i says where row i is.
static std::string loadMatrixKernel(const std::string &layout) {
  return R"mlir(gpu.module @kernels { gpu.func @k(%in: memref<32x8xi16>, %out: memref<32x4xi32>)
    workgroup(%s: memref<32x8xi16, #gpu.address_space<workgroup>>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %row = vector.load %in[%t, %c0] : memref<32x8xi16>, vector<8xi16>
  vector.store %row, %s[%t, %c0] : memref<32x8xi16, #gpu.address_space<workgroup>>, vector<8xi16>
  gpu.barrier
  %i = memref.extract_aligned_pointer_as_index %s : memref<32x8xi16, #gpu.address_space<workgroup>> -> index
  %i64 = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
  %t64 = arith.index_cast %t : index to i64
  %q = llvm.getelementptr %p[%t64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<8 x i16>
  %r = nvvm.ldmatrix %q {num = 4 : i32, layout = #nvvm.mma_layout<)mlir" +
         layout +
         R"mlir(>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  %r0 = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32, i32, i32)>
  %r1 = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32, i32, i32)>
  %r2 = llvm.extractvalue %r[2] : !llvm.struct<(i32, i32, i32, i32)>
  %r3 = llvm.extractvalue %r[3] : !llvm.struct<(i32, i32, i32, i32)>
  memref.store %r0, %out[%t, %c0] : memref<32x4xi32>
  memref.store %r1, %out[%t, %c1] : memref<32x4xi32>
  memref.store %r2, %out[%t, %c2] : memref<32x4xi32>
  memref.store %r3, %out[%t, %c3] : memref<32x4xi32>
  gpu.return
} })mlir";
}

TEST(LoadMatrix, RowsAndColumns) {
  for (std::string layout : {"row", "col"}) {
    SimulatedKernel kernel(loadMatrixKernel(layout), "sm_80");
    std::vector<uint16_t> in(256);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = i;
    void *din = kernel.upload(in), *dout = kernel.allocate(512);
    sim::LaunchConfig config;
    config.block.x = 32;
    ASSERT_EQ(kernel.launch(config, {&din, &dout}), "");
    std::vector<uint16_t> out = kernel.download<uint16_t>(dout, 256);
    for (int lane = 0; lane < 32; ++lane)
      for (int matrix = 0; matrix < 4; ++matrix)
        for (int e = 0; e < 2; ++e) {
          int row = lane / 4, column = 2 * (lane % 4) + e;
          int expected = matrix * 64 + (layout == "row" ? row * 8 + column : column * 8 + row);
          EXPECT_EQ(out[(lane * 4 + matrix) * 2 + e], expected) << layout << ", lane " << lane;
        }
  }
}

TEST(LoadMatrix, AllLanesTakePart) {
  // Of 16 threads there is no whole warp.
  SimulatedKernel kernel(loadMatrixKernel("row"), "sm_80");
  void *din = kernel.upload(std::vector<uint16_t>(256)), *dout = kernel.allocate(512);
  sim::LaunchConfig config;
  config.block.x = 16;
  EXPECT_NE(kernel.launch(config, {&din, &dout}).find("all 32 lanes of a warp"), std::string::npos);
}
