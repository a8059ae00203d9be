// What every example does with the module it has built.
#ifndef FORGE_EXAMPLES_BUILDERS_EXAMPLE_H
#define FORGE_EXAMPLES_BUILDERS_EXAMPLE_H

#include "Options.h"

#include "forge/Dialect/Transformer/Builders/Graph.h"
#include "forge/Pipelines/InitAll.h"
#include "forge/Verify/Verify.h"

#include "mlir/IR/MLIRContext.h"

#include <cstdio>

namespace forge {

/// A context that knows every dialect the compiler goes through.
inline std::unique_ptr<mlir::MLIRContext> makeContext() {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(registry);
  context->loadAllAvailableDialects();
  return context;
}

/// Prints the module, with arguments under the names of their weights; compiles it for the targets
/// of the command line, runs it on made-up inputs, and compares with the reference: the function
/// named `function`, or the only one. The exit status.
inline int printAndVerify(Result<mlir::OwningOpRef<mlir::ModuleOp>> module,
                          const ExampleOptions &options, const char *function = "") {
  if (!module) {
    std::fprintf(stderr, "error: %s\n", module.error().message.c_str());
    return 1;
  }
  (*module)->print(llvm::outs(), mlir::OpPrintingFlags().printNameLocAsPrefix());
  llvm::outs() << "\n";
  bool agree = true;
  for (const std::string &target : options.targets) {
    VerifyOptions verifyOptions;
    verifyOptions.function = function;
    verifyOptions.target = target;
    verifyOptions.tier = options.tier;
    verifyOptions.seed = options.seed;
    mlir::FailureOr<VerifyReport> report = verify(**module, verifyOptions);
    if (mlir::failed(report))
      return 1;
    llvm::outs() << describe(*report);
    agree &= report->agree();
  }
  return agree ? 0 : 1;
}

} // namespace forge

#endif // FORGE_EXAMPLES_BUILDERS_EXAMPLE_H
