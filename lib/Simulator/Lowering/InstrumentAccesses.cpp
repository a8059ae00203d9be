#include "Lowerings.h"

#include "forge/Simulator/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "forge-instrument-accesses"

namespace forge {
#define GEN_PASS_DEF_INSTRUMENTACCESSESPASS
#include "forge/Simulator/Passes.h.inc"
} // namespace forge

using namespace mlir;
using namespace forge;

namespace {
/// What an address is computed from.
struct Origin {
  /// The kernel's argument, or -1.
  int32_t argument = -1;
  /// The private array, or null; and whether only constants are added to its address.
  LLVM::AllocaOp array;
  bool constant = true;
};
} // namespace

/// The value that field `position` of `aggregate` was given, or null.
static Value fieldOf(Value aggregate, ArrayRef<int64_t> position) {
  while (auto insert = aggregate.getDefiningOp<LLVM::InsertValueOp>()) {
    if (insert.getPosition() == position)
      return insert.getValue();
    if (position.take_front(insert.getPosition().size()) == insert.getPosition())
      return nullptr;
    aggregate = insert.getContainer();
  }
  return nullptr;
}

static Origin trace(Value address) {
  Origin origin;
  while (address) {
    Operation *op = address.getDefiningOp();
    if (auto gep = dyn_cast_or_null<LLVM::GEPOp>(op)) {
      origin.constant &= gep.getDynamicIndices().empty();
      address = gep.getBase();
    } else if (isa_and_nonnull<LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op)) {
      address = op->getOperand(0);
    } else if (auto extract = dyn_cast_or_null<LLVM::ExtractValueOp>(op)) {
      address = fieldOf(extract.getContainer(), extract.getPosition());
    } else {
      if (auto load = dyn_cast_or_null<LLVM::LoadOp>(op))
        if (auto number = load->getAttrOfType<IntegerAttr>(kArgument))
          origin.argument = number.getInt();
      origin.array = dyn_cast_or_null<LLVM::AllocaOp>(op);
      break;
    }
  }
  return origin;
}

/// Alignment of a scalar or vector that nothing was said of: its size, up to 16 bytes, if that is a
/// power of two, or else that of its elements.
static uint64_t naturalAlignment(uint64_t bytes, Type type, const DataLayout &layout) {
  if (llvm::isPowerOf2_64(bytes))
    return std::min<uint64_t>(bytes, 16);
  if (auto vector = dyn_cast<VectorType>(type))
    return layout.getTypeABIAlignment(vector.getElementType());
  return layout.getTypeABIAlignment(type);
}

static bool isOrdered(LLVM::AtomicOrdering ordering, LLVM::AtomicOrdering half) {
  return ordering == half || ordering == LLVM::AtomicOrdering::acq_rel ||
         ordering == LLVM::AtomicOrdering::seq_cst;
}

/// The load that a loop around a compare-and-exchange starts from: part of one atomic operation
/// (memref.generic_atomic_rmw), which sees a value that is not current and tries again.
static bool beginsExchange(LLVM::LoadOp load) {
  return llvm::any_of(load.getAddr().getUsers(),
                      [](Operation *user) { return isa<LLVM::AtomicCmpXchgOp>(user); });
}

namespace {
/// Calls are put in front of each access, then all sites are numbered.
struct InstrumentAccessesPass : forge::impl::InstrumentAccessesPassBase<InstrumentAccessesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    DataLayout layout(module);
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      if (failed(instrument(op, layout)))
        return signalPassFailure();
    notePrivateBytes(module, layout);
    forge::declareCalls(module);
    forge::numberSites(module);
  }

  LogicalResult instrument(Operation *op, const DataLayout &layout) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
      if (op->hasAttr(kArgument))
        return success();
      if (load.getOrdering() != LLVM::AtomicOrdering::not_atomic || beginsExchange(load))
        return atomic(op, load.getAddr(), load.getType(), load.getAlignment(), load.getOrdering(),
                      /*reads=*/true, layout);
      return access(op, "load", load.getAddr(), load.getType(), load.getAlignment(), layout);
    }
    if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
      Type type = store.getValue().getType();
      if (store.getOrdering() != LLVM::AtomicOrdering::not_atomic)
        return atomic(op, store.getAddr(), type, store.getAlignment(), store.getOrdering(),
                      /*reads=*/false, layout);
      return access(op, "store", store.getAddr(), type, store.getAlignment(), layout);
    }
    if (auto rmw = dyn_cast<LLVM::AtomicRMWOp>(op))
      return atomic(op, rmw.getPtr(), rmw.getType(), rmw.getAlignment(), rmw.getOrdering(),
                    /*reads=*/false, layout);
    if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
      return atomic(op, exchange.getPtr(), exchange.getVal().getType(), exchange.getAlignment(),
                    exchange.getSuccessOrdering(), /*reads=*/false, layout);
    if (auto load = dyn_cast<LLVM::MaskedLoadOp>(op))
      return masked(op, "load", load.getData(), load.getMask(), load.getType(),
                    load.getAlignment());
    if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op))
      return masked(op, "store", store.getData(), store.getMask(), store.getValue().getType(),
                    store.getAlignment());
    if (isa<LLVM::MemcpyOp, LLVM::MemmoveOp, LLVM::MemcpyInlineOp>(op))
      return block(op, /*copies=*/true);
    if (isa<LLVM::MemsetOp, LLVM::MemsetInlineOp>(op))
      return block(op, /*copies=*/false);
    if (isa<LLVM::masked_gather, LLVM::masked_scatter, LLVM::masked_expandload,
            LLVM::masked_compressstore>(op))
      return op->emitOpError("expected accesses to neighbouring elements for the simulator");
    return success();
  }

  LLVM::CallOp describe(LLVM::CallOp call, uint64_t bytes, uint64_t alignment,
                        const Origin &origin) {
    Builder builder(&getContext());
    call->setAttr(kSiteBytes, builder.getI64IntegerAttr(bytes));
    call->setAttr(kSiteAlignment, builder.getI64IntegerAttr(alignment));
    if (origin.argument >= 0)
      call->setAttr(kSiteRoot, builder.getI64IntegerAttr(origin.argument));
    markInvisible(call);
    return call;
  }

  LogicalResult access(Operation *op, StringRef kind, Value address, Type type,
                       std::optional<uint64_t> alignment, const DataLayout &layout) {
    uint64_t bytes = layout.getTypeSize(type);
    if (isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type) && !alignment)
      alignment = layout.getTypeABIAlignment(type);
    uint64_t aligned = alignment.value_or(0) ? *alignment : naturalAlignment(bytes, type, layout);
    Origin origin = trace(address);
    OpBuilder builder(op);
    CallBuilder calls(builder, op->getLoc());
    if (origin.array) {
      if (origin.constant)
        return success();
      Value size =
          LLVM::MulOp::create(builder, op->getLoc(), calls.resize(origin.array.getArraySize(), 64),
                              calls.quad(layout.getTypeSize(origin.array.getElemType())));
      describe(calls.callSite("forge_sim_private", kind, {address, origin.array, size}), bytes,
               aligned, origin);
      return success();
    }
    std::string name = ("forge_sim_" + kind).str();
    describe(calls.callSite(name, kind, {address}), bytes, aligned, origin);
    return success();
  }

  LogicalResult atomic(Operation *op, Value address, Type type, std::optional<uint64_t> alignment,
                       LLVM::AtomicOrdering ordering, bool reads, const DataLayout &layout) {
    uint64_t bytes = layout.getTypeSize(type);
    Origin origin = trace(address);
    if (origin.array)
      return success();
    bool used = op->getNumResults() && !op->use_empty();
    int64_t flags = (isOrdered(ordering, LLVM::AtomicOrdering::release) ? 1 : 0) |
                    (isOrdered(ordering, LLVM::AtomicOrdering::acquire) ? 2 : 0) | (reads ? 4 : 0) |
                    (used ? 8 : 0);
    OpBuilder builder(op);
    CallBuilder calls(builder, op->getLoc());
    describe(calls.callSite("forge_sim_atomic", "atomic operation", {address, calls.word(flags)}),
             bytes, bytes, origin)
        .removeMemoryEffectsAttr();
    return success();
  }

  LogicalResult masked(Operation *op, StringRef kind, Value address, Value mask, Type type,
                       uint64_t alignment) {
    auto vector = cast<VectorType>(type);
    int64_t count = vector.getNumElements();
    if (count > 64)
      return op->emitOpError(
                 "expected masked vectors of at most 64 elements for the simulator, but got ")
             << vector;
    OpBuilder builder(op);
    Location loc = op->getLoc();
    CallBuilder calls(builder, loc);
    Value bits = LLVM::BitcastOp::create(builder, loc, builder.getIntegerType(count), mask);
    int64_t bytes = llvm::divideCeil(vector.getElementTypeBitWidth(), 8);
    describe(calls.callSite("forge_sim_masked", kind,
                            {address, bits, calls.word(bytes), calls.word(kind == "store")}),
             bytes, std::max<uint64_t>(alignment, 1), trace(address));
    return success();
  }

  /// llvm.intr.memcpy, memmove, memset: (to, from or value, length).
  LogicalResult block(Operation *op, bool copies) {
    OpBuilder builder(op);
    CallBuilder calls(builder, op->getLoc());
    Value length;
    if (op->getNumOperands() > 2)
      length = calls.resize(op->getOperand(2), 64);
    else
      length = calls.quad(op->getAttrOfType<IntegerAttr>("len").getInt());
    Origin to = trace(op->getOperand(0));
    if (!to.array)
      describe(calls.callSite("forge_sim_store_range", "block store", {op->getOperand(0), length}),
               1, 1, to);
    if (!copies)
      return success();
    Origin from = trace(op->getOperand(1));
    if (!from.array)
      describe(calls.callSite("forge_sim_load_range", "block load", {op->getOperand(1), length}), 1,
               1, from);
    return success();
  }

  /// Stacks of threads must hold the private arrays.
  void notePrivateBytes(ModuleOp module, const DataLayout &layout) {
    uint64_t bytes = 0;
    module.walk([&](LLVM::AllocaOp op) {
      APInt count;
      if (matchPattern(op.getArraySize(), m_ConstantInt(&count)))
        bytes += count.getZExtValue() * uint64_t(layout.getTypeSize(op.getElemType()));
    });
    Builder builder(&getContext());
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (auto kernel = function->getAttrOfType<DictionaryAttr>(kKernel)) {
        NamedAttrList list(kernel);
        list.set("private", builder.getI64IntegerAttr(bytes));
        function->setAttr(kKernel, list.getDictionary(&getContext()));
      }
  }
};
} // namespace
