// Strategies: how a kernel function becomes device code. Each is one folder in lib/Codegen and one
// row of the table in lib/Codegen/Strategy/Table.cpp; passes only see this interface.
#ifndef FORGE_CODEGEN_STRATEGY_H
#define FORGE_CODEGEN_STRATEGY_H

#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <array>
#include <string>

namespace forge {

/// How a kernel is computed; printed and read as
///   forge.schedule = {strategy = "generic", tier = "correctness", tile = array<i64: 1>,
///                     threads = 256 : i64}
struct KernelSchedule {
  std::string strategy;
  /// "correctness", "optimized" or "production".
  std::string tier;
  /// Elements for one thread, one warp or one block, as the strategy says.
  llvm::SmallVector<int64_t> tile;
  /// Of a block.
  int64_t threads = 0;
};

/// The schedule that attribute `name` of a kernel function holds; nothing if there is none;
/// malformed ones are reported there.
mlir::FailureOr<std::optional<KernelSchedule>>
getKernelSchedule(mlir::func::FuncOp kernel, llvm::StringRef name = kScheduleAttr);
void setKernelSchedule(mlir::func::FuncOp kernel, const KernelSchedule &schedule);
mlir::Attribute scheduleAttribute(mlir::MLIRContext *context, const KernelSchedule &schedule);
/// Checks `schedule`, wherever it comes from, with a diagnostic at `kernel`, a kernel function on
/// tensors or on memrefs: code lowered by a schedule that passes computes what the kernel says.
mlir::LogicalResult verifyKernelSchedule(mlir::func::FuncOp kernel, const KernelSchedule &schedule,
                                         const GPUChip &chip);
/// "generic; tile 1, 256 threads", for launches and statistics.
std::string describe(const KernelSchedule &schedule);

/// Elements of an argument of a kernel function, a contiguous buffer: values of the function which
/// depend on its arguments only, in elements.
struct StridedArgument {
  unsigned number = 0;
  /// Where they begin, and of each dimension, the outermost first, its size and stride.
  mlir::OpFoldResult offset;
  llvm::SmallVector<mlir::OpFoldResult, 5> sizes, strides;
};

/// Elements of an argument as the tensor memory accelerator reads them: up to five dimensions at
/// any strides of multiples of 16 bytes but for the innermost one's, which is one element. The host
/// makes a tensor map of it (CUDA Driver API, "Tensor Map Object Management"), which the kernel
/// takes by value: 128 bytes.
struct TensorMap {
  static constexpr int64_t kBytes = 128;
  StridedArgument argument;
  /// What one copy moves, in elements, the innermost first: 1 to 256 each.
  llvm::SmallVector<int64_t, 5> box;
  /// Pattern in shared memory: 0, 32, 64 or 128 bytes.
  int64_t swizzleBytes = 0;
};

/// What a launch needs, in values of the kernel function which depend on its arguments only: the
/// host computes them.
struct LaunchShape {
  std::array<mlir::OpFoldResult, 3> grid;
  std::array<int64_t, 3> block = {1, 1, 1};
  /// Neighbouring blocks that run together and reach each other's shared memory.
  int64_t cluster = 1;
  mlir::OpFoldResult dynamicSharedBytes;
  /// Tensor maps that the kernel takes as its last arguments, of type memref<128xi8>, which the
  /// strategy has added.
  llvm::SmallVector<TensorMap> maps;
  /// Threads that a multiprocessor should hold at once: the assembler may give each the registers
  /// that this leaves. 0: it decides.
  int64_t residentThreads = 0;
};

/// How kernels of one kind become device code. Each strategy is a constant that its folder defines.
struct Strategy {
  /// As schedules have it.
  llvm::StringLiteral name;

  /// The schedule it would give `kernel`, a kernel function on tensors, on this chip; nothing if it
  /// cannot take it.
  std::optional<KernelSchedule> (*plan)(mlir::func::FuncOp kernel, const GPUChip &chip);

  /// Checks what only this strategy can judge of a schedule, with a diagnostic at `kernel`, on
  /// tensors or on memrefs.
  mlir::LogicalResult (*verify)(mlir::func::FuncOp kernel, const KernelSchedule &schedule,
                                const GPUChip &chip);

  /// Rewrites the body of `kernel`, on memrefs, to what one thread does, with the gpu dialect.
  mlir::FailureOr<LaunchShape> (*lower)(mlir::func::FuncOp kernel, const KernelSchedule &schedule,
                                        const GPUChip &chip);
};

/// A unit attribute of calls on the host that take their buffers on the device.
inline constexpr llvm::StringLiteral kDeviceCallAttr = "forge.device_call";

/// On gpu.func and gpu.launch_func: the numbers of arguments that are passed by value, of type
/// memref<128xi8>: tensor maps.
inline constexpr llvm::StringLiteral kByValueAttr = "forge.by_value";

/// On gpu.launch_func: what the kernel is, for messages and timings.
inline constexpr llvm::StringLiteral kDescriptionAttr = "forge.description";

/// All strategies, the most special first; the last takes anything.
llvm::ArrayRef<const Strategy *> strategies();
/// Null if there is none of that name.
const Strategy *findStrategy(llvm::StringRef name);

} // namespace forge

#endif // FORGE_CODEGEN_STRATEGY_H
