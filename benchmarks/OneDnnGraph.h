// Functions put together from oneDNN's primitives by hand: what a library user would write.
#ifndef FORGE_BENCHMARKS_ONEDNNGRAPH_H
#define FORGE_BENCHMARKS_ONEDNNGRAPH_H

#include "forge/Support/HostTensor.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <functional>
#include <vector>

namespace forge::bench {

using Dims = dnnl::memory::dims;

/// Memory and the steps that use it, in the order of execution. All is f32, and every memory here
/// is dense and row-major unless a view says otherwise.
class OneDnnGraph {
public:
  static dnnl::memory::desc desc(Dims dims, Dims strides);
  static dnnl::memory::desc dense(Dims dims);
  dnnl::memory make(Dims dims);
  /// A module's argument, which the library only reads.
  dnnl::memory wrap(const HostTensor &tensor, Dims dims);
  /// The same memory under another description, `offset` elements further on.
  dnnl::memory view(const dnnl::memory &m, const dnnl::memory::desc &d, int64_t offset = 0);

  /// (x - mean) / sqrt(variance + 1e-6) * scale + shift over the rows of x. For a backward pass,
  /// `statistics` keeps mean and variance.
  struct Statistics {
    dnnl::memory mean, variance;
  };
  dnnl::memory norm(dnnl::memory x, dnnl::memory scale, dnnl::memory shift,
                    Statistics *statistics = nullptr);
  /// x / sqrt(mean(x^2) + 1e-6) * scale over the rows of x, by hand: the library's reduction takes
  /// many times as long.
  dnnl::memory rmsNorm(dnnl::memory x, dnnl::memory scale);
  /// post(a b + bias) into c; `bias` may be empty. `extra` is the operand of a binary post-op.
  void product(dnnl::memory a, dnnl::memory b, dnnl::memory bias, dnnl::memory c,
               const dnnl::primitive_attr &attributes = {}, dnnl::memory extra = {});
  /// Softmax of the last dimension, in place.
  void softmax(dnnl::memory x);
  /// y = a (+ or *) b, where b may have dimensions of one element.
  void binary(dnnl::algorithm kind, dnnl::memory a, dnnl::memory b, dnnl::memory y);
  void reorder(dnnl::memory from, dnnl::memory to);
  void primitive(dnnl::primitive step, std::unordered_map<int, dnnl::memory> arguments);
  /// A step by hand, where the library has no primitive.
  void byHand(std::function<void()> step);

  void run();

  dnnl::engine cpu{dnnl::engine::kind::cpu, 0};

private:
  dnnl::stream queue{cpu};
  /// What views and steps by hand point into.
  std::vector<dnnl::memory> kept;
  std::vector<std::function<void()>> steps;
};

/// Attributes that add or multiply another memory to a result.
dnnl::primitive_attr combining(dnnl::algorithm kind, const dnnl::memory &other);
/// Attributes that apply a function.
dnnl::primitive_attr applying(dnnl::algorithm kind, float alpha = 0, float beta = 0);

} // namespace forge::bench

#endif // FORGE_BENCHMARKS_ONEDNNGRAPH_H
