// forge-interpret: runs StableHLO modules with the plain reference interpreter, without compiling
// anything. Checks inside the modules must hold; results are compared with --expect files or
// printed.
#include "../StandardOutput.h"

#include "forge/Dialect/Register/IR/Register.h"
#include "forge/Dialect/StableHLO/IR/Check.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Execution/EntryFunction.h"
#include "forge/Import/Diagnostics.h"
#include "forge/Import/ModuleFile.h"
#include "forge/Support/Npy.h"
#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Inputs.h"
#include "forge/Verify/Interpreter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace forge;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of forge-interpret");
static cl::list<std::string> modules(cl::Positional, cl::OneOrMore, cl::desc("MODULE..."),
                                     cl::cat(category));
static cl::opt<std::string> functionName("function", cl::desc("The function to run"),
                                         cl::value_desc("name"), cl::cat(category));
static cl::list<std::string> inputs("input",
                                    cl::desc("An argument, in order; made up when none is given"),
                                    cl::value_desc("FILE.npy"), cl::cat(category));
static cl::list<std::string> expected("expect", cl::desc("What a result should be, in order"),
                                      cl::value_desc("FILE.npy"), cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Seed of made-up inputs"), cl::init(0),
                              cl::cat(category));
static cl::opt<bool> everyFunction("every-function",
                                   cl::desc("Run all public functions that take no arguments"),
                                   cl::cat(category));
static cl::opt<bool> inDouble("double", cl::desc("Carry floats as f64: no rounding between ops"),
                              cl::cat(category));
static cl::opt<bool> verbose("verbose",
                             cl::desc("Print the numbers and the tolerance behind each verdict"),
                             cl::cat(category));

static bool fail(const std::string &message) {
  llvm::errs() << "error: " << message << "\n";
  return false;
}

/// Reads files as tensors of the first of `types`; `what` names one of them: "input".
static bool readTensors(const cl::list<std::string> &paths, mlir::TypeRange types,
                        const std::string &what, std::vector<HostTensor> &tensors) {
  if (paths.size() > types.size())
    return fail("expected at most " + std::to_string(types.size()) + " of --" + what +
                ", but got " + std::to_string(paths.size()));
  for (auto [path, type] : llvm::zip_first(paths, types)) {
    auto shaped = mlir::dyn_cast<mlir::RankedTensorType>(type);
    mlir::FailureOr<DType> element =
        shaped ? dtypeOf(shaped.getElementType()) : mlir::FailureOr<DType>();
    if (failed(element))
      return fail(path + ": this " + what + " has a type that is not supported");
    Result<HostTensor> tensor = readNpy(path);
    if (!tensor)
      return fail(tensor.error().message);
    tensor = convertNpy(std::move(*tensor), *element);
    if (!tensor)
      return fail(path + ": " + tensor.error().message);
    tensors.push_back(std::move(*tensor));
  }
  return true;
}

static bool compareResults(mlir::func::FuncOp function, const std::vector<HostTensor> &arguments,
                           const std::vector<HostTensor> &results,
                           const std::vector<HostTensor> &wanted) {
  std::vector<Tolerance> tolerances = measureTolerances(function, arguments);
  bool agree = true;
  for (size_t i = 0; i < wanted.size(); ++i) {
    Comparison comparison = compare(results[i], wanted[i], tolerances[i]);
    llvm::outs() << "result " << i << ": " << typeString(results[i])
                 << (comparison.agree ? " agrees: " : " differs: ") << describe(comparison) << "\n";
    if (verbose && comparison.mismatch.empty())
      llvm::outs() << "  " << describeDetails(comparison, tolerances[i]) << "\n";
    agree &= comparison.agree;
  }
  return agree;
}

/// Runs one function on the given or made-up inputs.
static bool runFunction(mlir::func::FuncOp function, const std::string &path) {
  std::vector<HostTensor> arguments, wanted;
  if (!readTensors(inputs, function.getArgumentTypes(), "input", arguments) ||
      !readTensors(expected, function.getResultTypes(), "expect", wanted))
    return false;
  if (inputs.empty()) {
    mlir::FailureOr<std::vector<HostTensor>> made = makeInputs(function, {seed, 5});
    if (failed(made))
      return false;
    arguments = std::move(*made);
  }
  InterpreterOptions options;
  if (inDouble)
    options.precision = InterpreterOptions::Precision::Double;
  Interpreter interpreter(function->getParentOfType<mlir::ModuleOp>(), options);
  mlir::FailureOr<std::vector<HostTensor>> results = interpreter.run(function, arguments);
  if (failed(results))
    return false;
  if (!wanted.empty())
    return compareResults(function, arguments, *results, wanted);
  if (interpreter.checksRun() > 0)
    llvm::outs() << path << ": @" << function.getName() << ": " << interpreter.checksRun()
                 << (interpreter.checksRun() == 1 ? " check holds\n" : " checks hold\n");
  else
    for (const HostTensor &result : *results)
      llvm::outs() << previewString(result, 16) << "\n";
  return true;
}

static bool interpret(const std::string &path) {
  mlir::DialectRegistry registry;
  registry.insert<stablehlo::StableHLODialect, chlo::CHLODialect, check::CheckDialect,
                  transformer::TransformerDialect, registers::RegisterDialect,
                  mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                  mlir::bufferization::BufferizationDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect, mlir::tensor::TensorDialect>();
  mlir::MLIRContext context(registry);
  LineDiagnostics diagnostics(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module = loadModule(path, &context);
  if (!module)
    return false;
  if (everyFunction) {
    bool succeeded = true;
    for (auto function : module->getOps<mlir::func::FuncOp>())
      if (function.isPublic() && function.getNumArguments() == 0)
        succeeded &= runFunction(function, path);
    return succeeded;
  }
  Result<mlir::func::FuncOp> function = findEntry(*module, functionName);
  return function ? runFunction(*function, path) : fail(path + ": " + function.error().message);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Forge's reference interpreter of StableHLO and transformer IR\n");
  int failures = 0;
  for (const std::string &path : modules)
    failures += !interpret(path);
  if (modules.size() > 1)
    llvm::outs() << modules.size() - failures << " of " << modules.size() << " modules succeed\n";
  if (Result<void> arrived = tool::finishStandardOutput(); !arrived)
    failures += !fail(arrived.error().message);
  return failures == 0 ? 0 : 1;
}
