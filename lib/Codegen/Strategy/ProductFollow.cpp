#include "ProductFollow.h"

#include "ProductAxes.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace forge;

Value forge::sumsOf(linalg::LinalgOp contraction) {
  return contraction.hasPureTensorSemantics() ? Value(contraction->getResult(0))
                                              : contraction.getDpsInits()[0];
}

linalg::GenericOp forge::onlyWriter(Value temporary) {
  if (auto made = temporary.getDefiningOp<linalg::GenericOp>())
    return temporary.hasOneUse() ? made : linalg::GenericOp();
  if (!temporary.getDefiningOp<memref::AllocOp>())
    return {};
  linalg::GenericOp writer;
  int64_t others = 0;
  for (OpOperand &use : temporary.getUses()) {
    auto op = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (op && op.isDpsInit(&use) && !writer)
      writer = op;
    else
      others += !isa<memref::DeallocOp>(use.getOwner());
  }
  return others == 1 ? writer : linalg::GenericOp();
}

std::optional<ProductCluster> forge::clusterOf(linalg::LinalgOp contraction) {
  Attribute cluster = contraction->getAttr(kClusterAttr);
  auto isMember = [&](Operation *op) { return cluster && op->getAttr(kClusterAttr) == cluster; };
  ProductCluster found;
  found.contractions.push_back(contraction);
  for (Operation *user : contraction->getResult(0).getUsers())
    if (isMember(user))
      found.follow = dyn_cast<linalg::GenericOp>(user);
  for (Value input : found.follow ? ValueRange(found.follow.getInputs()) : ValueRange()) {
    auto other = input.getDefiningOp<linalg::LinalgOp>();
    if (!other || !isMember(other) || llvm::is_contained(found.contractions, other))
      continue;
    if (other->isBeforeInBlock(contraction))
      return std::nullopt;
    found.contractions.push_back(other);
  }
  return found;
}

bool forge::isElementwiseOn(linalg::GenericOp follow, ArrayRef<Value> sums) {
  if (follow.getNumParallelLoops() != follow.getNumLoops())
    return false;
  for (OpOperand &init : follow.getDpsInitsMutable())
    if (!follow.getMatchingIndexingMap(&init).isIdentity() ||
        follow.payloadUsesValueFromOperand(&init) || llvm::is_contained(sums, init.get()))
      return false;
  llvm::SmallDenseSet<Value> seen;
  for (OpOperand *input : follow.getDpsInputOperands()) {
    if (!llvm::is_contained(sums, input->get()))
      continue;
    if (!follow.getMatchingIndexingMap(input).isIdentity())
      return false;
    seen.insert(input->get());
  }
  auto shapeOf = [](Value value) { return cast<ShapedType>(value.getType()).getShape(); };
  return seen.size() == sums.size() && llvm::all_of(sums, [&](Value value) {
           return shapeOf(value) == shapeOf(follow.getDpsInits().front());
         });
}

OpOperand *forge::roundedRead(linalg::GenericOp follow, Value sums, Type narrow) {
  SmallVector<OpOperand *> reads;
  for (OpOperand *input : follow.getDpsInputOperands())
    if (input->get() == sums)
      reads.push_back(input);
  if (reads.size() != 1)
    return nullptr;
  BlockArgument element = follow.getMatchingBlockArgument(reads.front());
  bool onlyRounds = !element.use_empty() && llvm::all_of(element.getUsers(), [&](Operation *user) {
    return isa<arith::TruncFOp>(user) && user->getResult(0).getType() == narrow;
  });
  return onlyRounds ? reads.front() : nullptr;
}

bool forge::isPlainArgument(Value value) {
  auto memref = dyn_cast<MemRefType>(value.getType());
  return isa<BlockArgument>(value) && (!memref || memref.getLayout().isIdentity());
}

/// What a kernel may have besides the products: it makes or reads operands, and writes nothing.
static bool isBeside(Operation &op) {
  if (isa<tensor::EmptyOp, memref::AllocOp, memref::DeallocOp, memref::LoadOp>(op))
    return true;
  return op.getNumRegions() == 0 && isMemoryEffectFree(&op);
}

/// The last sum of products in `block`, and the others that have a factor in common with it; empty
/// if there is none.
static SmallVector<linalg::LinalgOp> lastProducts(Block &block) {
  SmallVector<linalg::LinalgOp> products, ops(block.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp op : llvm::reverse(ops))
    if ((isSumOfProducts(op) || isSumOfNarrowProducts(op) || isSumOfByteProducts(op)) &&
        (products.empty() || llvm::any_of(op.getDpsInputs(), [&](Value factor) {
           return llvm::is_contained(products.front().getDpsInputs(), factor);
         })))
      products.push_back(op);
  return products;
}

/// Whether `op` computes something before the last of `products` that is neither one of them nor
/// what their sums start from.
static bool isBefore(linalg::LinalgOp op, ArrayRef<linalg::LinalgOp> products) {
  if (products.empty() || !op->isBeforeInBlock(products.front()))
    return false;
  return llvm::none_of(products, [&](linalg::LinalgOp product) {
    return op == product ||
           (isa<linalg::FillOp>(op.getOperation()) && sumsOf(op) == product.getDpsInits()[0]);
  });
}

/// Whether `last` computes one thing, a temporary on buffers, that only `loops` read.
static bool isOnlyPlaced(linalg::LinalgOp last, scf::ForOp loops) {
  if (last.getNumDpsInits() != 1)
    return false;
  Value values = sumsOf(last);
  return (last.hasPureTensorSemantics() || values.getDefiningOp<memref::AllocOp>()) &&
         llvm::all_of(values.getUsers(), [&](Operation *user) {
           if (isa<tensor::ExtractOp, memref::LoadOp>(user))
             return loops->isProperAncestor(user);
           return user == last || isa<linalg::FillOp, memref::DeallocOp>(user);
         });
}

std::optional<ProductKernel> forge::matchProductKernel(func::FuncOp kernel,
                                                       SmallVectorImpl<Operation *> *prologue) {
  // 1. Fills, as many contractions, perhaps an elementwise operation.
  ProductKernel found;
  size_t fills = 0;
  SmallVector<linalg::LinalgOp> products;
  if (prologue)
    products = lastProducts(kernel.getBody().front());
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op); linalgOp && isBefore(linalgOp, products)) {
      prologue->push_back(&op);
      continue;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && prologue && !found.placing) {
      found.placing = loop;
      continue;
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp) {
      if (!isBeside(op))
        return std::nullopt;
      continue;
    }
    if (found.follow || found.placing)
      return std::nullopt;
    if (isa<linalg::FillOp>(op))
      ++fills;
    else if (linalgOp.getNumReductionLoops() > 0)
      found.contractions.push_back(linalgOp);
    else if (isa<linalg::GenericOp>(op) && !found.contractions.empty())
      found.follow = cast<linalg::GenericOp>(op);
    else
      return std::nullopt;
  }
  if (found.contractions.empty() || fills != found.contractions.size() ||
      (found.contractions.size() > 1 && !found.follow))
    return std::nullopt;
  // 2. Into the kernel's arguments; the sums are its own where something follows.
  auto last = found.follow ? cast<linalg::LinalgOp>(found.follow.getOperation())
                           : found.contractions.front();
  if (found.placing && !isOnlyPlaced(last, found.placing))
    return std::nullopt;
  if (last.hasPureTensorSemantics()) {
    Operation *root = last;
    if (found.placing)
      root = found.placing;
    // What is before the products may be a result, too.
    ValueRange returned = kernel.getBody().front().getTerminator()->getOperands();
    ValueRange results =
        returned.take_back(std::min<size_t>(returned.size(), root->getNumResults()));
    if (!llvm::equal(results, root->getResults()) ||
        !llvm::all_of(returned.drop_back(results.size()), [&](Value value) {
          return prologue && llvm::is_contained(*prologue, value.getDefiningOp());
        }))
      return std::nullopt;
    return found;
  }
  if (!found.placing && !llvm::all_of(last.getDpsInits(), isPlainArgument))
    return std::nullopt;
  if (found.follow && !llvm::all_of(found.contractions, [](linalg::LinalgOp contraction) {
        return contraction.getDpsInits()[0].getDefiningOp<memref::AllocOp>();
      }))
    return std::nullopt;
  return found;
}

/// Instructions that an operation of what follows takes, about: as measured (SiLU 17 in all, with
/// erf 36, with a tanh of f32 350).
static int64_t instructionsOf(Operation &op, bool isRough) {
  if (isRough)
    return isa<math::ErfcOp>(op) ? 20 : 6;
  if (isa<arith::DivFOp>(op))
    return 20;
  if (isa<math::ExpOp, math::Exp2Op, math::ErfOp>(op))
    return 30;
  bool isSimple = !isa_and_nonnull<math::MathDialect, func::FuncDialect>(op.getDialect()) ||
                  isa<math::AbsFOp, math::FmaOp, math::FloorOp, math::CeilOp, math::CopySignOp,
                      math::RoundOp, math::RoundEvenOp, math::TruncOp, math::IsNaNOp, math::IsInfOp,
                      math::IsFiniteOp, math::AbsIOp>(op);
  return isSimple ? 1 : 300;
}

int64_t forge::countInstructions(linalg::GenericOp follow,
                                 const llvm::DenseSet<Operation *> &approximate) {
  int64_t instructions = 0;
  for (Operation &op : follow.getBody()->without_terminator())
    instructions += instructionsOf(op, approximate.contains(&op));
  return instructions;
}

void forge::allowApproximation(Operation *op) {
  if (auto math = dyn_cast<arith::ArithFastMathInterface>(op))
    op->setAttr(
        math.getFastMathAttrName(),
        arith::FastMathFlagsAttr::get(op->getContext(), math.getFastMathFlagsAttr().getValue() |
                                                            arith::FastMathFlags::afn));
}

const char *forge::whyNotOnTiles(linalg::GenericOp follow) {
  for (Operation &op : follow.getBody()->without_terminator()) {
    if (isa<linalg::IndexOp>(op) || op.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&op) || op.getNumRegions() > 0 ||
        op.getNumResults() != 1)
      return "an epilogue of elementwise operations";
  }
  for (Operation &op : follow.getBody()->getOperations())
    for (Value operand : op.getOperands())
      if (isa<ShapedType>(operand.getType()))
        return "an epilogue of scalars";
  return nullptr;
}

SmallVector<Value> forge::emitFollow(ImplicitLocOpBuilder &b, linalg::GenericOp follow,
                                     ArrayRef<Value> indices,
                                     function_ref<Value(OpOperand &)> elementOf,
                                     const llvm::DenseSet<Operation *> &approximate) {
  IRMapping mapping;
  for (OpOperand *input : follow.getDpsInputOperands()) {
    BlockArgument argument = follow.getMatchingBlockArgument(input);
    if (!argument.use_empty())
      mapping.map(argument, elementOf(*input));
  }
  for (Operation &inner : follow.getBody()->without_terminator()) {
    Operation *clone = b.clone(inner, mapping);
    if (approximate.contains(&inner))
      allowApproximation(clone);
    clone->walk([&](linalg::IndexOp number) {
      number.replaceAllUsesWith(indices[number.getDim()]);
      if (number.getOperation() == clone)
        mapping.map(inner.getResult(0), indices[number.getDim()]);
      number.erase();
    });
  }
  return llvm::map_to_vector(follow.getBody()->getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

Operation *forge::emitOnTiles(ImplicitLocOpBuilder &b, Operation &op, ArrayRef<Value> operands,
                              RankedTensorType type) {
  OperationState state(op.getLoc(), op.getName());
  state.addAttributes(op.getAttrs());
  state.addOperands(operands);
  state.addTypes(type);
  return b.create(state);
}

SmallVector<Value> forge::emitFollowOnTiles(ImplicitLocOpBuilder &b, linalg::GenericOp follow,
                                            function_ref<RankedTensorType(Type)> typeOf,
                                            function_ref<Value(OpOperand &)> elementOf,
                                            function_ref<Value(unsigned)> indexOf,
                                            const llvm::DenseSet<Operation *> &approximate) {
  IRMapping mapping;
  auto splat = [&](Value value) -> Value {
    return isa<RankedTensorType>(value.getType())
               ? value
               : tensor::SplatOp::create(b, value, typeOf(value.getType())).getResult();
  };
  for (OpOperand *input : follow.getDpsInputOperands()) {
    BlockArgument argument = follow.getMatchingBlockArgument(input);
    if (!argument.use_empty())
      mapping.map(argument, splat(elementOf(*input)));
  }
  // What is not of the body is equal for all elements.
  auto tileOf = [&](Value value) {
    if (!mapping.contains(value))
      mapping.map(value, splat(value));
    return mapping.lookup(value);
  };
  for (Operation &inner : follow.getBody()->without_terminator()) {
    Value result = inner.getResult(0);
    if (auto number = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(result, indexOf(number.getDim()));
      continue;
    }
    if (inner.hasTrait<OpTrait::ConstantLike>()) {
      mapping.map(result, splat(b.clone(inner)->getResult(0)));
      continue;
    }
    Operation *made = emitOnTiles(b, inner, llvm::map_to_vector(inner.getOperands(), tileOf),
                                  typeOf(result.getType()));
    if (approximate.contains(&inner))
      allowApproximation(made);
    mapping.map(result, made->getResult(0));
  }
  return llvm::map_to_vector(follow.getBody()->getTerminator()->getOperands(), tileOf);
}

Value forge::loadOperand(ImplicitLocOpBuilder &b, linalg::GenericOp follow, OpOperand &input,
                         ArrayRef<Value> indices) {
  if (!isa<MemRefType>(input.get().getType()))
    return input.get();
  SmallVector<Value> place =
      llvm::map_to_vector(follow.getMatchingIndexingMap(&input).getResults(), [&](AffineExpr expr) {
        return affine::expandAffineExpr(b, b.getLoc(), expr, indices, {});
      });
  return memref::LoadOp::create(b, input.get(), place);
}

void forge::eraseReplaced(func::FuncOp kernel) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(kernel.getBody().front())))
    if (isa<linalg::LinalgOp, memref::DeallocOp>(op) ||
        (isa<memref::AllocOp>(op) && op.use_empty()))
      op.erase();
}
