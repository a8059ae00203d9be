// Maxima and minima found by comparing integers are those of IEEE 754: for every pair of one float
// of a type, or of many, with numbers of all kinds.
#include "../../lib/Codegen/Rows/OrderedKey.h"

#include "Jit.h"

#include "forge/Support/SmallFloat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using forge::DType;
using forge::OrderedKey;
using forge::test::Jit;
using forge::test::MemRef1D;
using mlir::vector::CombiningKind;

namespace {

struct Case {
  DType type;
  const char *name;
  int bits;
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.name; }

/// out[i] = extreme(x[i], y[i]), on the bits, where `extreme` is done by keys.
std::string loopOf(const Case &c, CombiningKind kind) {
  std::string word = "i" + std::to_string(c.bits), memory = "memref<?x" + word + ">",
              from = " : " + word + " to " + c.name + "\n";
  bool isMaximum = kind == CombiningKind::MAXIMUMF;
  std::string text = "func.func @f(%x: " + memory + ", %y: " + memory + ", %out: " + memory +
                     ") attributes {llvm.emit_c_interface} {\n"
                     "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                     "  %n = memref.dim %x, %c0 : " +
                     memory +
                     "\n  scf.for %i = %c0 to %n step %c1 {\n"
                     "    %a = memref.load %x[%i] : " +
                     memory + "\n    %b = memref.load %y[%i] : " + memory +
                     "\n    %p = arith.bitcast %a" + from + "    %q = arith.bitcast %b" + from +
                     "    %m = arith." + (isMaximum ? "maximumf" : "minimumf") +
                     " %p, %q : " + c.name + "\n    %r = arith.bitcast %m : " + c.name + " to " +
                     word + "\n    memref.store %r, %out[%i] : " + memory + "\n  }\n  return\n}\n";
  mlir::MLIRContext context;
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                      mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  module->walk([&](mlir::Operation *op) {
    if (!mlir::isa<mlir::arith::MaximumFOp, mlir::arith::MinimumFOp>(op))
      return;
    mlir::Location loc = op->getLoc();
    mlir::OpBuilder b(op);
    std::optional<OrderedKey> key = OrderedKey::of(kind, op->getResult(0).getType());
    ASSERT_TRUE(key);
    EXPECT_EQ(key->kind(), isMaximum ? CombiningKind::MAXSI : CombiningKind::MINSI);
    mlir::Value x = key->encode(b, loc, op->getOperand(0)),
                y = key->encode(b, loc, op->getOperand(1));
    op->getResult(0).replaceAllUsesWith(key->decode(b, loc, key->combine(b, loc, x, y)));
    op->erase();
  });
  text.clear();
  llvm::raw_string_ostream(text) << *module;
  return text;
}

/// Both zeros, the smallest and the largest numbers, infinities and NaNs of both signs, and some of
/// any kind.
template <typename T> std::vector<T> specials(const Case &c) {
  uint64_t sign = uint64_t(1) << (c.bits - 1);
  uint64_t infinity = forge::encodeFloat(c.type, INFINITY), one = forge::encodeFloat(c.type, 1);
  std::vector<T> list;
  for (uint64_t bits : {uint64_t(0), uint64_t(1), one, infinity - 1, infinity, infinity + 1,
                        forge::encodeFloat(c.type, NAN), sign - 1})
    for (uint64_t half : {uint64_t(0), sign})
      list.push_back(static_cast<T>(bits | half));
  std::mt19937_64 random(1);
  for (int i = 0; i < 24; ++i)
    list.push_back(static_cast<T>(random()));
  return list;
}

/// The bits of IEEE 754-2019's maximum or minimum of two numbers.
uint64_t extremeOf(const Case &c, bool isMaximum, uint64_t x, uint64_t y) {
  double a = forge::decodeFloat(c.type, x), b = forge::decodeFloat(c.type, y);
  bool takesFirst = a == b ? std::signbit(a) != isMaximum : (a > b) == isMaximum;
  return takesFirst ? x : y;
}

template <typename T> void check(const Case &c, const std::vector<T> &left) {
  std::vector<T> right = specials<T>(c), x, y;
  for (T a : left)
    for (T b : right) {
      x.push_back(a);
      y.push_back(b);
    }
  for (CombiningKind kind : {CombiningKind::MAXIMUMF, CombiningKind::MINIMUMF}) {
    Jit jit;
    ASSERT_TRUE(jit.compile(loopOf(c, kind), "canonicalize"));
    auto f = jit.function<void (*)(MemRef1D<T> *, MemRef1D<T> *, MemRef1D<T> *)>("f");
    ASSERT_TRUE(f);
    std::vector<T> out(x.size());
    auto count = static_cast<int64_t>(x.size());
    MemRef1D<T> first(x.data(), count), second(y.data(), count), result(out.data(), count);
    f(&first, &second, &result);
    bool isMaximum = kind == CombiningKind::MAXIMUMF;
    for (size_t i = 0; i < x.size(); ++i) {
      double a = forge::decodeFloat(c.type, x[i]), b = forge::decodeFloat(c.type, y[i]);
      bool agrees = std::isnan(a) || std::isnan(b)
                        ? std::isnan(forge::decodeFloat(c.type, out[i]))
                        : out[i] == static_cast<T>(extremeOf(c, isMaximum, x[i], y[i]));
      ASSERT_TRUE(agrees) << (isMaximum ? "maximum" : "minimum") << " of " << a << " and " << b
                          << ", but got " << forge::decodeFloat(c.type, out[i]);
    }
  }
}

template <typename T> std::vector<T> many(const Case &c) {
  std::vector<T> list = specials<T>(c);
  std::mt19937_64 random(2);
  while (list.size() < 20000)
    list.push_back(static_cast<T>(random()));
  return list;
}

class OrderedKeyTest : public testing::TestWithParam<Case> {};

TEST_P(OrderedKeyTest, ExtremesAreThoseOfIEEE) {
  Case c = GetParam();
  if (c.bits == 16) {
    std::vector<uint16_t> all(65536);
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<uint16_t>(i);
    check(c, all);
  } else if (c.bits == 32) {
    check(c, many<uint32_t>(c));
  } else {
    check(c, many<uint64_t>(c));
  }
}

INSTANTIATE_TEST_SUITE_P(Types, OrderedKeyTest,
                         testing::Values(Case{DType::F16, "f16", 16}, Case{DType::BF16, "bf16", 16},
                                         Case{DType::F32, "f32", 32}, Case{DType::F64, "f64", 64}),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(OrderedKey, OnlyExtremesOfFloatsHaveKeys) {
  mlir::MLIRContext context;
  mlir::Builder b(&context);
  EXPECT_FALSE(OrderedKey::of(CombiningKind::ADD, b.getF32Type()));
  EXPECT_FALSE(OrderedKey::of(CombiningKind::MAXNUMF, b.getF32Type())) << "there, NaN loses";
  EXPECT_FALSE(OrderedKey::of(CombiningKind::MAXIMUMF, b.getI32Type()));
  EXPECT_FALSE(OrderedKey::of(CombiningKind::MAXIMUMF, b.getType<mlir::Float8E5M2Type>()));
  EXPECT_TRUE(OrderedKey::of(CombiningKind::MINIMUMF, b.getBF16Type()));
}

} // namespace
