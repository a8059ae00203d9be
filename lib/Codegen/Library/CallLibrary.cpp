#include "LibraryProduct.h"
#include "LibraryStrategy.h"

#include "../Strategy/HostValues.h"

#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace forge {
#define GEN_PASS_DEF_CALLLIBRARYPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-call-library"

using namespace mlir;

/// "bf16_f32": the types of the inputs and of the output.
static std::string suffixOf(const forge::LibraryProduct &product) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << getElementTypeOrSelf(product.left()) << "_" << getElementTypeOrSelf(product.out());
  return text;
}

namespace {
/// For each kernel whose schedule is of strategy "library":
/// 1. its product is found again, now on memrefs;
/// 2. before each call of it comes a call of the runtime, with the operands as batches of matrices
/// at
///    any strides;
/// 3. the kernel itself, compiled by its other schedule, is called where the runtime says that the
///    library did not do it.
struct CallLibraryPass : public forge::impl::CallLibraryPassBase<CallLibraryPass> {
  using CallLibraryPassBase::CallLibraryPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTableCollection symbols;
    SymbolUserMap users(symbols, module);
    for (func::FuncOp kernel : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (!forge::isKernel(kernel))
        continue;
      forge::ScheduleAttr schedule = forge::getSchedule(kernel);
      if (!schedule || schedule.strategy() != forge::libraryStrategy.name)
        continue;
      if (failed(replaceCalls(kernel, schedule, users.getUsers(kernel))))
        return signalPassFailure();
    }
  }

  LogicalResult replaceCalls(func::FuncOp kernel, forge::ScheduleAttr schedule,
                             ArrayRef<Operation *> users) {
    if (failed(forge::strategyOf(kernel, schedule)) || failed(forge::verifyLibraryKernel(kernel)))
      return failure();
    std::optional<forge::LibraryProduct> product = forge::matchLibraryProduct(kernel);
    Attribute fallback = kernel->removeAttr(forge::kFallbackScheduleAttr);
    if (!fallback)
      return forge::emitScheduleError(kernel, "expected ")
             << forge::kFallbackScheduleAttr << " with a schedule of strategy 'library'";
    kernel->setAttr(forge::kScheduleAttr, fallback);
    for (Operation *user : users) {
      auto call = dyn_cast<func::CallOp>(user);
      if (!call)
        return user->emitError("expected kernels to be used by calls only");
      if (failed(guardCall(call, kernel, *product, schedule.findSize("min_macs").value_or(0))))
        return failure();
    }
    return success();
  }

  /// An operand of the product as [batch, rows, columns], with values of the kernel function.
  static forge::StridedArgument asMatrices(OpBuilder &b, const forge::LibraryProduct &product,
                                           const forge::ProductOperand &operand, Value root,
                                           std::optional<unsigned> row,
                                           std::optional<unsigned> column) {
    Location loc = root.getLoc();
    forge::StridedArgument argument;
    argument.number = cast<BlockArgument>(root).getArgNumber();
    argument.offset = operand.view.offsetValue(b, loc);
    for (std::optional<unsigned> axis : {product.batch, row, column}) {
      argument.sizes.push_back(axis ? product.axes.sizeValue(b, loc, *axis) : b.getIndexAttr(1));
      const forge::ProductOperand::Place *place = axis ? operand.placeOf(*axis) : nullptr;
      // All matrices of a batch have the one factor that is the same for them.
      bool isShared = axis && !place;
      argument.strides.push_back(place ? operand.view.countValue(b, loc, place->stride)
                                       : b.getIndexAttr(isShared ? 0 : 1));
    }
    return argument;
  }

  LogicalResult guardCall(func::CallOp call, func::FuncOp kernel,
                          const forge::LibraryProduct &product, int64_t least) {
    OpBuilder builder(call), inside(kernel.getBody().front().getTerminator());
    Location loc = call.getLoc();
    const forge::LibraryEpilogue &epilogue = product.epilogue;
    const forge::ProductAxes &axes = product.axes;
    forge::HostValues host(call, kernel);
    SmallVector<Value> buffers;
    for (const forge::StridedArgument &argument :
         {asMatrices(inside, product, axes.left, axes.left.view.root, product.row, product.term),
          asMatrices(inside, product, axes.right, axes.right.view.root, product.term,
                     product.column),
          asMatrices(inside, product, axes.out, product.out(), product.row, product.column)}) {
      FailureOr<Value> view = host.view(argument);
      if (failed(view))
        return failure();
      buffers.push_back(*view);
    }
    // What is not there is passed as the output, and not read.
    for (Value value : {epilogue.bias, epilogue.residual})
      buffers.push_back(value ? call.getOperand(cast<BlockArgument>(value).getArgNumber())
                              : buffers[2]);
    std::swap(buffers[2], buffers[4]);
    std::swap(buffers[2], buffers[3]);
    SmallVector<Value> operands;
    for (Value buffer : buffers)
      operands.push_back(memref::CastOp::create(
          builder, loc, UnrankedMemRefType::get(getElementTypeOrSelf(buffer), Attribute()),
          buffer));
    for (int64_t value : {int64_t(epilogue.bias != nullptr), int64_t(epilogue.residual != nullptr),
                          int64_t(epilogue.activation), least})
      operands.push_back(arith::ConstantIntOp::create(builder, loc, value, 64));
    auto made = func::CallOp::create(builder, loc, declare(product, ValueRange(operands)),
                                     builder.getI32Type(), operands);
    made->setAttr(forge::kDeviceCallAttr, builder.getUnitAttr());
    Value no = arith::ConstantIntOp::create(builder, loc, 0, 32);
    Value isLeft =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, made.getResult(0), no);
    auto branch = scf::IfOp::create(builder, loc, isLeft, /*withElseRegion=*/false);
    call->moveBefore(branch.thenBlock()->getTerminator());
    return success();
  }

  /// The name of the runtime's function, declared in the module.
  std::string declare(const forge::LibraryProduct &product, ValueRange operands) {
    std::string name = "forge_rt_device_product_" + suffixOf(product);
    ModuleOp module = getOperation();
    if (module.lookupSymbol(name))
      return name;
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto function =
        func::FuncOp::create(builder, module.getLoc(), name,
                             builder.getFunctionType(operands.getTypes(), builder.getI32Type()));
    function.setPrivate();
    return name;
  }
};
} // namespace
