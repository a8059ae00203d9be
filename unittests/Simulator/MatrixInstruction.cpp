#include "MatrixInstruction.h"

#include "forge/Support/SmallFloat.h"

#include <cstdint>
#include <cstring>

using namespace forge;
using namespace forge::test;

int forge::test::bytesOf(const std::string &type) {
  return type == "f32" || type == "i32" || type == "tf32"           ? 4
         : type == "f64"                                            ? 8
         : type == "i8" || type == "e4m3" || type.starts_with("f8") ? 1
                                                                    : 2;
}

void forge::test::put(char *to, const std::string &type, double value) {
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

double forge::test::get(const char *from, const std::string &type) {
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

namespace {
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
} // namespace

std::string forge::test::kernelOf(const Instruction &it) {
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
