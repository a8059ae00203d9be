// A call as a graph of cuDNN's operations. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_CUDNNGRAPH_H
#define FORGE_LIB_RUNTIME_DEVICE_CUDNNGRAPH_H

#include "CudnnApi.h"

#include "forge/Runtime/DnnCalls.h"

#include <memory>
#include <vector>

namespace forge::rt::cudnn {

/// A descriptor destroyed by a function of the library.
using Handle = std::unique_ptr<void, int (*)(void *)>;

struct OperationGraph {
  /// Everything that `graph` is made of, too.
  std::vector<Handle> parts;
  void *graph = nullptr;
  /// The tensors that have a pointer when it runs, by their numbers: the call's operands, in their
  /// order, memory of the device that holds what is computed on the way, and numbers of the host.
  std::vector<int64_t> operands;
  struct Scratch {
    int64_t id;
    size_t bytes;
  };
  std::vector<Scratch> scratch;
  std::vector<std::pair<int64_t, std::unique_ptr<float>>> numbers;
};

/// Without a device `handle` is null: then the graph is described, but no plan can be made of it.
/// An Error says what the library refused.
Result<OperationGraph> buildGraph(const Functions &cudnn, void *handle, const DnnCall &call);

/// Adds tensors and operations to a graph; after the first failure nothing more is done, which
/// `end` says.
class GraphBuilder {
public:
  using Dims = std::vector<int64_t>;

  GraphBuilder(const Functions &cudnn, OperationGraph &graph) : cudnn(cudnn), graph(graph) {}

  /// A tensor that has memory: of the caller, in the order of `tensorsOf`, or of the plan's own.
  void *operand(const DnnTensor &tensor);
  void *scratch(const Dims &sizes);
  /// A number of the host, f32.
  void *number(float value, size_t rank = 4);
  /// What has sizes and no memory: contiguous, or at strides. `type`: of cudnnDataType_t.
  void *between(int type, const Dims &sizes);
  void *between(int type, const Dims &sizes, const Dims &strides);

  /// y = mode(x), mode(x, b) or mode(x, b, t), element by element, computed in `precision`.
  void pointwise(int mode, int precision, void *x, void *b, void *t, void *y, int64_t axis = -1);
  /// c = a * b, for each of the outer dimensions, summed in f32.
  void multiply(void *a, void *b, void *c);
  /// y = x, reduced along the dimensions that y has fewer elements of, in f32.
  void reduce(int how, void *x, void *y);
  /// y = the elements of x as they are in memory, at other sizes and strides.
  void reshape(void *x, void *y);
  /// The operation of which `parts` are the tensors.
  struct ConvolutionParts {
    void *image, *kernel, *out;
  };
  void convolve(const ConvolutionCall &call, const ConvolutionParts &parts);

  Result<void> end(void *handle);

private:
  void check(const char *what, int status) {
    if (error.empty() && status != 0)
      error = cudnn.errorText(what, status);
  }
  void *begin(int type);
  template <typename Value>
  void set(void *descriptor, int attribute, int type, const Value &value) {
    if (error.empty())
      check("setting an attribute", cudnn.set(descriptor, attribute, type, 1, &value));
  }
  void setDims(void *descriptor, int attribute, const Dims &dims) {
    if (error.empty())
      check("setting an attribute", cudnn.set(descriptor, attribute, kInt64,
                                              static_cast<int64_t>(dims.size()), dims.data()));
  }
  void setPart(void *descriptor, int attribute, void *part) {
    set(descriptor, attribute, kDescriptorType, part);
  }
  void *finish(const char *what, void *descriptor);
  void operation(void *made) { operations.push_back(finish("describing an operation", made)); }
  enum class Place { Memory, Between, Host };
  void *tensor(int type, const Dims &sizes, const Dims &strides, Place place);

  const Functions &cudnn;
  OperationGraph &graph;
  std::vector<void *> operations;
  int64_t lastId = 0;
  std::string error;
};

/// Of cudnnDataType_t.
int dataTypeOf(forge_rt_type type);

void addAttention(GraphBuilder &builder, const AttentionCall &call);
void addAttentionGradient(GraphBuilder &builder, const AttentionGradientCall &call);
void addConvolution(GraphBuilder &builder, const ConvolutionCall &call);

} // namespace forge::rt::cudnn

#endif // FORGE_LIB_RUNTIME_DEVICE_CUDNNGRAPH_H
