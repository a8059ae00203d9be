// forge-sim: runs one kernel of a file on the simulated GPU, and says what is wrong with it.
#include "../StandardOutput.h"
#include "Arguments.h"

#include "forge/Pipelines/InitAll.h"
#include "forge/Simulator/Module.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"

#include <ctime>

using namespace forge;
using namespace forge::sim;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of forge-sim");
static cl::opt<std::string> file(cl::Positional, cl::Required, cl::desc("FILE.mlir"),
                                 cl::cat(category));
static cl::opt<std::string> kernelName("kernel",
                                       cl::desc("The gpu.func to run; the only one by default"),
                                       cl::cat(category));
static cl::opt<std::string> grid("grid", cl::desc("Blocks: X, X,Y or X,Y,Z"), cl::init("1"),
                                 cl::cat(category));
static cl::opt<std::string> block("block", cl::desc("Threads of a block, likewise"), cl::init("32"),
                                  cl::cat(category));
static cl::opt<std::string> cluster("cluster", cl::desc("Blocks of a cluster, likewise"),
                                    cl::init("1"), cl::cat(category));
static cl::opt<unsigned> shared("shared", cl::desc("Bytes of dynamic shared memory"),
                                cl::cat(category));
static cl::opt<std::string> chipName("chip", cl::desc("sm_90a, gfx942 ..."), cl::init("sm_90a"),
                                     cl::cat(category));
static cl::list<std::string> arguments(
    "arg",
    cl::desc(
        "TYPE=VALUE, TYPE[COUNT]=VALUE|iota|uninitialised, or @N for the memory of argument N"),
    cl::cat(category));
static cl::list<unsigned> prints("print", cl::desc("Prints the memory of this argument afterwards"),
                                 cl::cat(category));
static cl::opt<uint64_t>
    seed("seed",
         cl::desc("Threads, warps and blocks run in an order that depends on this; 0: ascending"),
         cl::cat(category));
static cl::opt<bool> noRaces("no-races", cl::desc("Does not look for data races"),
                             cl::cat(category));
static cl::opt<bool> noUninitialised("no-uninitialised",
                                     cl::desc("Does not look for reads of uninitialised memory"),
                                     cl::cat(category));
static cl::opt<uint64_t> stepLimit("step-limit",
                                   cl::desc("Steps of loops one thread may take; 2^30 by default"),
                                   cl::init(Options().stepLimit), cl::cat(category));
static cl::opt<unsigned> repeat("repeat", cl::desc("Launches so many times, and prints how fast"),
                                cl::cat(category));

static int complain(const std::string &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

static bool parseDims(llvm::StringRef text, Dim3 &dims) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  uint32_t *fields[] = {&dims.x, &dims.y, &dims.z};
  if (parts.size() > 3)
    return false;
  for (auto [i, part] : llvm::enumerate(parts))
    if (part.getAsInteger(10, *fields[i]))
      return false;
  return true;
}

static Result<const Kernel *> chooseKernel(const Module &module) {
  if (kernelName.empty()) {
    if (module.kernels().size() == 1)
      return &module.kernels().begin()->second;
    return Error{"expected --kernel, since the file has " +
                 std::to_string(module.kernels().size()) + " kernels"};
  }
  if (const Kernel *kernel = module.find(kernelName))
    return kernel;
  return Error{"no kernel '" + kernelName + "' in the file"};
}

static int run(Machine &machine, const Kernel &kernel) {
  LaunchConfig config;
  if (!parseDims(grid, config.grid) || !parseDims(block, config.block) ||
      !parseDims(cluster, config.cluster))
    return complain("expected up to three numbers for --grid, --block and --cluster");
  config.dynamicShared = shared;
  std::vector<Argument> values;
  for (const std::string &text : arguments) {
    Result<Argument> argument = makeArgument(text, values, machine);
    if (!argument)
      return complain(argument.error().message);
    values.push_back(*argument);
  }
  if (values.size() != kernel.arguments.size())
    return complain("expected " + std::to_string(kernel.arguments.size()) + " arguments, but got " +
                    std::to_string(values.size()));
  std::vector<void *> packed;
  for (Argument &argument : values)
    packed.push_back(&argument.bits);
  // Of this process's processor time: other programs do not count.
  std::clock_t start = std::clock();
  for (unsigned i = 0; i < std::max(1u, repeat.getValue()); ++i)
    if (std::optional<Finding> finding = machine.launch(kernel, config, packed.data()))
      return complain(finding->str());
  double elapsed = double(std::clock() - start) / CLOCKS_PER_SEC;
  if (repeat) {
    const Statistics &done = machine.statistics();
    llvm::outs() << llvm::format(
        "%.3g threads/s, %.3g accesses/s, %.3g switches/s, %.3g launches/s\n",
        done.threads / elapsed, done.accesses / elapsed, done.switches / elapsed,
        done.launches / elapsed);
  }
  for (unsigned number : prints) {
    if (number >= values.size() || !values[number].isPointer)
      return complain("expected the number of a buffer for --print, but got " +
                      std::to_string(number));
    if (Result<void> printed = print(values[number], machine, llvm::outs()); !printed)
      return complain(printed.error().message);
  }
  return 0;
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Runs a kernel on a simulated GPU\n");
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  mlir::DialectRegistry registry;
  forge::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  std::optional<Chip> chip = chipOf(chipName);
  if (!chip)
    return complain("unknown chip '" + chipName + "'");
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(file, sources, &context);
  if (!module)
    return 1;
  Result<std::unique_ptr<Module>> compiled = Module::compile(*module, chip->warpSize);
  if (!compiled)
    return complain(compiled.error().message);
  Result<const Kernel *> kernel = chooseKernel(**compiled);
  if (!kernel)
    return complain(kernel.error().message);
  Machine machine(*chip);
  machine.options() = Options{seed, !noRaces, !noUninitialised, stepLimit};
  int status = run(machine, **kernel);
  Result<void> arrived = tool::finishStandardOutput();
  return arrived ? status : complain(arrived.error().message);
}
