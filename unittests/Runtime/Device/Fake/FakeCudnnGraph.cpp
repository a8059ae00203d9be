#include "FakeCudnnGraph.h"

#include "forge/Support/SmallFloat.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace forge;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

std::string formOf(const Descriptor &graph) {
  std::string form;
  for (const Descriptor *op : graph.list<Descriptor *>(801))
    switch (op->type) {
    case kPointwiseOp:
      form += std::to_string(op->part(750)->one<int>(0)) + " ";
      break;
    case kReductionOp:
      form += "reduce" + std::to_string(op->part(1612)->one<int>(1600)) + " ";
      break;
    default:
      form += op->type == kMatmulOp    ? "product "
              : op->type == kReshapeOp ? "reshape "
                                       : "convolution ";
    }
  return form;
}

static std::string attentionForm(bool causal) {
  return std::string("product 1 ") + (causal ? "501 501 303 601 " : "") +
         "reduce3 9 13 reduce0 15 0 6 product ";
}

static std::string gradientForm(bool causal, bool isGrouped) {
  std::string ofKeys = std::string("reshape product ") + (isGrouped ? "reduce0 " : "");
  return std::string("1 reduce0 1 product 1 9 ") + (causal ? "501 501 303 601 " : "") + "13 " +
         ofKeys + "product 9 1 1 " + ofKeys + "reshape product 21 ";
}

/// A convolution, perhaps with bias, residual and activation.
static bool isConvolution(const std::string &form) {
  for (const char *added : {"", "0 ", "0 0 "})
    for (const char *activation : {"", "100 ", "107 "})
      if (form == std::string("convolution ") + added + activation)
        return true;
  return false;
}

const char *whyNotOffered(const Descriptor &graph) {
  std::string form = formOf(graph);
  if (isConvolution(form))
    return nullptr;
  bool isKnown = false;
  for (bool causal : {false, true}) {
    isKnown |= form == attentionForm(causal);
    for (bool isGrouped : {false, true})
      isKnown |= form == gradientForm(causal, isGrouped);
  }
  if (!isKnown)
    return "no attention";
  // Depths that are no multiples of 8. (cuDNN takes 512 on an H100.)
  for (const Descriptor *op : graph.list<Descriptor *>(801))
    if (op->type == kMatmulOp)
      return op->part(1520)->list<int64_t>(902)[3] % 8 != 0 ? "head_dim % 8" : nullptr;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

int64_t FakeTensor::offsetOf(const Index &index) const {
  int64_t offset = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    offset += (sizes[i] == 1 ? 0 : index[i]) * strides[i];
  return offset;
}

static DType floatOf(int type) { return type == 2 ? DType::F16 : DType::BF16; }
static bool isNarrow(int type) { return type == 2 || type == 9; }

template <typename Value> static Value read(const char *from) {
  Value value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

double FakeTensor::load(const Index &index) const {
  int64_t offset = offsetOf(index);
  if (!data)
    return (*values)[static_cast<size_t>(offset)];
  if (isNarrow(type))
    return decodeFloat(floatOf(type), read<uint16_t>(data + 2 * offset));
  return type == 1 ? read<double>(data + 8 * offset)
                   : static_cast<double>(read<float>(data + 4 * offset));
}

void FakeTensor::store(const Index &index, double value) const {
  int64_t offset = offsetOf(index);
  auto bits =
      isNarrow(type) ? static_cast<uint16_t>(encodeFloat(floatOf(type), value)) : uint16_t();
  if (!data) {
    (*values)[static_cast<size_t>(offset)] =
        isNarrow(type) ? decodeFloat(floatOf(type), bits) : value;
    return;
  }
  auto number = static_cast<float>(value);
  if (isNarrow(type))
    std::memcpy(data + 2 * offset, &bits, 2);
  else if (type == 1)
    std::memcpy(data + 8 * offset, &value, 8);
  else
    std::memcpy(data + 4 * offset, &number, 4);
}

static void forEach(const std::vector<int64_t> &sizes,
                    const std::function<void(const FakeTensor::Index &)> &visit) {
  FakeTensor::Index index(sizes.size());
  for (;;) {
    visit(index);
    size_t dim = sizes.size();
    while (dim > 0 && ++index[dim - 1] == sizes[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void FakeWork::pointwise(const Step &step) {
  const FakeTensor &x = tensors.at(step.x), &y = tensors.at(step.y);
  const FakeTensor *b = step.b ? &tensors.at(step.b) : nullptr,
                   *t = step.t ? &tensors.at(step.t) : nullptr;
  forEach(y.sizes, [&](const FakeTensor::Index &at) {
    double left = x.load(at), right = b ? b->load(at) : 0, result = 0;
    switch (step.mode) {
    case 0:
      result = left + right;
      break;
    case 1:
      result = left * right;
      break;
    case 6:
      result = left / right;
      break;
    case 9:
      result = left - right;
      break;
    case 13:
      result = std::exp(left);
      break;
    case 15:
      result = std::log(left);
      break;
    case 21:
      result = left;
      break;
    case 100:
      result = std::max(left, 0.0);
      break;
    case 107:
      result =
          left / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (left + 0.044715 * left * left * left)));
      break;
    case 303:
      result = left >= right;
      break;
    case 501:
      result = static_cast<double>(at[static_cast<size_t>(step.axis)]);
      break;
    case 601:
      result = t->load(at) != 0 ? left : right;
      break;
    default:
      break;
    }
    y.store(at, result);
  });
}

/// Heads of a factor that has fewer follow each other.
void FakeWork::multiply(const Step &step) {
  const FakeTensor &a = tensors.at(step.x), &b = tensors.at(step.b), &c = tensors.at(step.y);
  forEach(c.sizes, [&](const FakeTensor::Index &at) {
    auto headOf = [&](const FakeTensor &of) { return at[1] / (c.sizes[1] / of.sizes[1]); };
    double sum = 0;
    for (int64_t k = 0; k < a.sizes[3]; ++k)
      sum += a.load({at[0], headOf(a), at[2], k}) * b.load({at[0], headOf(b), k, at[3]});
    c.store(at, sum);
  });
}

void FakeWork::reduce(const Step &step) {
  const FakeTensor &x = tensors.at(step.x), &y = tensors.at(step.y);
  std::vector<int64_t> group;
  for (size_t i = 0; i < x.sizes.size(); ++i)
    group.push_back(x.sizes[i] / y.sizes[i]);
  forEach(y.sizes, [&](const FakeTensor::Index &at) {
    double result = step.mode == 3 ? -INFINITY : 0;
    forEach(group, [&](FakeTensor::Index inner) {
      for (size_t i = 0; i < inner.size(); ++i)
        inner[i] += at[i] * group[i];
      double value = x.load(inner);
      result = step.mode == 3 ? std::max(result, value) : result + value;
    });
    y.store(at, result);
  });
}

void FakeWork::convolve(const Step &step) {
  const FakeTensor &image = tensors.at(step.x), &kernel = tensors.at(step.b),
                   &out = tensors.at(step.y);
  auto factor = [&](double value) {
    return rounds && image.type == 0 ? decodeFloat(DType::BF16, encodeFloat(DType::BF16, value))
                                     : value;
  };
  int64_t outputs = out.sizes[1] / (image.sizes[1] / kernel.sizes[1]);
  std::vector<int64_t> terms(kernel.sizes.begin() + 1, kernel.sizes.end());
  forEach(out.sizes, [&](const FakeTensor::Index &at) {
    double sum = 0;
    forEach(terms, [&](const FakeTensor::Index &term) {
      FakeTensor::Index from{at[0], at[1] / outputs * kernel.sizes[1] + term[0]}, of{at[1]};
      of.insert(of.end(), term.begin(), term.end());
      bool isInside = true;
      for (size_t i = 0; i < step.strides.size(); ++i) {
        from.push_back(at[i + 2] * step.strides[i] + term[i + 1] * step.dilations[i] -
                       step.padding[i]);
        isInside &= from.back() >= 0 && from.back() < image.sizes[i + 2];
      }
      if (isInside)
        sum += factor(image.load(from)) * factor(kernel.load(of));
    });
    out.store(at, sum);
  });
}

int FakeWork::run() {
  for (const Step &step : steps)
    switch (step.type) {
    case kPointwiseOp:
      pointwise(step);
      break;
    case kMatmulOp:
      multiply(step);
      break;
    case kReductionOp:
      reduce(step);
      break;
    case kReshapeOp:
      tensors.at(step.y).data = tensors.at(step.x).data;
      tensors.at(step.y).values = tensors.at(step.x).values;
      break;
    default:
      convolve(step);
      break;
    }
  return 0;
}

//===----------------------------------------------------------------------===//
// From descriptors
//===----------------------------------------------------------------------===//

void FakeWork::addTensor(const Descriptor &tensor) {
  FakeTensor &made = tensors[tensor.one<int64_t>(906)];
  if (!made.sizes.empty())
    return;
  made.type = tensor.one<int>(901);
  made.sizes = tensor.list<int64_t>(902);
  made.strides = tensor.list<int64_t>(903);
  int64_t last = 0;
  for (size_t i = 0; i < made.sizes.size(); ++i)
    last += (made.sizes[i] - 1) * made.strides[i];
  if (tensor.one<bool>(907))
    made.values = std::make_shared<std::vector<double>>(static_cast<size_t>(last) + 1);
}

std::unique_ptr<FakeWork> FakeWork::create(const Descriptor &graph,
                                           const std::map<int64_t, char *> &pointers, bool rounds,
                                           std::string &why) {
  auto work = std::make_unique<FakeWork>();
  work->rounds = rounds;
  std::map<int64_t, bool> isNumber;
  auto number = [&](const Descriptor *op, int attribute) -> int64_t {
    const Descriptor *tensor = op->part(attribute);
    if (!tensor)
      return 0;
    work->addTensor(*tensor);
    isNumber[tensor->one<int64_t>(906)] = tensor->one<bool>(908);
    return tensor->one<int64_t>(906);
  };
  for (const Descriptor *op : graph.list<Descriptor *>(801)) {
    Step step;
    step.type = op->type;
    if (op->type == kPointwiseOp) {
      step.mode = op->part(750)->one<int>(0);
      step.axis = op->part(750)->one<int64_t>(9);
      step.x = number(op, 751);
      step.b = number(op, 752);
      step.t = number(op, 758);
      step.y = number(op, 753);
    } else if (op->type == kMatmulOp) {
      step.x = number(op, 1520);
      step.b = number(op, 1521);
      step.y = number(op, 1522);
    } else if (op->type == kReductionOp) {
      step.mode = op->part(1612)->one<int>(1600);
      step.x = number(op, 1610);
      step.y = number(op, 1611);
    } else if (op->type == kReshapeOp) {
      step.x = number(op, 2200);
      step.y = number(op, 2201);
    } else {
      const Descriptor *how = op->part(702);
      step.dilations = how->list<int64_t>(102);
      step.strides = how->list<int64_t>(103);
      step.padding = how->list<int64_t>(105);
      step.b = number(op, 703);
      step.x = number(op, 704);
      step.y = number(op, 705);
    }
    work->steps.push_back(step);
  }
  for (auto &[id, tensor] : work->tensors) {
    if (tensor.values)
      continue;
    auto found = pointers.find(id);
    if (found == pointers.end() || !found->second) {
      why = "a tensor without a pointer";
      return nullptr;
    }
    tensor.data = found->second;
    if (isNumber[id]) {
      work->numbers.push_back(std::make_unique<float>(read<float>(found->second)));
      tensor.data = reinterpret_cast<char *>(work->numbers.back().get());
    }
  }
  return work;
}
