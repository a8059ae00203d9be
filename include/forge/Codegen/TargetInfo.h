// Facts about the processor code is generated for. Looked up once; no pass asks for a vendor or a
// model.
#ifndef FORGE_CODEGEN_TARGETINFO_H
#define FORGE_CODEGEN_TARGETINFO_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace forge {

struct TargetInfo {
  /// Bits of a vector register, and how many there are.
  int64_t vectorBits = 128;
  int64_t vectorRegisters = 16;
  /// The processor adds the products of pairs of bf16 to f32 (AVX512_BF16).
  bool bf16Dot = false;
  /// Bytes: per core, per core, shared.
  int64_t l1Bytes = 32 << 10;
  int64_t l2Bytes = 512 << 10;
  int64_t l3Bytes = 16 << 20;

  int64_t lanes(unsigned elementBits) const { return vectorBits / elementBits; }

  /// The processor this runs on.
  static TargetInfo host();
  /// "host", "avx512-bf16", "avx512", "avx2" or "generic"; nothing for another name.
  static std::optional<TargetInfo> byName(llvm::StringRef name);
};

} // namespace forge

#endif // FORGE_CODEGEN_TARGETINFO_H
