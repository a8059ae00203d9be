#include "VhloDialect.h"

#include "VhloOps.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace forge;

MLIR_DEFINE_EXPLICIT_TYPE_ID(forge::VhloDialect)

namespace {
/// Reads the properties of any operation, by its row in the table.
struct VhloProperties : public mlir::BytecodeOpInterface::FallbackModel<VhloProperties> {
  static mlir::LogicalResult readProperties(mlir::DialectBytecodeReader &reader,
                                            mlir::OperationState &state) {
    const VhloOp *op = findVhloOp(state.name.getStringRef());
    llvm::StringRef rest = op->attributes;
    while (!rest.empty()) {
      auto [name, others] = rest.split(' ');
      rest = others;
      mlir::Attribute value;
      if (failed(reader.readAttribute(value)))
        return mlir::failure();
      state.addAttribute(name, value);
    }
    return mlir::success();
  }
  void writeProperties(mlir::Operation *, mlir::DialectBytecodeWriter &) const {}
};
} // namespace

VhloDialect::VhloDialect(mlir::MLIRContext *context)
    : ExtensibleDialect(getDialectNamespace(), context, mlir::TypeID::get<VhloDialect>()) {
  // What is read is theirs.
  context->loadDialect<stablehlo::StableHLODialect, mlir::func::FuncDialect>();
  addInterface(createVhloBytecodeInterface(this));
  auto accept = [](mlir::Operation *) { return mlir::success(); };
  for (const VhloOp &op : vhloOps()) {
    registerDynamicOp(mlir::DynamicOpDefinition::get(op.name, this, accept, accept));
    mlir::OperationName name(("vhlo." + op.name).str(), context);
    name.attachInterface<VhloProperties>();
  }
}
