// memref: memory, and views of it.
#include "Buffer.h"
#include "InterpreterImpl.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

using Values = std::vector<TensorRef>;

Result<int64_t> Buffer::placeOf(ArrayRef<int64_t> index) const {
  int64_t place = offset;
  for (auto [i, size, stride] : llvm::zip_equal(index, sizes, strides)) {
    if (i < 0 || i >= size)
      return Error{"no element " + std::to_string(i) + " of a dimension of size " +
                   std::to_string(size)};
    place += i * stride;
  }
  if (place < 0 || place >= memory->numElements())
    return Error{"no element " + std::to_string(place) + " of " + typeString(*memory)};
  return place;
}

Result<reference::ElementBox> Buffer::box() const {
  int64_t first = offset, last = offset;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    int64_t span;
    if (llvm::MulOverflow(std::max<int64_t>(size - 1, 0), stride, span) ||
        llvm::AddOverflow(span < 0 ? first : last, span, span < 0 ? first : last))
      return Error{"expected places in memory that fit 64 bits"};
  }
  if (!llvm::is_contained(sizes, 0) && (first < 0 || last >= memory->numElements()))
    return Error{"no element " + std::to_string(first < 0 ? first : last) + " of " +
                 typeString(*memory)};
  return reference::ElementBox{offset, strides};
}

Result<HostTensor> Buffer::read() const {
  Result<HostTensor> tensor = HostTensor::create(memory->type(), sizes);
  if (!tensor)
    return tensor;
  Result<reference::ElementBox> from = box();
  if (!from)
    return from.error();
  copyBox(*tensor, {0, reference::stridesOf(sizes)}, *memory, *from, sizes);
  return tensor;
}

std::shared_ptr<Buffer> Buffer::holding(HostTensor tensor) {
  auto buffer = std::make_shared<Buffer>();
  buffer->sizes = tensor.dims();
  buffer->strides = reference::stridesOf(tensor.dims());
  buffer->memory = std::make_shared<HostTensor>(std::move(tensor));
  return buffer;
}

/// Static numbers, with those that are operands from `next` on in the places of kDynamic.
static Dims mixed(ArrayRef<int64_t> numbers, const Values &operands, size_t &next) {
  Dims result(numbers.begin(), numbers.end());
  for (int64_t &number : result)
    if (ShapedType::isDynamic(number))
      number = reference::getInteger(*operands[next++], 0);
  return result;
}

static Dims indicesOf(const Values &operands, size_t first) {
  Dims indices;
  for (size_t i = first; i < operands.size(); ++i)
    indices.push_back(reference::getInteger(*operands[i], 0));
  return indices;
}

static Result<TensorRef> viewOf(const Buffer &source, int64_t offset, Dims sizes, Dims strides) {
  if (llvm::any_of(sizes, [](int64_t size) { return size < 0; }))
    return Error{"expected sizes of 0 or more, but got " + reference::dimsString(sizes)};
  auto view = std::make_shared<Buffer>();
  view->memory = source.memory;
  view->offset = offset;
  view->sizes = std::move(sizes);
  view->strides = std::move(strides);
  return TensorRef(std::move(view));
}

static Result<TensorRef> allocate(MemRefType type, const Values &operands, bool inDouble) {
  if (!type.getLayout().isIdentity())
    return Error{"unsupported layout of memory in the reference"};
  size_t next = 0;
  Result<HostTensor> tensor = HostTensor::create(carried(elementTypeOf(type), inDouble),
                                                 mixed(type.getShape(), operands, next));
  if (!tensor)
    return tensor.error();
  return TensorRef(Buffer::holding(std::move(*tensor)));
}

static Result<TensorRef> subview(memref::SubViewOp op, const Values &operands) {
  const Buffer &source = bufferOf(operands[0]);
  size_t next = 1;
  Dims offsets = mixed(op.getStaticOffsets(), operands, next),
       sizes = mixed(op.getStaticSizes(), operands, next),
       steps = mixed(op.getStaticStrides(), operands, next);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t offset = source.offset;
  Dims keptSizes, strides;
  for (size_t d = 0; d < sizes.size(); ++d) {
    offset += offsets[d] * source.strides[d];
    if (dropped.test(d))
      continue;
    keptSizes.push_back(sizes[d]);
    strides.push_back(steps[d] * source.strides[d]);
  }
  return viewOf(source, offset, std::move(keptSizes), std::move(strides));
}

static Result<TensorRef> expandShape(memref::ExpandShapeOp op, const Values &operands) {
  const Buffer &source = bufferOf(operands[0]);
  size_t next = 1;
  Dims sizes = mixed(op.getStaticOutputShape(), operands, next), strides(sizes.size());
  for (auto [group, stride, size] :
       llvm::zip_equal(op.getReassociationIndices(), source.strides, source.sizes)) {
    int64_t step = stride, count = 1;
    for (int64_t dim : llvm::reverse(group)) {
      strides[static_cast<size_t>(dim)] = step;
      step *= sizes[static_cast<size_t>(dim)];
      count *= sizes[static_cast<size_t>(dim)];
    }
    if (count != size)
      return Error{"expected " + std::to_string(size) + " elements, but got " +
                   std::to_string(count)};
  }
  return viewOf(source, source.offset, std::move(sizes), std::move(strides));
}

static Result<TensorRef> collapseShape(memref::CollapseShapeOp op, const Values &operands) {
  const Buffer &source = bufferOf(operands[0]);
  Dims sizes, strides;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t size = 1, stride = 1;
    for (int64_t dim : llvm::reverse(group)) {
      auto d = static_cast<size_t>(dim);
      if (source.sizes[d] == 1)
        continue;
      if (size == 1)
        stride = source.strides[d];
      else if (source.strides[d] != stride * size && size != 0)
        return Error{"expected dimensions without gaps between them"};
      size *= source.sizes[d];
    }
    sizes.push_back(size);
    strides.push_back(stride);
  }
  return viewOf(source, source.offset, std::move(sizes), std::move(strides));
}

/// Of a copy of the source: the two may overlap.
static Result<void> copy(const Buffer &source, const Buffer &target) {
  Result<HostTensor> elements = source.read();
  if (!elements)
    return elements.error();
  if (source.sizes != target.sizes)
    return Error{"expected sizes " + reference::dimsString(source.sizes) + ", but got " +
                 reference::dimsString(target.sizes)};
  Result<reference::ElementBox> to = target.box();
  if (!to)
    return to.error();
  copyBox(*target.memory, *to, *elements, {0, reference::stridesOf(source.sizes)}, source.sizes);
  return {};
}

Result<TensorRef> Interpreter::Impl::globalMemory(memref::GetGlobalOp op, bool inDouble) {
  auto global = module.lookupSymbol<memref::GlobalOp>(op.getName());
  auto value = global && global.getInitialValue()
                   ? dyn_cast<ElementsAttr>(*global.getInitialValue())
                   : ElementsAttr();
  if (!value || !global.getConstant())
    return Error{"unsupported memory without a constant value"};
  TensorRef &known = constants[{global, inDouble}];
  if (known)
    return known;
  Result<HostTensor> tensor = tensorOf(value);
  if (tensor && inDouble && isFloat(tensor->type()))
    tensor = reference::convert(*tensor, DType::F64);
  if (!tensor)
    return tensor.error();
  known = Buffer::holding(std::move(*tensor));
  return known;
}

std::optional<Result<Interpreter::Impl::Values>>
Interpreter::Impl::runMemory(Operation *op, const Values &operands, bool inDouble) {
  auto one = [&](Result<TensorRef> result) -> Result<Values> {
    return result ? Result<Values>(Values{*result}) : Result<Values>(report(op, result.error()));
  };
  if (isa<memref::AllocOp, memref::AllocaOp>(op))
    return one(allocate(cast<MemRefType>(op->getResult(0).getType()), operands, inDouble));
  if (isa<memref::DeallocOp>(op))
    return Values();
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return one(globalMemory(global, inDouble));
  if (isa<memref::CastOp, memref::MemorySpaceCastOp>(op))
    return Values{operands[0]};
  if (isa<arith::SelectOp>(op) && isa<MemRefType>(op->getResult(0).getType()))
    return Values{operands[operands[0]->getBits(0) ? 1 : 2]};
  if (auto view = dyn_cast<memref::SubViewOp>(op))
    return one(subview(view, operands));
  if (auto view = dyn_cast<memref::ExpandShapeOp>(op))
    return one(expandShape(view, operands));
  if (auto view = dyn_cast<memref::CollapseShapeOp>(op))
    return one(collapseShape(view, operands));
  if (auto view = dyn_cast<memref::ReinterpretCastOp>(op)) {
    size_t next = 1;
    Dims offsets = mixed(view.getStaticOffsets(), operands, next),
         sizes = mixed(view.getStaticSizes(), operands, next),
         strides = mixed(view.getStaticStrides(), operands, next);
    return one(viewOf(bufferOf(operands[0]), offsets[0], std::move(sizes), std::move(strides)));
  }
  if (isa<memref::DimOp>(op)) {
    const Buffer &source = bufferOf(operands[0]);
    int64_t dim = reference::getInteger(*operands[1], 0);
    if (dim < 0 || dim >= static_cast<int64_t>(source.sizes.size()))
      return report(op, Error{"no dimension " + std::to_string(dim)});
    return one(numberOf(DType::I64, source.sizes[static_cast<size_t>(dim)]));
  }
  if (isa<memref::LoadOp>(op)) {
    const Buffer &source = bufferOf(operands[0]);
    Result<int64_t> place = source.placeOf(indicesOf(operands, 1));
    if (!place)
      return report(op, place.error());
    return Values{std::make_shared<const HostTensor>(reference::scalarAt(*source.memory, *place))};
  }
  if (isa<memref::StoreOp>(op)) {
    const Buffer &target = bufferOf(operands[1]);
    Result<int64_t> place = target.placeOf(indicesOf(operands, 2));
    if (!place)
      return report(op, place.error());
    reference::copyElement(*target.memory, *place, *operands[0], 0);
    return Values();
  }
  if (isa<memref::CopyOp>(op)) {
    if (Result<void> copied = copy(bufferOf(operands[0]), bufferOf(operands[1])); !copied)
      return report(op, copied.error());
    return Values();
  }
  return std::nullopt;
}
