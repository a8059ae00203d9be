#include "TilePrograms.h"

#include "../Tile/LowerTileProgram.h"

#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Dialect/Tile/IR/Tile.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

namespace forge {
#define GEN_PASS_DEF_WRITETILEPROGRAMSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-write-tile-programs"

using namespace mlir;
using namespace forge;

bool TileProgramWriter::applies(func::FuncOp kernel) {
  ScheduleAttr schedule = isKernel(kernel) ? getSchedule(kernel) : ScheduleAttr();
  const Strategy *strategy = schedule ? findStrategy(schedule.strategy()) : nullptr;
  return strategy && strategy->writeTiles && !isTileProgram(kernel);
}

/// Equal operations are one.
static void tidy(func::FuncOp kernel) {
  DominanceInfo dominance(kernel);
  IRRewriter rewriter(kernel.getContext());
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
}

LogicalResult TileProgramWriter::write(func::FuncOp kernel, ArrayRef<Operation *> users) {
  ScheduleAttr schedule = getSchedule(kernel);
  if (failed(verifyKernelSchedule(kernel, schedule, chip)))
    return failure();
  FailureOr<bool> takesWork = findStrategy(schedule.strategy())->writeTiles(kernel, schedule, chip);
  if (failed(takesWork))
    return failure();
  tidy(kernel);
  if (!*takesWork)
    return success();
  for (Operation *user : users) {
    auto call = dyn_cast<func::CallOp>(user);
    if (!call)
      return user->emitError("expected kernels to be used by calls only");
    call.getOperandsMutable().append(counterOf(call->getParentOfType<func::FuncOp>()));
  }
  return success();
}

/// It is cleared where the function begins.
Value TileProgramWriter::counterOf(func::FuncOp host) {
  Value &counter = counters[host];
  if (counter)
    return counter;
  Location loc = host.getLoc();
  auto module = host->getParentOfType<ModuleOp>();
  OpBuilder builder(&host.getBody().front(), host.getBody().front().begin());
  auto type = MemRefType::get({2}, builder.getI32Type());
  constexpr StringLiteral name = "forge_no_work";
  if (!module.lookupSymbol(name)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto zeros = DenseElementsAttr::get(
        RankedTensorType::get(type.getShape(), type.getElementType()), int32_t(0));
    memref::GlobalOp::create(top, module.getLoc(), name, top.getStringAttr("private"), type, zeros,
                             /*constant=*/true, IntegerAttr());
  }
  counter = memref::AllocOp::create(builder, loc, type);
  Value zeros = memref::GetGlobalOp::create(builder, loc, type, name);
  memref::CopyOp::create(builder, loc, zeros, counter);
  return counter;
}

/// What `kernel` says before its tile program is written: the program's linalg form.
static func::FuncOp makeReference(func::FuncOp kernel) {
  func::FuncOp reference = kernel.clone();
  reference.setName((kernel.getName() + "_linalg").str());
  reference->setAttrs(
      llvm::to_vector(llvm::make_filter_range(reference->getAttrs(), [&](NamedAttribute attribute) {
        return llvm::is_contained(reference.getAttributeNames(), attribute.getName().getValue());
      })));
  return reference;
}

namespace {
struct WriteTileProgramsPass
    : public forge::impl::WriteTileProgramsPassBase<WriteTileProgramsPass> {
  using WriteTileProgramsPassBase::WriteTileProgramsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const GPUChip *chip = findChip(chipName);
    if (!chip) {
      module.emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    SymbolTableCollection symbols;
    SymbolUserMap users(symbols, module);
    SymbolTable &table = symbols.getSymbolTable(module);
    TileProgramWriter writer(*chip);
    for (func::FuncOp kernel : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (!TileProgramWriter::applies(kernel))
        continue;
      func::FuncOp reference = makeReference(kernel);
      table.insert(reference, std::next(kernel->getIterator()));
      if (failed(writer.write(kernel, users.getUsers(kernel))))
        return signalPassFailure();
      // A counter of work says nothing about values.
      for (Type type : kernel.getArgumentTypes().drop_front(reference.getNumArguments()))
        (void)reference.insertArgument(reference.getNumArguments(), type, {}, kernel.getLoc());
      kernel->setAttr(kReferenceAttr, FlatSymbolRefAttr::get(reference));
    }
  }
};
} // namespace
