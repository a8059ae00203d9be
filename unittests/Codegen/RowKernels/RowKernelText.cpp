#include "RowKernelText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace forge::test {
namespace {

const char *const kWhole = "affine_map<(i, j) -> (i, j)>";
const char *const kRow = "affine_map<(i, j) -> (i)>";

/// Writes a kernel: an argument %x of all elements and one, %o, for the result.
class Writer {
public:
  Writer(On on, const RowSizes &sizes, const std::string &resultShape, const std::string &result)
      : on(on), sizes(sizes) {
    text = "func.func @kernel(%x: " + type(whole(), sizes.in) +
           ", %o: " + type(resultShape, result) +
           ", %n: index) {\n  %zero = arith.constant 0.0 : f32\n"
           "  %one = arith.constant 1.0 : f32\n  %lowest = arith.constant 0xFF800000 : f32\n";
  }

  std::string whole() const { return sizes.rows + "x" + sizes.columns + "x"; }
  std::string row() const { return sizes.rows + "x"; }
  std::string type(const std::string &shape, const std::string &element) const {
    return (on == On::Tensors ? "tensor<" : "memref<") + shape + element + ">";
  }

  /// One value per row, filled with `value`.
  void fill(const std::string &name, const std::string &value, const std::string &shape) {
    std::string kind = type(shape, "f32"), size = shape[0] == '?' ? "%n" : "";
    if (on == On::Tensors)
      text += "  %" + name + "e = tensor.empty(" + size + ") : " + kind + "\n  %" + name +
              " = linalg.fill ins(%" + value + " : f32) outs(%" + name + "e : " + kind + ") -> " +
              kind + "\n";
    else
      text += "  %" + name + " = memref.alloc(" + size + ") : " + kind + "\n  linalg.fill ins(%" +
              value + " : f32) outs(%" + name + " : " + kind + ")\n";
  }

  struct Operand {
    std::string name, type, map;
  };

  /// A linalg.generic whose result is called `name` on tensors; on buffers the result is `out`.
  void generic(const std::string &name, const std::string &second,
               const std::vector<Operand> &inputs, const Operand &out, const std::string &body) {
    std::string maps, names, types;
    for (const Operand &input : inputs) {
      maps += input.map + ", ";
      names += (names.empty() ? "%" : ", %") + input.name;
      types += (types.empty() ? "" : ", ") + input.type;
    }
    text += "  " + (on == On::Tensors ? "%" + name + " = " : std::string()) +
            "linalg.generic {indexing_maps = [" + maps + out.map + "], iterator_types = [" +
            second + "]} ins(" + names + " : " + types + ") outs(%" + out.name + " : " + out.type +
            ") {\n" + body + "  }" + (on == On::Tensors ? " -> " + out.type : std::string()) + "\n";
  }

  std::string finish(const std::string &result, const std::string &resultType) {
    if (on == On::Tensors) {
      text += "  return %" + result + " : " + resultType + "\n}\n";
      text.insert(text.find(") {\n") + 1, " -> " + resultType);
      return text;
    }
    return text + "  return\n}\n";
  }

  /// What a later operation reads: the result's name on tensors, the buffer's on buffers.
  std::string value(const std::string &name, const std::string &buffer) const {
    return on == On::Tensors ? name : buffer;
  }

  On on;
  const RowSizes &sizes;
  std::string text;
};

const char *const kReduced = "\"parallel\", \"reduction\"";
const char *const kParallel = "\"parallel\", \"parallel\"";

/// `body`, in which %w is the element %e of type `from` as f32.
std::string widened(const std::string &from, std::string body) {
  if (from != "f32")
    return "    %w = arith.extf %e : " + from + " to f32\n" + body;
  for (size_t at; (at = body.find("%w")) != std::string::npos;)
    body.replace(at, 2, "%e");
  return body;
}

/// Yields the f32 %name as `to`.
std::string narrow(const std::string &to, const std::string &name) {
  return to == "f32" ? "    linalg.yield %" + name + " : f32\n"
                     : "    %r = arith.truncf %" + name + " : f32 to " + to +
                           "\n    linalg.yield %r : " + to + "\n";
}

} // namespace

std::string softmaxText(On on, const RowSizes &sizes) {
  Writer w(on, sizes, sizes.rows + "x" + sizes.columns + "x", sizes.out);
  std::string row = w.type(w.row(), "f32"), in = w.type(w.whole(), sizes.in);
  w.fill("low", "lowest", w.row());
  w.generic(
      "max", kReduced, {{"x", in, kWhole}}, {"low", row, kRow},
      "  ^bb0(%e: " + sizes.in + ", %a: f32):\n" +
          widened(sizes.in, "    %m = arith.maximumf %w, %a : f32\n    linalg.yield %m : f32\n"));
  w.fill("none", "zero", w.row());
  std::string max = w.value("max", "low");
  w.generic("sum", kReduced, {{"x", in, kWhole}, {max, row, kRow}}, {"none", row, kRow},
            "  ^bb0(%e: " + sizes.in + ", %t: f32, %a: f32):\n" +
                widened(sizes.in, "    %d = arith.subf %w, %t : f32\n    %p = math.exp %d : f32\n"
                                  "    %s = arith.addf %p, %a : f32\n    linalg.yield %s : f32\n"));
  std::string out = w.type(w.whole(), sizes.out);
  w.generic("y", kParallel,
            {{"x", in, kWhole}, {max, row, kRow}, {w.value("sum", "none"), row, kRow}},
            {"o", out, kWhole},
            "  ^bb0(%e: " + sizes.in + ", %t: f32, %s: f32, %a: " + sizes.out + "):\n" +
                widened(sizes.in, "    %d = arith.subf %w, %t : f32\n    %p = math.exp %d : f32\n"
                                  "    %q = arith.divf %p, %s : f32\n" +
                                      narrow(sizes.out, "q")));
  return w.finish("y", out);
}

std::string sumText(On on, const RowSizes &sizes) {
  Writer w(on, sizes, sizes.rows + "x", "f32");
  std::string row = w.type(w.row(), "f32");
  // On buffers the sum goes on from what the result holds; on tensors likewise.
  w.generic("y", kReduced, {{"x", w.type(w.whole(), sizes.in), kWhole}}, {"o", row, kRow},
            "  ^bb0(%e: " + sizes.in + ", %a: f32):\n" +
                widened(sizes.in,
                        "    %q = arith.mulf %w, %w : f32\n    %s = arith.addf %q, %a : f32\n"
                        "    linalg.yield %s : f32\n"));
  return w.finish("y", row);
}

std::string siluText(On on, const RowSizes &sizes) {
  Writer w(on, sizes, sizes.rows + "x" + sizes.columns + "x", sizes.out);
  std::string out = w.type(w.whole(), sizes.out);
  w.generic("y", kParallel, {{"x", w.type(w.whole(), sizes.in), kWhole}}, {"o", out, kWhole},
            "  ^bb0(%e: " + sizes.in + ", %a: " + sizes.out + "):\n" +
                widened(sizes.in,
                        "    %m = arith.negf %w : f32\n    %p = math.exp %m : f32\n"
                        "    %d = arith.addf %p, %one : f32\n    %q = arith.divf %w, %d : f32\n" +
                            narrow(sizes.out, "q")));
  return w.finish("y", out);
}

std::string columnSumText(On on, const RowSizes &sizes) {
  Writer w(on, sizes, sizes.columns + "x", "f32");
  std::string out = w.type(sizes.columns + "x", "f32");
  w.generic("y", kReduced, {{"x", w.type(w.whole(), sizes.in), "affine_map<(i, j) -> (j, i)>"}},
            {"o", out, kRow},
            "  ^bb0(%e: " + sizes.in + ", %a: f32):\n" +
                widened(sizes.in, "    %s = arith.addf %w, %a : f32\n    linalg.yield %s : f32\n"));
  return w.finish("y", out);
}

RowKernel::RowKernel(const std::string &text) {
  context
      .loadDialect<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect, linalg::LinalgDialect,
                   LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                   scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect>();
  module = parseSourceString<ModuleOp>(text, &context);
  if (module)
    for (Operation &op : function().getBody().front().without_terminator())
      operations.push_back(&op);
}

} // namespace forge::test
