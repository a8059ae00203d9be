// What code is generated for: a target as written on the command line, and the facts about its
// chip. Parsed once; passes read the facts and never ask for a vendor.
#ifndef FORGE_CODEGEN_TARGET_H
#define FORGE_CODEGEN_TARGET_H

#include "forge/Support/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace forge {

/// The dialect device code is lowered to.
enum class DeviceDialect { NVVM, ROCDL };

/// One GPU, as code generation sees it.
struct GPUChip {
  llvm::StringLiteral name;
  DeviceDialect dialect;
  /// In LLVM's spelling.
  llvm::StringLiteral triple;
  llvm::StringLiteral features;
  /// Lanes that run in step: of a warp, of a wavefront.
  int64_t warpSize;
  /// Of one block: threads, and bytes of shared memory without and with opting in.
  int64_t maxThreads;
  int64_t sharedBytes;
  int64_t maxSharedBytes;
  /// Multiprocessors of the usual board, for heuristics only.
  int64_t processors;
  /// 2^x in f32 is one instruction, within 2 units in the last place, subnormal results included.
  bool hardwareExp2 = false;
  /// Blocks of a cluster, which reach each other's shared memory; 1 where there are none.
  int64_t maxCluster = 1;
  /// Tensor memory accelerator, and products by warpgroups of operands in shared memory (wgmma).
  bool warpgroupProducts = false;
  /// A kernel can be set up while the kernel before it ends (programmatic dependent launch).
  bool dependentLaunches = false;
  /// Ceilings of the usual board: bytes a second of a copy and of reading alone, floating-point
  /// operations a second of matrix units on bf16 and of all lanes on f32.
  double copyBandwidth = 0, readBandwidth = 0, matrixFlops = 0, vectorFlops = 0;
  /// Memory's and matrix units' are measured; others are 0.8 of data sheets.
  bool hasMeasuredCeilings = false;
};

/// All chips, in no order that matters.
llvm::ArrayRef<GPUChip> gpuChips();
/// The chip called `name`, or null.
const GPUChip *findChip(llvm::StringRef name);

/// A target: "cpu", "cuda:sm_90a", "hip:gfx942", "sim:sm_90a" ...
struct Target {
  /// "cpu", "cuda", "hip" or "sim": what runs the code.
  std::string driver = "cpu";
  /// The chip code is generated for; null for the CPU.
  const GPUChip *chip = nullptr;

  bool isGPU() const { return chip != nullptr; }
  /// "cuda:sm_90a".
  std::string text() const;

  /// Reads a target. Without a chip: sm_90a for cuda, gfx942 for hip. The error names what is
  /// expected.
  static Result<Target> parse(llvm::StringRef text);
};

} // namespace forge

#endif // FORGE_CODEGEN_TARGET_H
