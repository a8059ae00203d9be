// Between the files of lib/Tune: a kernel as a module of its own.
#ifndef FORGE_LIB_TUNE_KERNELMODULE_H
#define FORGE_LIB_TUNE_KERNELMODULE_H

#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace forge {

/// @main, which calls a copy of `kernel` with `schedule`, @kernel; phase `kernels`.
mlir::OwningOpRef<mlir::ModuleOp> moduleOfKernel(mlir::func::FuncOp kernel, ScheduleAttr schedule,
                                                 const GPUChip &chip);

/// @main, which is a copy of `kernel` without schedules: for the CPU, which has no kernel functions;
/// phase `fuse`.
mlir::OwningOpRef<mlir::ModuleOp> hostModuleOfKernel(mlir::func::FuncOp kernel);

} // namespace forge

#endif // FORGE_LIB_TUNE_KERNELMODULE_H
