#include "Problem.h"

#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/Debug.h"

namespace forge {
#define GEN_PASS_DEF_LOWERCONTRACTIONSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-lower-contractions"

using namespace mlir;
using namespace forge;
using namespace forge::contraction;

namespace {

/// 1. For every contraction on buffers: its loops by role, its sizes and strides, a schedule (the
///    one written on it, or the heuristics').
/// 2. If what is before it fills its output with zero, the fill is dropped and the kernel
///    starts from zero.
/// 3. One private function for each distinct kernel: element types, layouts, roles, schedule. The
///    operation becomes a call; equal ones share the function, so a model of many layers compiles
///    one. So do products of which forge-fuse-narrow-factors has put the maker of a factor into the
///    body.
struct LowerContractions : forge::impl::LowerContractionsPassBase<LowerContractions> {
  using LowerContractionsPassBase::LowerContractionsPassBase;

  void runOnOperation() override {
    std::optional<TargetInfo> info = TargetInfo::byName(target);
    if (!info) {
      getOperation().emitError("unknown target '") << target << "'";
      return signalPassFailure();
    }
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (failed(lower(op, *info)))
        return signalPassFailure();
  }

  LogicalResult lower(linalg::LinalgOp op, const TargetInfo &info);
  LogicalResult lowerMade(const MadeProduct &product, const TargetInfo &info);
  func::FuncOp declareKernel(linalg::LinalgOp op, StringRef base, TypeRange operands);
  func::FuncOp makeKernel(linalg::LinalgOp op, const LoopGroups &groups,
                          const ContractionSchedule &schedule, bool fromZero,
                          const TargetInfo &info);

  llvm::StringMap<func::FuncOp> kernels;
};

/// The fill of zeros that alone decides what `op` finds in its output, if it is before it in
/// the same block with nothing between that touches memory.
linalg::FillOp findZeroFill(linalg::LinalgOp op) {
  Value output = op.getDpsInits()[0];
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    if (auto fill = dyn_cast<linalg::FillOp>(before))
      if (fill.getOutputs()[0] == output)
        return matchPattern(fill.getInputs()[0], m_PosZeroFloat()) ? fill : linalg::FillOp();
    if (auto load = dyn_cast<MemoryEffectOpInterface>(before))
      if (load.hasNoEffect())
        continue;
    if (isa<memref::AllocOp, memref::AllocaOp>(before))
      continue;
    // Another operation: of no concern if it does not see the output's buffer.
    auto linalgOp = dyn_cast<linalg::LinalgOp>(before);
    Operation *source = output.getDefiningOp();
    if (!linalgOp || !isa_and_nonnull<memref::AllocOp>(source))
      return {};
    for (Value operand : linalgOp->getOperands())
      while (operand) {
        if (operand == output)
          return {};
        auto view = operand.getDefiningOp<ViewLikeOpInterface>();
        operand = view ? view.getViewSource() : Value();
      }
  }
  return {};
}

std::string kernelKey(linalg::LinalgOp op, bool fromZero) {
  std::string key;
  llvm::raw_string_ostream out(key);
  for (Value operand : op->getOperands())
    out << operand.getType() << ";";
  out << op.getIndexingMaps() << ";" << op->getDiscardableAttr(kScheduleAttr) << fromZero;
  return key;
}

/// The body of a product whose factor is made, the same for equal ones: what is from outside by its
/// type and the place of its first use.
std::string bodyText(const MadeProduct &product) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::DenseMap<Value, unsigned> numbers;
  for (Value value : product.captured)
    out << value.getType() << ";";
  SmallVector<Value> known(product.op.getBody()->getArguments());
  known.append(product.captured);
  for (Value value : known)
    numbers.try_emplace(value, numbers.size());
  for (Operation &op : *product.op.getBody()) {
    out << op.getName() << op.getAttrDictionary() << op.getResultTypes() << "(";
    for (Value operand : op.getOperands()) {
      Attribute constant;
      if (matchPattern(operand, m_Constant(&constant)))
        out << constant << ",";
      else
        out << numbers.at(operand) << ",";
    }
    out << ")";
    for (Value result : op.getResults())
      numbers.try_emplace(result, numbers.size());
  }
  return text;
}

/// "contraction_f32_16x2048x512": input type and sizes of batch (if any), m, n and k.
std::string kernelName(const StaticProblem &p) {
  std::string name = "contraction_";
  llvm::raw_string_ostream out(name);
  out << p.input << "_";
  auto size = [&](int64_t n) {
    if (ShapedType::isDynamic(n))
      out << "d";
    else
      out << n;
  };
  for (const StaticLoop &loop : p.batch) {
    size(loop.size);
    out << "x";
  }
  size(p.m.size);
  out << "x";
  size(p.n.size);
  out << "x";
  size(p.k.size);
  return name;
}

/// Operations and bytes of one call, for statistics, if all sizes are known and they can be
/// counted.
void setCounts(func::FuncOp function, const StaticProblem &p, ValueRange operands) {
  // 1. What one operand holds fits in 63 bits; three of them, and products, need not.
  uint64_t bytes = 0;
  for (Value operand : operands) {
    auto type = cast<MemRefType>(operand.getType());
    if (!type.hasStaticShape())
      return;
    bytes += static_cast<uint64_t>(type.getNumElements()) * type.getElementTypeBitWidth() / 8;
  }
  // 2. With the operands' sizes, those of all loops are known.
  int64_t flops = 2;
  bool overflows = bytes > static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  auto multiply = [&](int64_t size) { overflows |= llvm::MulOverflow(flops, size, flops); };
  for (int64_t size : {p.m.size, p.n.size, p.k.size})
    multiply(size);
  for (const StaticLoop &loop : llvm::concat<const StaticLoop>(p.batch, p.outerK))
    multiply(loop.size);
  if (overflows)
    return;
  Builder b(function.getContext());
  function->setAttr(kFlopsAttr, b.getI64IntegerAttr(flops));
  function->setAttr(kBytesAttr, b.getI64IntegerAttr(static_cast<int64_t>(bytes)));
}

LogicalResult LowerContractions::lower(linalg::LinalgOp op, const TargetInfo &info) {
  ScheduleAttr given = getSchedule(op);
  if (given && failed(checkContractionFields(op, given)))
    return failure();
  std::string whyNot;
  auto loops = matchContraction(op, [&](const Twine &reason) { whyNot = reason.str(); });
  if (failed(loops)) {
    if (given)
      return emitScheduleError(op, "no strategy of products takes this operation: ") << whyNot;
    if (op->hasAttr(kMadeFactorAttr) && op.hasPureBufferSemantics()) {
      auto made = matchMadeProduct(op, [&](const Twine &reason) { whyNot = reason.str(); });
      if (succeeded(made) && isComputable(*made, info))
        return lowerMade(*made, info);
    }
    LLVM_DEBUG(llvm::dbgs() << "not lowered: " << whyNot << ": " << *op << "\n");
    return success();
  }
  LoopGroups groups = groupLoops(op, *loops);
  StaticProblem problem = analyzeStatically(op, groups);
  ContractionSchedule schedule =
      chooseSchedule(problem, info, given ? given : ScheduleAttr::empty(&getContext()));
  // Iterations of a loop around it are shared out.
  if (op->getParentOfType<scf::ForallOp>() || op->getParentOfType<scf::ParallelOp>())
    schedule.parallel = false;
  std::string wrong = checkSchedule(schedule, problem, info);
  if (!wrong.empty()) {
    if (given)
      return emitScheduleError(op, "schedule does not fit: ") << wrong;
    return success(); // Left to plain loops: a layout no strategy takes.
  }
  op->setDiscardableAttr(kScheduleAttr, scheduleAttribute(&getContext(), schedule));
  linalg::FillOp fill = findZeroFill(op);
  std::string key = kernelKey(op, bool(fill));
  func::FuncOp &kernel = kernels[key];
  if (!kernel)
    kernel = makeKernel(op, groups, schedule, bool(fill), info);
  OpBuilder b(op);
  func::CallOp::create(b, op.getLoc(), kernel, op->getOperands());
  op->erase();
  if (fill)
    fill->erase();
  return success();
}

func::FuncOp LowerContractions::declareKernel(linalg::LinalgOp op, StringRef base,
                                              TypeRange operands) {
  ModuleOp module = getOperation();
  std::string name = base.str();
  for (int i = 1; module.lookupSymbol(name); ++i)
    name = base.str() + "_" + std::to_string(i);
  OpBuilder b(module.getBody(), module.getBody()->end());
  auto function =
      func::FuncOp::create(b, op.getLoc(), name, FunctionType::get(&getContext(), operands, {}));
  function.setPrivate();
  function->setAttr("llvm.linkage", LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal));
  function->setAttr(kScheduleAttr, op->getDiscardableAttr(kScheduleAttr));
  return function;
}

/// As for other products, with what the factor is made of as further operands of the kernel.
LogicalResult LowerContractions::lowerMade(const MadeProduct &product, const TargetInfo &info) {
  auto op = cast<linalg::LinalgOp>(product.op.getOperation());
  ContractionSchedule schedule = chooseSchedule(product, info);
  if (op->getParentOfType<scf::ForallOp>() || op->getParentOfType<scf::ParallelOp>())
    schedule.parallel = false;
  op->setDiscardableAttr(kScheduleAttr, scheduleAttribute(&getContext(), schedule));
  linalg::FillOp fill = findZeroFill(op);
  SmallVector<Value> operands(op->getOperands());
  operands.append(product.captured);
  func::FuncOp &kernel = kernels[kernelKey(op, bool(fill)) + bodyText(product)];
  OpBuilder b(op);
  if (!kernel) {
    StaticProblem facts = analyzeStatically(product);
    StaticProblem named = facts;
    named.input = product.packed;
    kernel = declareKernel(op, kernelName(named), ValueRange(operands).getTypes());
    setCounts(kernel, facts, operands);
    Block *block = kernel.addEntryBlock();
    OpBuilder inside = OpBuilder::atBlockBegin(block);
    IndexBuilder ib(inside, op.getLoc());
    Value copied;
    Problem problem = buildProblem(ib, product, block->getArguments(), schedule.parallel, copied);
    problem.fromZero = bool(fill);
    if (schedule.strategy == "packed")
      emitPacked(ib, problem, schedule, info);
    else
      emitDot(ib, problem, schedule, info);
    if (copied)
      ib.make<memref::DeallocOp>(copied);
    ib.make<func::ReturnOp>();
  }
  func::CallOp::create(b, op.getLoc(), kernel, operands);
  op->erase();
  if (fill)
    fill->erase();
  return success();
}

func::FuncOp LowerContractions::makeKernel(linalg::LinalgOp op, const LoopGroups &groups,
                                           const ContractionSchedule &schedule, bool fromZero,
                                           const TargetInfo &info) {
  StaticProblem facts = analyzeStatically(op, groups);
  func::FuncOp function = declareKernel(op, kernelName(facts), op->getOperandTypes());
  setCounts(function, facts, op->getOperands());
  Block *block = function.addEntryBlock();
  OpBuilder b = OpBuilder::atBlockBegin(block);
  IndexBuilder ib(b, op.getLoc());
  Problem problem = buildProblem(ib, op, groups, block->getArguments());
  problem.fromZero = fromZero;
  if (schedule.swap)
    problem.swapOperands();
  if (schedule.strategy == "packed")
    emitPacked(ib, problem, schedule, info);
  else if (schedule.strategy == "stream")
    emitStream(ib, problem, schedule, info);
  else
    emitDot(ib, problem, schedule, info);
  ib.make<func::ReturnOp>();
  return function;
}

} // namespace
