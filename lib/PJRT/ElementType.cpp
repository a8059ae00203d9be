#include "ElementType.h"

using namespace forge::pjrt;

static constexpr ElementType kTypes[] = {{PRED, "i1", 1},
                                         {S2, "i2", 1},
                                         {U2, "ui2", 1},
                                         {S4, "i4", 1},
                                         {U4, "ui4", 1},
                                         {S8, "i8", 1},
                                         {U8, "ui8", 1},
                                         {S16, "i16", 2},
                                         {U16, "ui16", 2},
                                         {S32, "i32", 4},
                                         {U32, "ui32", 4},
                                         {S64, "i64", 8},
                                         {U64, "ui64", 8},
                                         {F16, "f16", 2},
                                         {BF16, "bf16", 2},
                                         {F32, "f32", 4},
                                         {F64, "f64", 8},
                                         {F8E5M2, "f8E5M2", 1},
                                         {F8E4M3FN, "f8E4M3FN", 1},
                                         {F8E3M4, "f8E3M4", 1},
                                         {F8E4M3, "f8E4M3", 1},
                                         {F8E4M3B11FNUZ, "f8E4M3B11FNUZ", 1},
                                         {F8E4M3FNUZ, "f8E4M3FNUZ", 1},
                                         {F8E5M2FNUZ, "f8E5M2FNUZ", 1},
                                         {F8E8M0FNU, "f8E8M0FNU", 1},
                                         {F4E2M1FN, "f4E2M1FN", 1},
                                         {C64, "complex<f32>", 8},
                                         {C128, "complex<f64>", 16}};

const ElementType *forge::pjrt::findElementType(BufferType type) {
  for (const ElementType &known : kTypes)
    if (known.type == type)
      return &known;
  return nullptr;
}

const ElementType *forge::pjrt::findElementType(std::string_view name) {
  for (const ElementType &known : kTypes)
    if (known.name == name)
      return &known;
  return nullptr;
}
