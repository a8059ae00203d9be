// What a language model is told of a kernel.
#include "KernelModule.h"
#include "Proposer.h"

#include "forge/Dialect/Forge/IR/ScheduleFields.h"
#include "forge/Dialect/Tile/IR/Tile.h"
#include "forge/Execution/Lowering.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace forge;
using mlir::func::FuncOp;

/// Letters of a kernel's code that are sent.
static constexpr size_t kMostCode = 50'000;

std::string forge::proposalInstructions() {
  return "You tune kernels of Forge, a compiler of transformer models on MLIR. How a GPU kernel is "
         "computed is decided by its schedule, an attribute as "
         "#forge.schedule<strategy = generic, threads = 128>. You are told a kernel, its chip, the "
         "strategies that take it with the fields of their schedules, and the times of schedules "
         "that were tried. Propose up to " +
         std::to_string(Proposer::kMostProposals) +
         " other schedules that may be faster, each on a line of its own:\n"
         "kernel HASH #forge.schedule<strategy = NAME, FIELD = VALUE, ...>\n"
         "with the HASH of the kernel. Fields that you leave out are chosen by the strategy. Each "
         "schedule is checked, its results are compared with a reference, and it is timed; you "
         "are then told what came of it, and may propose others. Other lines are not read.";
}

static void describeField(llvm::raw_ostream &os, llvm::StringRef name) {
  os << name;
  const ScheduleField *field = findScheduleField(name);
  switch (field->kind) {
  case ScheduleField::Kind::Size:
    os << " (" << field->least << " to " << field->most << ")";
    break;
  case ScheduleField::Kind::Sizes:
    os << " (a list of sizes from " << field->least << ")";
    break;
  case ScheduleField::Kind::Flag:
    os << " (true or false)";
    break;
  case ScheduleField::Kind::Word:
    os << " (" << llvm::join(field->words, ", ") << ")";
    break;
  }
}

static void describeOffer(llvm::raw_ostream &os, const Offer &offer) {
  os << "  " << offer.strategy->name;
  if (!offer) {
    os << " does not take it: " << offer.whyNot << "\n";
    return;
  }
  os << " offers " << offer.schedule;
  if (offer.seconds)
    os << llvm::format(", predicted %.4g us", *offer.seconds * 1e6);
  os << "; fields: ";
  llvm::interleaveComma(offer.strategy->fields, os,
                        [&](llvm::StringRef name) { describeField(os, name); });
  os << "\n";
}

static void describeChip(llvm::raw_ostream &os, const GPUChip &chip) {
  os << "Chip " << chip.name << ": " << chip.processors << " multiprocessors, " << chip.warpSize
     << " lanes a warp, at most " << chip.maxThreads << " threads and " << chip.maxSharedBytes
     << " bytes of shared memory a block";
  if (chip.maxCluster > 1)
    os << ", clusters of up to " << chip.maxCluster << " blocks";
  if (chip.warpgroupProducts)
    os << ", wgmma and TMA";
  os << llvm::format("; ceilings: copy %.3g TB/s, matrix units %.4g TFLOP/s in bf16, lanes %.3g "
                     "TFLOP/s in f32.\n",
                     chip.copyBandwidth / 1e12, chip.matrixFlops / 1e12, chip.vectorFlops / 1e12);
}

static std::string cut(std::string text) {
  if (text.size() <= kMostCode)
    return text;
  return text.substr(0, kMostCode) + "\n... (cut here)\n";
}

/// The kernel with its name, without locations and large constants.
static std::string codeOf(FuncOp kernel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  kernel.print(os, mlir::OpPrintingFlags().useLocalScope().elideLargeElementsAttrs(16));
  return cut(text);
}

/// By the schedule in force; empty where its strategy writes none.
static std::string tilesOf(FuncOp kernel, const GPUChip &chip) {
  mlir::OwningOpRef<mlir::ModuleOp> module = moduleOfKernel(kernel, getSchedule(kernel), chip);
  CompileOptions options;
  options.function = "main";
  options.target = "sim:" + chip.name.str();
  options.from = Phase::Kernels;
  if (!lowerTo(*module, options, Phase::Blocks))
    return "";
  auto lowered = module->lookupSymbol<FuncOp>("kernel");
  return lowered && lowered->hasAttr(tile::kGridAttr) ? codeOf(lowered) : "";
}

std::string forge::describeForProposals(FuncOp kernel, const KernelExplanation &explanation,
                                        const GPUChip &chip) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "Kernel " << explanation.hash << ", launched " << explanation.launches
     << " times in a run of its module, at phase kernels:\n\n"
     << codeOf(kernel) << "\n\n";
  if (std::string tiles = tilesOf(kernel, chip); !tiles.empty())
    os << "By the schedule in force it becomes this program on tiles of a block of threads:\n\n"
       << tiles << "\n";
  describeChip(os, chip);
  if (explanation.work)
    os << "The kernel reads " << explanation.work->bytesRead << " bytes, writes "
       << explanation.work->bytesWritten << " and does " << explanation.work->flops
       << llvm::format(" operations: at least %.4g us.\n", floorSeconds(explanation, chip) * 1e6);
  os << "Strategies:\n";
  for (const Offer &offer : explanation.offers)
    describeOffer(os, offer);
  return text;
}
