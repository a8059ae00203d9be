// forge-opt: reads IR, runs passes or named pipelines over it, prints the result. All of MLIR's
// passes and Forge's.
#include "../StandardOutput.h"

#include "forge/Pipelines/InitAll.h"
#include "forge/Simulator/Passes.h"
#include "forge/Support/AtomicFile.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

#include <csignal>

using namespace forge;

static int fail(const std::string &message) {
  llvm::errs() << "error: " << message << "\n";
  return EXIT_FAILURE;
}

/// MLIR's driver, but for the output, which is written all or nothing.
static int optimize(const std::string &inputFile, const std::string &outputFile,
                    mlir::DialectRegistry &registry, const mlir::MlirOptMainConfig &config) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input = mlir::openInputFile(inputFile, &message);
  if (!input)
    return fail(message);
  std::string text;
  llvm::raw_string_ostream toText(text);
  auto &output = outputFile == "-" ? static_cast<llvm::raw_ostream &>(llvm::outs()) : toText;
  bool succeeded = mlir::succeeded(MlirOptMain(output, std::move(input), registry, config));
  Result<void> written = outputFile == "-" ? tool::finishStandardOutput()
                         : succeeded       ? writeFileAtomically(outputFile, text)
                                           : Result<void>();
  if (!written)
    return fail(written.error().message);
  return succeeded ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // A file that grows beyond the limit on file sizes is an error of the write.
  std::signal(SIGXFSZ, SIG_IGN);
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::registerAllPasses();
  forge::registerAllPasses();
  registerForgeSimulatorPasses();
  auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "Forge optimizer driver\n", registry);
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
  return optimize(input, output, registry, config);
}
