// The sdy dialect in bytecode: its attributes are what jaxlib prints, before import drops them.
#include "forge/Dialect/StableHLO/IR/Sdy.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Import/ModuleFile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

TEST(Placements, ArePrintedAsShardyPrintsThem) {
  std::string file = FORGE_IMPORT_INPUTS "/placements.mlir";
  auto expected = llvm::MemoryBuffer::getFile(file);
  ASSERT_TRUE(expected);
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect, sdy::SdyDialect, stablehlo::StableHLODialect>();
  mlir::MLIRContext context(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module = loadModule(file + "bc", &context);
  ASSERT_TRUE(module);
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  EXPECT_EQ(text, (*expected)->getBuffer());
}

} // namespace
