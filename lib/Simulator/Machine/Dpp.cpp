// Data-parallel primitives of AMD: a register read from another lane (AMD Instinct MI300 ISA,
// "DPP"; RDNA 3 ISA for row_share and row_xmask).
#include "State.h"

using namespace forge::sim;

/// Meets none of the kinds of Collective.cpp, which are below 256.
static constexpr uint32_t kDpp = 256;

namespace {
struct Moved {
  uint64_t value;
  int32_t source;
  bool found;
};
} // namespace

static void complete(Collective &collective, Warp &) {
  uint64_t values[64];
  auto payload = [&](uint32_t lane) { return static_cast<Moved *>(collective.payloads[lane]); };
  for (uint64_t rest = collective.arrived; rest; rest &= rest - 1)
    values[__builtin_ctzll(rest)] = payload(__builtin_ctzll(rest))->value;
  for (uint64_t rest = collective.arrived; rest; rest &= rest - 1) {
    Moved &moved = *payload(__builtin_ctzll(rest));
    moved.found = moved.source >= 0 && (collective.arrived >> moved.source & 1);
    if (moved.found)
      moved.value = values[moved.source];
  }
}

/// The lane that `lane` reads from; -1 for none.
static int32_t sourceOf(uint32_t control, int32_t lane, uint32_t site) {
  int32_t row = lane & ~15, i = lane & 15, n = control & 15;
  bool isWave64 = machine->chip.warpSize == 64;
  if (control < 0x100) // quad_perm
    return (lane & ~3) + (control >> 2 * (lane & 3) & 3);
  if (n && control < 0x110) // row_shl
    return i + n < 16 ? lane + n : -1;
  if (n && control > 0x110 && control < 0x120) // row_shr
    return i >= n ? lane - n : -1;
  if (n && control > 0x120 && control < 0x130) // row_ror
    return row + ((i - n) & 15);
  if (control == 0x140) // row_mirror
    return row + 15 - i;
  if (control == 0x141) // row_half_mirror
    return (lane & ~7) + 7 - (lane & 7);
  if (!isWave64 && control >= 0x150 && control < 0x160) // row_share
    return row + n;
  if (!isWave64 && control >= 0x160 && control < 0x170) // row_xmask
    return row + (i ^ n);
  if (isWave64)
    switch (control) {
    case 0x130: // wave_shl
      return lane < 63 ? lane + 1 : -1;
    case 0x134: // wave_rol
      return (lane + 1) & 63;
    case 0x138: // wave_shr
      return lane - 1;
    case 0x13c: // wave_ror
      return (lane - 1) & 63;
    case 0x142: // row_bcast_15: the last lane of the row before
      return row - 1;
    case 0x143: // row_bcast_31
      return lane > 31 ? 31 : -1;
    default:
      break;
    }
  fail(FindingKind::InvalidOperation,
       "DPP control " + std::to_string(control) + " is none that " + machine->chip.name + " has",
       site);
}

/// `masks`: rows in bits 0-3, banks of four lanes in bits 4-7 that are written; bit 8: what comes
/// from no active lane is 0, not `old`.
extern "C" uint64_t forge_sim_dpp(uint64_t old, uint64_t value, uint32_t control, uint32_t masks,
                                  uint32_t site) {
  uint32_t lane = machine->current->lane;
  Moved moved{value, sourceOf(control, int32_t(lane), site), false};
  meet(kDpp, 0, true, &moved, complete, site);
  bool isWritten = (masks >> lane / 16 & 1) && (masks >> (4 + lane % 16 / 4) & 1);
  if (!isWritten)
    return old;
  return moved.found ? moved.value : masks >> 8 & 1 ? 0 : old;
}
