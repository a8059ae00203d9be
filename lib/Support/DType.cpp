#include "forge/Support/DType.h"

#include <array>
#include <string>

using namespace forge;

namespace {
enum class Kind { Float, Bool, Signed, Unsigned };
struct Facts {
  DType type;
  std::string_view name;
  unsigned bits;
  Kind kind;
};
} // namespace

static constexpr std::array<Facts, 26> kFacts{{
    {DType::F64, "f64", 64, Kind::Float},
    {DType::F32, "f32", 32, Kind::Float},
    {DType::F16, "f16", 16, Kind::Float},
    {DType::BF16, "bf16", 16, Kind::Float},
    {DType::F8E4M3FN, "f8E4M3FN", 8, Kind::Float},
    {DType::F8E5M2, "f8E5M2", 8, Kind::Float},
    {DType::F8E3M4, "f8E3M4", 8, Kind::Float},
    {DType::F8E4M3, "f8E4M3", 8, Kind::Float},
    {DType::F8E4M3B11FNUZ, "f8E4M3B11FNUZ", 8, Kind::Float},
    {DType::F8E4M3FNUZ, "f8E4M3FNUZ", 8, Kind::Float},
    {DType::F8E5M2FNUZ, "f8E5M2FNUZ", 8, Kind::Float},
    {DType::F8E8M0FNU, "f8E8M0FNU", 8, Kind::Float},
    {DType::F4E2M1FN, "f4E2M1FN", 4, Kind::Float},
    {DType::I1, "i1", 1, Kind::Bool},
    {DType::I2, "i2", 2, Kind::Signed},
    {DType::U2, "ui2", 2, Kind::Unsigned},
    {DType::I4, "i4", 4, Kind::Signed},
    {DType::U4, "ui4", 4, Kind::Unsigned},
    {DType::I8, "i8", 8, Kind::Signed},
    {DType::U8, "ui8", 8, Kind::Unsigned},
    {DType::I16, "i16", 16, Kind::Signed},
    {DType::U16, "ui16", 16, Kind::Unsigned},
    {DType::I32, "i32", 32, Kind::Signed},
    {DType::U32, "ui32", 32, Kind::Unsigned},
    {DType::I64, "i64", 64, Kind::Signed},
    {DType::U64, "ui64", 64, Kind::Unsigned},
}};

static const Facts &factsOf(DType type) { return kFacts[static_cast<size_t>(type)]; }

size_t forge::byteWidth(DType type) { return (factsOf(type).bits + 7) / 8; }
unsigned forge::bitWidth(DType type) { return factsOf(type).bits; }
bool forge::isFloat(DType type) { return factsOf(type).kind == Kind::Float; }
bool forge::isSignedInteger(DType type) { return factsOf(type).kind == Kind::Signed; }
bool forge::isUnsignedInteger(DType type) { return factsOf(type).kind == Kind::Unsigned; }
std::string_view forge::dtypeName(DType type) { return factsOf(type).name; }

std::optional<DType> forge::parseDType(std::string_view name) {
  std::string full = !name.empty() && name[0] == 'u' && name.substr(0, 2) != "ui"
                         ? "ui" + std::string(name.substr(1))
                         : std::string(name);
  for (const Facts &facts : kFacts)
    if (facts.name == full)
      return facts.type;
  return std::nullopt;
}
