// What is in the 128 bytes of a tensor map on a simulated device (on hardware the driver
// decides).
#ifndef FORGE_SIMULATOR_TENSORMAP_H
#define FORGE_SIMULATOR_TENSORMAP_H

#include <cstdint>

namespace forge::sim {

/// A tensor in global memory, and the box that one copy moves. Innermost dimension first.
struct TensorMap {
  static constexpr uint32_t kMagic = 0x464d4150;
  uint32_t magic = kMagic;
  uint16_t rank = 0, elementBytes = 0;
  uint64_t base = 0;
  uint64_t sizes[5] = {};
  /// Bytes from one element to the next, of dimensions 1 and up.
  uint64_t strides[4] = {};
  uint32_t box[5] = {};
  /// 0, 32, 64 or 128.
  uint32_t swizzleBytes = 0;
};
static_assert(sizeof(TensorMap) <= 128);

/// Offset in shared memory with the swizzle of so many bytes applied: bits 4 up of the offset are
/// exchanged by those from bit 7 on, one, two or three of them (PTX ISA 5.5.7, "Swizzling modes").
inline uint64_t swizzle(uint64_t offset, uint32_t bytes) {
  uint64_t mask = bytes == 128 ? 7 : bytes == 64 ? 3 : bytes == 32 ? 1 : 0;
  return offset ^ ((offset >> 7 & mask) << 4);
}

} // namespace forge::sim

#endif // FORGE_SIMULATOR_TENSORMAP_H
