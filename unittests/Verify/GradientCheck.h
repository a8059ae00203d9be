// Gradients from transformer-differentiate against central differences of the reference, in double.
#ifndef FORGE_UNITTESTS_VERIFY_GRADIENTCHECK_H
#define FORGE_UNITTESTS_VERIFY_GRADIENTCHECK_H

#include "TestModule.h"

#include "forge/Dialect/Transformer/Transforms/Differentiation.h"
#include "forge/Verify/Inputs.h"
#include "forge/Verify/Interpreter.h"

#include "mlir/IR/Verifier.h"

#include <cmath>
#include <random>

namespace forge {

/// One function of tensors of f64, differentiated by all of its float arguments.
///
/// 1. The loss is sum(cotangent * result) for random cotangents.
/// 2. Along a random direction v of every argument x, (loss(x + h v) - loss(x - h v)) / 2h is
///    compared with sum(dx * v): an error of a single element shows in any direction that is not by
///    chance orthogonal to it.
class GradientCheck {
public:
  explicit GradientCheck(const std::string &text, uint64_t seed = 0, int64_t dynamicSize = 3)
      : module(text), random(seed), seed(seed), dynamicSize(dynamicSize) {}

  /// The first disagreement, or empty.
  std::string run() {
    auto backward = transformer::differentiate(module.function(), {});
    if (mlir::failed(backward) || mlir::failed(mlir::verify(module.get())))
      return "not differentiated: " + module.messages;
    auto made = makeInputs(module.function(), {seed, dynamicSize});
    if (mlir::failed(made))
      return module.messages;
    inputs = std::move(*made);
    auto results = interpret(module.function(), inputs);
    if (!results)
      return module.messages;
    std::vector<HostTensor> arguments = inputs;
    for (const HostTensor &result : *results)
      if (isFloat(result.type())) {
        cotangents.push_back(randomLike(result));
        arguments.push_back(cotangents.back());
      }
    auto gradients = interpret(*backward, arguments);
    if (!gradients)
      return module.messages;
    size_t next = 0;
    for (size_t i = 0; i < inputs.size(); ++i)
      if (isFloat(inputs[i].type()))
        if (std::string message = compareAlong(i, (*gradients)[next++]); !message.empty())
          return message;
    return "";
  }

  TestModule module;
  /// Largest relative difference that two correct gradients may have: central differences in double
  /// lose half of the digits.
  double tolerance = 1e-6;

private:
  std::optional<std::vector<HostTensor>> interpret(mlir::func::FuncOp function,
                                                   const std::vector<HostTensor> &values) {
    InterpreterOptions options;
    options.precision = InterpreterOptions::Precision::Double;
    auto results = Interpreter(module.get(), options).run(function, values);
    if (mlir::failed(results))
      return std::nullopt;
    return std::move(*results);
  }

  HostTensor randomLike(const HostTensor &tensor) {
    HostTensor result = *HostTensor::create(tensor.type(), tensor.dims());
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int64_t i = 0; i < result.numElements(); ++i)
      result.setDouble(i, uniform(random));
    return result;
  }

  static double dot(const HostTensor &a, const HostTensor &b) {
    double sum = 0;
    for (int64_t i = 0; i < a.numElements(); ++i)
      sum += a.getDouble(i) * b.getDouble(i);
    return sum;
  }

  std::optional<double> lossAt(size_t argument, const HostTensor &direction, double step) {
    std::vector<HostTensor> moved = inputs;
    for (int64_t i = 0; i < direction.numElements(); ++i)
      moved[argument].setDouble(i, moved[argument].getDouble(i) + step * direction.getDouble(i));
    auto results = interpret(module.function(), moved);
    if (!results)
      return std::nullopt;
    double loss = 0;
    size_t next = 0;
    for (const HostTensor &result : *results)
      if (isFloat(result.type()))
        loss += dot(result, cotangents[next++]);
    return loss;
  }

  std::string compareAlong(size_t argument, const HostTensor &gradient) {
    std::string where = "argument " + std::to_string(argument);
    if (gradient.dims() != inputs[argument].dims())
      return where + ": gradient has type " + typeString(gradient);
    constexpr int kWanted = 2, kDraws = 12;
    int compared = 0;
    for (int draw = 0; draw < kDraws && compared < kWanted; ++draw) {
      HostTensor direction = randomLike(inputs[argument]);
      const double step = 1e-5;
      auto above = lossAt(argument, direction, step), below = lossAt(argument, direction, -step);
      if (!above || !below)
        return module.messages;
      double expected = (*above - *below) / (2 * step), actual = dot(gradient, direction);
      // Where a quarter of the step tells another slope, the function jumps or bends within it (a
      // selection changes): there is no derivative to compare with.
      auto nearAbove = lossAt(argument, direction, step / 4);
      auto nearBelow = lossAt(argument, direction, -step / 4);
      if (!nearAbove || !nearBelow)
        return module.messages;
      double nearer = (*nearAbove - *nearBelow) / (step / 2);
      if (std::abs(nearer - expected) > 1e-4 * (std::abs(expected) + 1))
        continue;
      ++compared;
      double scale = std::sqrt(dot(gradient, gradient)) + std::abs(expected) + 1;
      if (!(std::abs(expected - actual) <= tolerance * scale))
        return where + ": expected " + std::to_string(expected) + " along a direction, but got " +
               std::to_string(actual);
    }
    if (compared == 0)
      return where + ": no direction along which the function is smooth";
    return "";
  }

  std::vector<HostTensor> inputs, cotangents;
  std::mt19937_64 random;
  uint64_t seed;
  int64_t dynamicSize;
};

} // namespace forge

#endif // FORGE_UNITTESTS_VERIFY_GRADIENTCHECK_H
