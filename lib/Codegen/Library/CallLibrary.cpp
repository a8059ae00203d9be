#include "LibraryStrategy.h"

#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

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
  linalg::LinalgOp op = product.op;
  stream << getElementTypeOrSelf(op->getOperand(0)) << "_"
         << getElementTypeOrSelf(op->getOperand(2));
  return text;
}

namespace {
/// For each kernel whose schedule is of strategy "library":
/// 1. its product is found again, now on memrefs;
/// 2. each call of it becomes a call of the runtime, with the operands and what says how their
///    dimensions are rows, columns and batch;
/// 3. the kernel goes.
struct CallLibraryPass : public forge::impl::CallLibraryPassBase<CallLibraryPass> {
  using CallLibraryPassBase::CallLibraryPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTableCollection symbols;
    SymbolUserMap users(symbols, module);
    for (func::FuncOp kernel : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (!forge::isKernel(kernel))
        continue;
      auto schedule = forge::getKernelSchedule(kernel);
      if (failed(schedule))
        return signalPassFailure();
      if (!*schedule || (*schedule)->strategy != "library")
        continue;
      if (failed(replaceCalls(kernel, users.getUsers(kernel))))
        return signalPassFailure();
      kernel.erase();
    }
  }

  LogicalResult replaceCalls(func::FuncOp kernel, ArrayRef<Operation *> users) {
    std::optional<forge::LibraryProduct> product = forge::matchLibraryProduct(kernel);
    if (!product)
      return kernel.emitError("expected a product of two matrices and nothing else for strategy "
                              "'library'");
    for (Operation *user : users) {
      auto call = dyn_cast<func::CallOp>(user);
      if (!call)
        return user->emitError("expected kernels to be used by calls only");
      replaceCall(call, *product);
    }
    return success();
  }

  void replaceCall(func::CallOp call, forge::LibraryProduct product) {
    OpBuilder builder(call);
    Location loc = call.getLoc();
    linalg::LinalgOp op = product.op;
    SmallVector<Value> operands;
    for (unsigned number : {product.lhs, product.rhs, 2u}) {
      auto argument = cast<BlockArgument>(op->getOperand(number));
      Value buffer = call.getOperand(argument.getArgNumber());
      auto unranked = UnrankedMemRefType::get(getElementTypeOrSelf(buffer), Attribute());
      operands.push_back(memref::CastOp::create(builder, loc, unranked, buffer));
    }
    for (int64_t value : {product.batchDims, product.rowDims, product.columnDims,
                          int64_t(product.lhsTransposed), int64_t(product.rhsTransposed)})
      operands.push_back(arith::ConstantIntOp::create(builder, loc, value, 64));
    auto made = func::CallOp::create(builder, loc, declare(product, ValueRange(operands)),
                                     TypeRange(), operands);
    made->setAttr(forge::kDeviceCallAttr, builder.getUnitAttr());
    call.erase();
  }

  /// The name of the runtime's function, declared in the module.
  std::string declare(const forge::LibraryProduct &product, ValueRange operands) {
    std::string name = "forge_rt_device_product_" + suffixOf(product);
    ModuleOp module = getOperation();
    if (module.lookupSymbol(name))
      return name;
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto function = func::FuncOp::create(builder, module.getLoc(), name,
                                         builder.getFunctionType(operands.getTypes(), TypeRange()));
    function.setPrivate();
    return name;
  }
};
} // namespace
