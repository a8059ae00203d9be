#include "HiddenActivation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace forge::huggingface;
using namespace forge::transformer;
using namespace mlir;

namespace {
/// Elementwise operations on tensors of the size of one.
class Elementwise {
public:
  Elementwise(Graph &graph, Value like) : b(graph.builder()), like(like) {}

  Value number(double value) {
    auto type = cast<RankedTensorType>(like.getType());
    Value one = arith::ConstantOp::create(b, b.getFloatAttr(type.getElementType(), value));
    return tensor::SplatOp::create(b, one, tensor::getMixedSizes(b, b.getLoc(), like));
  }
  Value add(Value l, Value r) { return arith::AddFOp::create(b, l, r); }
  Value mul(Value l, Value r) { return arith::MulFOp::create(b, l, r); }
  Value atLeast(Value x, double least) { return arith::MaximumFOp::create(b, x, number(least)); }
  Value atMost(Value x, double most) { return arith::MinimumFOp::create(b, x, number(most)); }
  Value max(Value l, Value r) { return arith::MaximumFOp::create(b, l, r); }
  Value erf(Value x) { return math::ErfOp::create(b, x); }
  Value sqrt(Value x) { return math::SqrtOp::create(b, x); }
  /// log(1 + exp(x)), of which nothing overflows.
  Value softplus(Value x) {
    Value decay = math::ExpOp::create(b, arith::NegFOp::create(b, math::AbsFOp::create(b, x)));
    return add(atLeast(x, 0), math::Log1pOp::create(b, decay));
  }

private:
  ImplicitLocOpBuilder &b;
  Value like;
};
} // namespace

/// x sigmoid(1.702 x).
static Value quickGelu(Graph &graph, Value x) {
  return graph.multiply(x, graph.activation(ActivationKind::Sigmoid, graph.scaled(x, 1.702)));
}

/// gelu(x) from -10 to 10.
static Value gelu10(Graph &graph, Value x) {
  Elementwise e(graph, x);
  return e.atMost(e.atLeast(graph.activation(ActivationKind::Gelu, x), -10), 10);
}

/// x min(max(x + 3, 0), 6) / 6.
static Value hardSwish(Graph &graph, Value x) {
  Elementwise e(graph, x);
  Value share = e.atMost(e.atLeast(e.add(x, e.number(3)), 0), 6);
  return e.mul(e.mul(x, share), e.number(1.0 / 6));
}

/// (1 + erf((x - mu) / (sigma sqrt(2)))) / 2, by the numbers of MEGA (Ma et al., 2022).
static Value laplace(Graph &graph, Value x) {
  Elementwise e(graph, x);
  Value inner = e.mul(e.add(x, e.number(-0.707107)), e.number(1 / (0.282095 * M_SQRT2)));
  return e.mul(e.add(e.erf(inner), e.number(1)), e.number(0.5));
}

static Value leakyRelu(Graph &graph, Value x) {
  Elementwise e(graph, x);
  return e.max(x, e.mul(x, e.number(0.01)));
}

static Value linear(Graph &, Value x) { return x; }

/// x tanh(log(1 + exp(x))).
static Value mish(Graph &graph, Value x) {
  Value softplus = Elementwise(graph, x).softplus(x);
  return graph.multiply(x, graph.activation(ActivationKind::Tanh, softplus));
}

static Value relu6(Graph &graph, Value x) {
  Elementwise e(graph, x);
  return e.atMost(e.atLeast(x, 0), 6);
}

static Value sqrtSoftplus(Graph &graph, Value x) {
  Elementwise e(graph, x);
  return e.sqrt(e.softplus(x));
}

Value HiddenActivation::apply(Graph &graph, Value input) const {
  if (kind)
    return graph.activation(*kind, input);
  if (!input || graph.hasFailed())
    return {};
  Type element = cast<RankedTensorType>(input.getType()).getElementType();
  bool isNarrow = element.getIntOrFloatBitWidth() < 32;
  if (!isNarrow)
    return composed(graph, input);
  return graph.converted(composed(graph, graph.converted(input, graph.builder().getF32Type())),
                         element);
}

namespace {
struct Named {
  llvm::StringRef name;
  HiddenActivation activation;
};
} // namespace

static llvm::ArrayRef<Named> allActivations() {
  using Kind = ActivationKind;
  static const Named all[] = {{"silu", Kind::Silu},
                              {"swish", Kind::Silu},
                              {"gelu", Kind::Gelu},
                              {"gelu_10", gelu10},
                              {"gelu_accurate", Kind::GeluTanh},
                              {"gelu_fast", Kind::GeluTanh},
                              {"gelu_new", Kind::GeluTanh},
                              {"gelu_python", Kind::Gelu},
                              {"gelu_python_tanh", Kind::GeluTanh},
                              {"gelu_pytorch_tanh", Kind::GeluTanh},
                              {"hardswish", hardSwish},
                              {"laplace", laplace},
                              {"leaky_relu", leakyRelu},
                              {"linear", linear},
                              {"mish", mish},
                              {"quick_gelu", quickGelu},
                              {"relu", Kind::Relu},
                              {"relu2", Kind::ReluSquared},
                              {"relu6", relu6},
                              {"sigmoid", Kind::Sigmoid},
                              {"sqrtsoftplus", sqrtSoftplus},
                              {"tanh", Kind::Tanh}};
  return all;
}

std::optional<HiddenActivation> forge::huggingface::findActivation(llvm::StringRef name) {
  const Named *found =
      llvm::find_if(allActivations(), [&](const Named &n) { return n.name == name; });
  return found == allActivations().end() ? std::nullopt : std::optional(found->activation);
}

std::string forge::huggingface::activationNames() {
  std::string text;
  for (const Named &named : allActivations().drop_back())
    text += (text.empty() ? "" : ", ") + named.name.str();
  return text + " or " + allActivations().back().name.str();
}
