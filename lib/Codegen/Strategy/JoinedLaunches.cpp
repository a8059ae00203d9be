#include "JoinedLaunches.h"

#include "forge/Codegen/CostModel.h"
#include "forge/Codegen/JoinLimits.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Strategy.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace forge;

namespace {
/// A product that may be the library's, or be joined with others.
struct Product {
  func::FuncOp kernel;
  ScheduleAttr schedule;
  /// Of the library, and of `schedule` alone.
  double library = 0, alone = 0;
  int64_t blocks = 0;
  bool isJoined = false;
};

/// Numbers of products, in the order of calls.
using Group = SmallVector<unsigned, 8>;

class JoinedChoice {
public:
  JoinedChoice(ModuleOp module, const llvm::SetVector<Operation *> &free, const GPUChip &chip)
      : chip(chip) {
    for (Operation *op : free)
      if (std::optional<Product> product = productOf(cast<func::FuncOp>(op))) {
        numbers[product->kernel.getNameAttr()] = products.size();
        products.push_back(*product);
      }
    module.walk([&](func::FuncOp function) {
      if (!isKernel(function) && !products.empty())
        function.walk([&](Block *block) { collect(*block); });
    });
  }

  void run();

private:
  std::optional<Product> productOf(func::FuncOp kernel);
  std::optional<unsigned> numberOf(Operation &op) const;
  void collect(Block &block);
  double secondsOf(const Group &group) const;

  const GPUChip &chip;
  SmallVector<Product> products;
  llvm::DenseMap<StringAttr, unsigned> numbers;
  SmallVector<Group> groups;
};
} // namespace

/// Nothing for those whose other schedule does not join launches, or has too many blocks for that.
std::optional<Product> JoinedChoice::productOf(func::FuncOp kernel) {
  ScheduleAttr schedule = getSchedule(kernel), other = getSchedule(kernel, kFallbackScheduleAttr);
  if (!schedule || !other || schedule.findWord("library") != "cost")
    return std::nullopt;
  const Strategy *library = findStrategy(schedule.strategy()),
                 *joining = findStrategy(other.strategy());
  if (!library->callsLibrary || !joining->joinsLaunches || !joining->fit)
    return std::nullopt;
  std::optional<PredictedTime> time = predictTime(*library, kernel, chip);
  std::optional<ScheduleFit> fit = joining->fit(kernel, other, chip);
  if (!time || !fit || !fit->seconds ||
      fit->tiles * fit->threads > chip.processors * kResidentThreads)
    return std::nullopt;
  double alone = strategyCost(chip.name, joining->name).seconds(*fit->seconds);
  return Product{kernel, other, time->seconds, alone, fit->tiles};
}

std::optional<unsigned> JoinedChoice::numberOf(Operation &op) const {
  auto call = dyn_cast<func::CallOp>(op);
  if (!call)
    return std::nullopt;
  auto found = numbers.find(call.getCalleeAttr().getRootReference());
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

/// A call joins the earliest one before it that is near and behind all that it waits for: work of
/// other calls, loops and branches. The views between move along.
void JoinedChoice::collect(Block &block) {
  struct Started {
    int64_t at;
    Group group;
  };
  SmallVector<Started> started;
  // Of each operation, the first place at which what it is made of is there.
  llvm::DenseMap<Operation *, int64_t> ready;
  int64_t place = 0;
  for (Operation &op : block) {
    int64_t earliest = 0;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (auto found = ready.find(operand.getDefiningOp()); found != ready.end())
          earliest = std::max(earliest, found->second);
    });
    bool isMovable = op.getNumRegions() == 0 && isPure(&op);
    ++place;
    ready[&op] = isMovable ? earliest : place;
    std::optional<unsigned> number = numberOf(op);
    if (!number)
      continue;
    auto *joined = llvm::find_if(started, [&](const Started &other) {
      return other.at > earliest && place - other.at <= kMostCrossed &&
             other.group.size() < kMostJoined &&
             products[other.group.front()].schedule.strategy() ==
                 products[*number].schedule.strategy();
    });
    if (joined == started.end())
      started.push_back({place, {*number}});
    else
      joined->group.push_back(*number);
  }
  for (Started &each : started)
    groups.push_back(std::move(each.group));
}

/// Blocks of launches that are one fill the places that each of them leaves. Calls in loops count
/// once, and registers as if each block had its own.
double JoinedChoice::secondsOf(const Group &group) const {
  double library = 0, longest = 0, filled = 0;
  for (unsigned number : group) {
    const Product &product = products[number];
    if (!product.isJoined) {
      library += product.library;
      continue;
    }
    auto places = static_cast<double>(llvm::alignTo(product.blocks, chip.processors));
    longest = std::max(longest, product.alone);
    filled += product.alone * static_cast<double>(product.blocks) / places;
  }
  return library + std::max(longest, filled);
}

/// A kernel is the same wherever it is called: what is gained in one place may be lost in another.
void JoinedChoice::run() {
  auto seconds = [&] {
    double all = 0;
    for (const Group &group : groups)
      all += secondsOf(group);
    return all;
  };
  for (const Group &group : groups) {
    if (group.size() < 2)
      continue;
    double before = seconds();
    SmallVector<unsigned> changed;
    for (unsigned number : group)
      if (!products[number].isJoined) {
        products[number].isJoined = true;
        changed.push_back(number);
      }
    if (seconds() < before)
      continue;
    for (unsigned number : changed)
      products[number].isJoined = false;
  }
  for (const Product &product : products) {
    if (!product.isJoined)
      continue;
    func::FuncOp kernel = product.kernel;
    kernel->setAttr(kScheduleAttr, product.schedule);
    kernel->removeDiscardableAttr(kFallbackScheduleAttr);
    kernel->setAttr(kJoinedAttr, UnitAttr::get(kernel.getContext()));
  }
}

void forge::preferJoinedLaunches(ModuleOp module, const llvm::SetVector<Operation *> &free,
                                 const GPUChip &chip) {
  JoinedChoice(module, free, chip).run();
}
