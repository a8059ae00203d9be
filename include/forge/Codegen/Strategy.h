// Strategies: how a kernel function becomes device code. Each is one folder in lib/Codegen and one
// row of the table in lib/Codegen/Strategy/Table.cpp; passes only see this interface.
#ifndef FORGE_CODEGEN_STRATEGY_H
#define FORGE_CODEGEN_STRATEGY_H

#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/ScheduleFit.h"
#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <array>

namespace forge {

struct Strategy;

/// The strategy that `schedule` names, which knows all of its fields, with a diagnostic at
/// `kernel`.
mlir::FailureOr<const Strategy *> strategyOf(mlir::func::FuncOp kernel, ScheduleAttr schedule);
/// Checks `schedule`, wherever it comes from, with a diagnostic at `kernel`, a kernel function on
/// tensors or on memrefs: all fields are there, and code lowered by it computes what the kernel
/// says.
mlir::LogicalResult verifyKernelSchedule(mlir::func::FuncOp kernel, ScheduleAttr schedule,
                                         const GPUChip &chip);
/// The same of all schedules of kernels in `module`, which a user may have written.
mlir::LogicalResult verifyKernelSchedules(mlir::ModuleOp module, const GPUChip &chip);

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

  /// Of its schedules, besides `strategy` and `library`. All are there once a schedule is complete.
  llvm::ArrayRef<llvm::StringLiteral> fields;

  /// Of these, the ones that decide in which order the terms of a sum are added: where they agree a
  /// kernel gives the same bits.
  llvm::ArrayRef<llvm::StringLiteral> orderFields;

  /// `given`, which has only fields of this strategy, with those it leaves out chosen for `kernel`,
  /// a kernel function on tensors, on this chip. Fails if it cannot take the kernel or, where
  /// `given` does not name it, another one is sure to be better, and says why.
  mlir::FailureOr<ScheduleAttr> (*plan)(mlir::func::FuncOp kernel, const GPUChip &chip,
                                        ScheduleAttr given, WhyNot whyNot);

  /// Seconds that a kernel of it is predicted to take; nothing if sizes are not known.
  std::optional<double> (*predict)(mlir::func::FuncOp kernel, const GPUChip &chip);

  /// Checks what only this strategy can judge of a complete schedule, with a diagnostic at
  /// `kernel`, on tensors or on memrefs.
  mlir::LogicalResult (*verify)(mlir::func::FuncOp kernel, ScheduleAttr schedule,
                                const GPUChip &chip);

  /// Rewrites the body of `kernel`, on memrefs, to what one thread does, with the gpu dialect. Null
  /// where it is a tile program, or the library's.
  mlir::FailureOr<LaunchShape> (*lower)(mlir::func::FuncOp kernel, ScheduleAttr schedule,
                                        const GPUChip &chip);

  /// It has no device code: kernels of it carry a second schedule, for machines without the
  /// library.
  bool callsLibrary = false;

  /// Of strategies whose kernels are tile programs, else null: writes one in the place of the
  /// operations of `kernel`, on memrefs. Returns whether the kernel's last argument is now a
  /// counter of work: memref<2xi32>, zeros before the launch and after it.
  mlir::FailureOr<bool> (*writeTiles)(mlir::func::FuncOp kernel, ScheduleAttr schedule,
                                      const GPUChip &chip) = nullptr;

  /// By what `plan` chooses among schedules, in a sentence; empty where there is no choice.
  llvm::StringLiteral choice = "";

  /// What a complete legal schedule takes of the chip; nothing if sizes are not known. Null where
  /// that is known of machine code only.
  std::optional<ScheduleFit> (*fit)(mlir::func::FuncOp kernel, ScheduleAttr schedule,
                                    const GPUChip &chip) = nullptr;

  /// Launches of its kernels are one where they can be (`forge-fuse-launches`), and a block needs
  /// so little that many are on a multiprocessor.
  bool joinsLaunches = false;
};

/// A unit attribute of calls on the host that take their buffers on the device.
inline constexpr llvm::StringLiteral kDeviceCallAttr = "forge.device_call";

/// What functions of the runtime begin with that make a tensor map, by element type: their first
/// operand is the map, the second the memory.
inline constexpr llvm::StringLiteral kTensorMapFunction = "forge_rt_device_tensor_map_";

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
