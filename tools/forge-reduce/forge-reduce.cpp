// forge-reduce: makes a module smaller while a test program still finds it interesting.
#include "../StandardOutput.h"
#include "Reducer.h"

#include "forge/Import/Diagnostics.h"
#include "forge/Import/ModuleFile.h"
#include "forge/Pipelines/InitAll.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Support/CommandLine.h"
#include "forge/Support/Interrupt.h"
#include "forge/Support/ScratchFolder.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Program.h"

#include <stdlib.h>

using namespace forge;
namespace cl = llvm::cl;

namespace {
/// The command line. Registered with LLVM only where it is read: MLIR's reducer has options of the
/// same names.
struct Options {
  cl::OptionCategory category{"Options of forge-reduce"};
  cl::opt<std::string> path{cl::Positional, cl::Required, cl::desc("MODULE"), cl::cat(category)};
  cl::opt<std::string> program{
      "test", cl::Required, cl::value_desc("program"), cl::cat(category),
      cl::desc("Called with the file of a module: exit status 1 if it is interesting, else 0, as "
               "mlir-reduce has it")};
  cl::opt<std::string> output{"o", cl::init("-"), cl::value_desc("file"), cl::cat(category),
                              cl::desc("Where the smallest module goes; standard output")};
  cl::opt<bool> verbose{"verbose", cl::cat(category),
                        cl::desc("Shows what the test program prints")};
};
} // namespace

static int fail(const std::string &message, int status) {
  llvm::errs() << "error: " << message << "\n";
  return status;
}

static std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, mlir::OpPrintingFlags().assumeVerified());
  return text + "\n";
}

/// Whether the test program finds `module` interesting.
static Result<bool> runTest(const std::string &program, bool verbose, const std::string &file,
                            mlir::ModuleOp module) {
  if (Result<void> written = writeFileAtomically(file, textOf(module)); !written)
    return written.error();
  std::optional<llvm::StringRef> nowhere[] = {llvm::StringRef(), llvm::StringRef(),
                                              llvm::StringRef()};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      program, {program, file}, std::nullopt,
      verbose ? llvm::ArrayRef<std::optional<llvm::StringRef>>() : nowhere, 0, 0, &message);
  if (status != 0 && status != 1)
    return Error{"expected exit status 0 or 1 of " + program + ", but got " +
                 std::to_string(status) + (message.empty() ? "" : ": " + message)};
  return status == 1;
}

/// MLIR's reducer with its own options; what it makes of a module on its way need not verify, and
/// what that says is kept quiet.
static int runMLIR(int argc, char **argv) {
  mlir::registerAllPasses();
  forge::registerAllPasses();
  mlir::DialectRegistry registry;
  forge::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &diagnostic) {
    return mlir::success(diagnostic.str().find("null operand found") != std::string::npos ||
                         diagnostic.str().find("block with no terminator") != std::string::npos);
  });
  return failed(mlir::mlirReduceMain(argc, argv, context)) ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run(int argc, char **argv) {
  Options options;
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(options.category);
  if (!cl::ParseCommandLineOptions(argc, argv, "Makes a module smaller while a test holds\n",
                                   &llvm::errs()))
    return 2;
  installInterruptHandler();

  mlir::DialectRegistry registry;
  forge::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  LineDiagnostics diagnostics(&context);
  const std::string &path = options.path, &program = options.program, &output = options.output;
  if (Result<void> readable = path == "-" ? Result<void>() : checkReadable(path); !readable)
    return fail(readable.error().message, 2);
  mlir::OwningOpRef<mlir::ModuleOp> module = loadModule(path, &context);
  if (!module)
    return 1;
  llvm::ErrorOr<std::string> test = llvm::sys::fs::exists(program)
                                        ? llvm::ErrorOr<std::string>(program)
                                        : llvm::sys::findProgramByName(program);
  if (!test || !llvm::sys::fs::can_execute(*test))
    return fail("expected a program that can be run for --test, but got '" + program + "'", 2);
  llvm::SmallString<128> absolute(*test);
  llvm::sys::fs::make_absolute(absolute);

  Result<ScratchFolder> scratch = ScratchFolder::create("forge-reduce");
  if (!scratch)
    return fail(scratch.error().message, 1);
  std::string file = scratch->file("module.mlir");
  size_t tests = 0;
  auto interesting = [&](mlir::ModuleOp candidate) {
    ++tests;
    return runTest(absolute.str().str(), options.verbose, file, candidate);
  };
  size_t before = reduce::countOperations(*module);
  llvm::errs() << path << ": " << before << " operations\n";
  Result<bool> first = interesting(*module);
  if (!first)
    return fail(first.error().message, 1);
  if (!*first)
    return fail(path + ": expected a module that " + program +
                    " finds interesting (exit status 1), but got exit status 0",
                1);
  Result<void> done = reduce::reduce(module, interesting,
                                     [](const std::string &step) { llvm::errs() << step << "\n"; });
  if (!done)
    return fail(done.error().message, 1);
  llvm::errs() << "from " << before << " to " << reduce::countOperations(*module)
               << " operations by " << tests << " tests\n";
  Result<void> written =
      output == "-" ? (llvm::outs() << textOf(*module), tool::finishStandardOutput())
                    : writeFileAtomically(output, textOf(*module));
  return written ? 0 : fail(written.error().message, 1);
}

int main(int argc, char **argv) {
  // The test program runs hundreds of times: what it runs writes no reproducers unless asked to.
  setenv("FORGE_REPRODUCER_DIR", "", /*overwrite=*/0);
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc))
    if (argument.ltrim('-').starts_with("reduction-tree") ||
        argument.ltrim('-').starts_with("opt-reduction-pass"))
      return runMLIR(argc, argv);
  return run(argc, argv);
}
