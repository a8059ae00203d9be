#include "SequenceWork.h"

#include "forge/Target/CPU/RuntimeCalls.h"
#include "forge/Target/Device/HostCode.h"
#include "forge/Target/Device/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace forge {
#define GEN_PASS_DEF_CAPTURESEQUENCESPASS
#include "forge/Target/Device/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-capture-sequences"

using namespace mlir;
using namespace forge::sequence;

static bool isWorthAGraph(ArrayRef<Operation *> run) {
  int64_t issued = 0;
  for (Operation *op : run)
    issued += countIssued(op);
  return issued >= 2 || llvm::any_of(run, isProduct);
}

namespace {
/// 1. A sequence is a run of operations of one block (of the function, a loop or a branch) that are
///    work for the device, allocations, pure, or loops of such with a known number of steps; other
///    loops and branches, reads and other calls end it. The body of each loop has sequences of its
///    own, for the runs in which the one around it is not captured yet. One of fewer than two
///    pieces of work stays as it is, unless it is a product: a call of the library costs more than
///    replaying what it enqueued.
/// 2. What does not depend on memory of the sequence moves in front of it: scalars, views,
///    allocations that outlive it.
/// Buffers from before that are freed inside are freed behind it.
/// 3. What is left is issued under forge_rt_graph_begin and forge_rt_graph_end, with every pointer
///    and scalar from outside as a word, and the sizes of buffers that only a copy would know: the
///    same words, the same work. In a loop that passes two buffers to and fro there are two sets of
///    words, and two graphs.
class Sequence {
public:
  Sequence(ArrayRef<Operation *> run, unsigned number)
      : ops(run.begin(), run.end()), number(number) {}

  void capture() {
    arrange();
    if (isWorthAGraph(inside))
      wrap();
  }

private:
  /// True if `user`, or the operation of the sequence whose region it is in, is in `list`.
  static bool isIn(Operation *user, ArrayRef<Operation *> list) {
    return llvm::any_of(list, [&](Operation *op) { return op->isAncestor(user); });
  }

  /// The allocation of a freed buffer, if the sequence allocates and frees it.
  bool isTemporary(Operation *alloc) {
    return llvm::any_of(alloc->getUsers(), [&](Operation *user) {
      return isa<memref::DeallocOp>(user) && llvm::is_contained(ops, user);
    });
  }

  static bool isWorkOrLoop(Operation *op) { return isWork(op) || isReplayedLoop(op); }

  bool dependsOnInside(Operation *op) {
    WalkResult found = op->walk([&](Operation *inner) {
      bool depends = llvm::any_of(inner->getOperands(), [&](Value operand) {
        Operation *def = operand.getDefiningOp();
        return def && llvm::is_contained(inside, def);
      });
      return depends ? WalkResult::interrupt() : WalkResult::advance();
    });
    return found.wasInterrupted();
  }

  /// What operations behind the sequence use, and what that is computed from.
  void findOutliving() {
    for (Operation *op : llvm::reverse(ops)) {
      bool isUsedBehind = llvm::any_of(op->getUsers(), [&](Operation *user) {
        return outliving.contains(user) || !isIn(user, ops);
      });
      // A copy or a launch that uses it stays inside; what is freed behind the sequence outlives
      // it.
      bool isFreedBehind = isDeviceAlloc(op) && !isTemporary(op);
      if (!isWorkOrLoop(op) && (isUsedBehind || isFreedBehind))
        outliving.insert(op);
    }
  }

  void arrange() {
    findOutliving();
    Operation *last = ops.back();
    SmallVector<Operation *> behind;
    for (Operation *op : ops) {
      bool stays =
          isWorkOrLoop(op) || (!outliving.contains(op) &&
                               ((isDeviceAlloc(op) && isTemporary(op)) || dependsOnInside(op)));
      if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
        Operation *alloc = dealloc.getMemref().getDefiningOp();
        stays = alloc && llvm::is_contained(inside, alloc);
        if (!stays)
          behind.push_back(op);
      } else if (!stays && !inside.empty()) {
        op->moveBefore(inside.front());
      }
      if (stays)
        inside.push_back(op);
    }
    for (Operation *op : behind)
      op->moveAfter(last), last = op;
  }

  /// Whether `value` is computed in the sequence, loops' counters among it.
  bool isInside(Value value) const {
    return isIn(value.getParentBlock()->getParentOp(), inside) ||
           (value.getDefiningOp() && isIn(value.getDefiningOp(), inside));
  }

  /// A word for each pointer and scalar that comes from outside; nothing for constants, nor for the
  /// host's memory, where tensor maps are written inside.
  SmallVector<Value> wordsOf(OpBuilder &builder) {
    SetVector<Value> captured;
    for (Operation *outer : inside)
      outer->walk([&](Operation *op) {
        for (Value operand : op->getOperands()) {
          // The view that the library's call takes says nothing its buffer does not.
          if (auto cast = operand.getDefiningOp<memref::CastOp>();
              cast && isa<UnrankedMemRefType>(operand.getType()))
            operand = cast.getSource();
          Operation *def = operand.getDefiningOp();
          bool isKnown =
              def && (def->hasTrait<OpTrait::ConstantLike>() || isa<memref::AllocaOp>(def));
          if (!isKnown && !isInside(operand))
            captured.insert(operand);
        }
      });
    SmallVector<Value> words;
    for (Value value : captured) {
      words.push_back(wordOf(builder, value));
      if (auto type = dyn_cast<MemRefType>(value.getType()))
        addShape(builder, value, type, words);
    }
    return words;
  }

  /// What of a buffer's sizes, and of a view's strides and offset, its type does not say.
  static void addShape(OpBuilder &builder, Value value, MemRefType type,
                       SmallVectorImpl<Value> &words) {
    Location loc = value.getLoc();
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        words.push_back(
            wordOf(builder, memref::DimOp::create(builder, loc, value, dim).getResult()));
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    if (type.getLayout().isIdentity() || failed(type.getStridesAndOffset(strides, offset)))
      return;
    auto view = memref::ExtractStridedMetadataOp::create(builder, loc, value);
    if (ShapedType::isDynamic(offset))
      words.push_back(wordOf(builder, view.getOffset()));
    for (auto [stride, number] : llvm::zip_equal(strides, view.getStrides()))
      if (ShapedType::isDynamic(stride))
        words.push_back(wordOf(builder, number));
  }

  static Value wordOf(OpBuilder &builder, Value value) {
    Location loc = value.getLoc();
    Type i64 = builder.getI64Type();
    if (isa<MemRefType>(value.getType()))
      value = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, value);
    if (auto type = dyn_cast<FloatType>(value.getType()))
      value =
          arith::BitcastOp::create(builder, loc, builder.getIntegerType(type.getWidth()), value);
    if (value.getType().isIndex())
      return arith::IndexCastOp::create(builder, loc, i64, value);
    return value.getType() == i64 ? value
                                  : arith::ExtUIOp::create(builder, loc, i64, value).getResult();
  }

  void wrap() {
    Operation *start = inside.front();
    OpBuilder builder(start);
    Location loc = start->getLoc();
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext()), i64 = builder.getI64Type();
    SmallVector<Value> words = wordsOf(builder);
    Value count = LLVM::ConstantOp::create(builder, loc, i64, static_cast<int64_t>(words.size()));
    Value array = allocateWords(start, words.size());
    for (auto [index, word] : llvm::enumerate(words)) {
      Value place = LLVM::GEPOp::create(builder, loc, pointer, i64, array,
                                        LLVM::GEPArg(static_cast<int32_t>(index)));
      LLVM::StoreOp::create(builder, loc, word, place);
    }
    Value key = addKey(start);
    Value issue = LLVM::CallOp::create(builder, loc, TypeRange{builder.getI32Type()},
                                       "forge_rt_graph_begin", ValueRange{key, array, count})
                      .getResult();
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
    Value condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, issue, zero);
    auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    Operation *end = branch.thenBlock()->getTerminator();
    for (Operation *op : inside)
      op->moveBefore(end);
    builder.setInsertionPoint(end);
    LLVM::CallOp::create(builder, loc, TypeRange(), "forge_rt_graph_end", key);
  }

  /// In the function's first block: loops do not take more of the stack with each step.
  static Value allocateWords(Operation *start, size_t count) {
    auto function = start->getParentOfType<func::FuncOp>();
    OpBuilder entry = OpBuilder::atBlockBegin(&function.getBody().front());
    Type i64 = entry.getI64Type();
    Value size = LLVM::ConstantOp::create(entry, start->getLoc(), i64, static_cast<int64_t>(count));
    return LLVM::AllocaOp::create(entry, start->getLoc(),
                                  LLVM::LLVMPointerType::get(entry.getContext()), i64, size);
  }

  /// An address that means this sequence.
  Value addKey(Operation *start) {
    auto module = start->getParentOfType<ModuleOp>();
    OpBuilder outside = OpBuilder::atBlockBegin(module.getBody());
    std::string name = "forge_sequence_" + std::to_string(number);
    // Not constant: equal constants may be merged.
    LLVM::GlobalOp::create(outside, start->getLoc(), outside.getI8Type(), /*isConstant=*/false,
                           LLVM::Linkage::Internal, name, outside.getI8IntegerAttr(0));
    OpBuilder builder(start);
    return LLVM::AddressOfOp::create(builder, start->getLoc(),
                                     LLVM::LLVMPointerType::get(module.getContext()), name);
  }

  SmallVector<Operation *> ops, inside;
  llvm::SmallPtrSet<Operation *, 16> outliving;
  unsigned number;
};

struct CaptureSequencesPass : public forge::impl::CaptureSequencesPassBase<CaptureSequencesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    Type pointer = LLVM::LLVMPointerType::get(&getContext()),
         none = LLVM::LLVMVoidType::get(&getContext());
    forge::declareFunction(builder, module, "forge_rt_graph_begin", builder.getI32Type(),
                           {pointer, pointer, builder.getI64Type()});
    forge::declareFunction(builder, module, "forge_rt_graph_end", none, {pointer});
    unsigned number = 0;
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && function.isPublic())
        for (SmallVector<Operation *> &run : runsIn(function))
          Sequence(run, number++).capture();
  }

  static SmallVector<SmallVector<Operation *>> runsIn(func::FuncOp function) {
    SmallVector<SmallVector<Operation *>> runs = runsOf(function.getBody().front());
    // What is around is captured first: the words of an inner sequence are none of its own.
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      // A fallback belongs to the sequence around it.
      if (isa<scf::ForOp, scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(op) && !isFallback(op))
        for (Region &region : op->getRegions())
          for (Block &block : region)
            llvm::append_range(runs, runsOf(block));
    });
    return runs;
  }

  static SmallVector<SmallVector<Operation *>> runsOf(Block &block) {
    SmallVector<SmallVector<Operation *>> runs(1);
    for (Operation &op : block.without_terminator())
      if (belongs(&op) || isReplayedLoop(&op))
        runs.back().push_back(&op);
      else if (!runs.back().empty())
        runs.emplace_back();
    llvm::erase_if(runs, [](const SmallVector<Operation *> &run) { return !isWorthAGraph(run); });
    return runs;
  }
};
} // namespace
