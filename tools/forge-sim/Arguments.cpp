#include "Arguments.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <limits>

using namespace forge;
using namespace forge::sim;

/// The semantics of a float type, or null for integers.
static const llvm::fltSemantics *semanticsOf(llvm::StringRef type) {
  return llvm::StringSwitch<const llvm::fltSemantics *>(type)
      .Case("f64", &llvm::APFloat::IEEEdouble())
      .Case("f32", &llvm::APFloat::IEEEsingle())
      .Case("f16", &llvm::APFloat::IEEEhalf())
      .Case("bf16", &llvm::APFloat::BFloat())
      .Default(nullptr);
}

/// Bytes of an element, or 0 for what is no type.
static unsigned bytesOf(llvm::StringRef type) {
  return llvm::StringSwitch<unsigned>(type)
      .Cases({"f64", "i64", "index"}, 8)
      .Cases({"f32", "i32"}, 4)
      .Cases({"f16", "bf16", "i16"}, 2)
      .Cases({"i8", "i1"}, 1)
      .Default(0);
}

/// Whether `value` is a number that `encode` takes: integers are cut off after their bits, but must
/// be numbers of 64 bits.
static bool isEncodable(llvm::StringRef type, double value) {
  return semanticsOf(type) || std::abs(value) < 0x1p63;
}

/// The bits of `value` as an element of `type`.
static uint64_t encode(llvm::StringRef type, double value) {
  if (const llvm::fltSemantics *semantics = semanticsOf(type)) {
    llvm::APFloat number(value);
    bool inexact;
    number.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
    return number.bitcastToAPInt().getZExtValue();
  }
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

static Result<void> fill(Argument &argument, llvm::StringRef how, Machine &machine) {
  unsigned size = bytesOf(argument.type);
  double value = 0;
  bool iota = how == "iota";
  if (!iota && (how.getAsDouble(value) || !isEncodable(argument.type, value)))
    return Error{"expected a number, 'iota' or 'uninitialised', but got '" + how.str() + "'"};
  std::vector<char> bytes(argument.count * size);
  for (uint64_t i = 0; i < argument.count; ++i) {
    uint64_t bits = encode(argument.type, iota ? double(i) : value);
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  return machine.write(reinterpret_cast<void *>(argument.bits), bytes.data(), bytes.size());
}

Result<Argument> makeArgument(llvm::StringRef text, const std::vector<Argument> &earlier,
                              Machine &machine) {
  size_t number;
  if (llvm::StringRef rest = text; rest.consume_front("@")) {
    if (rest.getAsInteger(10, number) || number >= earlier.size())
      return Error{"expected the number of an earlier argument, but got '" + text.str() + "'"};
    return earlier[number];
  }
  auto [left, right] = text.split('=');
  Argument argument;
  auto [type, extent] = left.split('[');
  argument.type = type.str();
  if (!bytesOf(type) || right.empty())
    return Error{"expected TYPE=VALUE or TYPE[COUNT]=FILL, but got '" + text.str() + "'"};
  if (extent.empty()) {
    double value;
    if (right.getAsDouble(value) || !isEncodable(type, value))
      return Error{"expected a number, but got '" + right.str() + "'"};
    argument.bits = encode(type, value);
    return argument;
  }
  // So many that the product with the bytes of one fits.
  if (!extent.consume_back("]") || extent.getAsInteger(10, argument.count) ||
      argument.count > std::numeric_limits<int64_t>::max() / 8)
    return Error{"expected TYPE[COUNT]=FILL, but got '" + text.str() + "'"};
  argument.isPointer = true;
  Result<void *> memory = machine.allocate(argument.count * bytesOf(type));
  if (!memory)
    return memory.error();
  argument.bits = reinterpret_cast<uint64_t>(*memory);
  if (right == "uninitialised")
    return argument;
  if (Result<void> filled = fill(argument, right, machine); !filled)
    return filled.error();
  return argument;
}

Result<void> print(const Argument &argument, Machine &machine, llvm::raw_ostream &stream) {
  unsigned size = bytesOf(argument.type);
  std::vector<char> bytes(argument.count * size);
  if (Result<void> done =
          machine.read(bytes.data(), reinterpret_cast<void *>(argument.bits), bytes.size());
      !done)
    return done;
  for (uint64_t i = 0; i < argument.count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * size, size);
    stream << (i ? " " : "");
    if (const llvm::fltSemantics *semantics = semanticsOf(argument.type)) {
      llvm::SmallString<24> text;
      llvm::APFloat(*semantics, llvm::APInt(8 * size, bits)).toString(text, 6);
      stream << text;
    } else {
      stream << llvm::APInt(8 * size, bits).getSExtValue();
    }
  }
  stream << "\n";
  return {};
}
