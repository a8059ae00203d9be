// Graphs of the stand-in for cuDNN, computed operation by operation in double.
#ifndef FORGE_UNITTESTS_RUNTIME_DEVICE_FAKE_FAKECUDNNGRAPH_H
#define FORGE_UNITTESTS_RUNTIME_DEVICE_FAKE_FAKECUDNNGRAPH_H

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// Of any kind: attributes as the bytes that were set.
struct Descriptor {
  int type = 0;
  bool isFinal = false;
  std::map<int, std::vector<char>> attributes;

  template <typename Value> std::vector<Value> list(int attribute) const {
    auto found = attributes.find(attribute);
    if (found == attributes.end())
      return {};
    std::vector<Value> values(found->second.size() / sizeof(Value));
    std::memcpy(values.data(), found->second.data(), found->second.size());
    return values;
  }
  template <typename Value> Value one(int attribute) const {
    Value value{};
    if (auto found = attributes.find(attribute); found != attributes.end())
      std::memcpy(&value, found->second.data(), sizeof value);
    return value;
  }
  const Descriptor *part(int attribute) const { return one<Descriptor *>(attribute); }
};

enum : int {
  kPointwiseOp = 13,
  kConvolutionOp = 10,
  kGraph = 15,
  kPack = 16,
  kTensor = 17,
  kMatmulOp = 19,
  kReductionOp = 22,
  kReshapeOp = 31
};

/// The operations' kinds in order; of elementwise ones their modes.
std::string formOf(const Descriptor &graph);
/// The form of a graph that the real library knows, for its sizes; otherwise why not.
const char *whyNotOffered(const Descriptor &graph);

/// Elements of a tensor, in memory or, where it is virtual, in `values` at the same offsets.
struct FakeTensor {
  /// Of cudnnDataType_t.
  int type = 0;
  std::vector<int64_t> sizes, strides;
  char *data = nullptr;
  std::shared_ptr<std::vector<double>> values;

  using Index = std::vector<int64_t>;
  /// Along dimensions of one element every index is that one.
  double load(const Index &index) const;
  void store(const Index &index, double value) const;

private:
  int64_t offsetOf(const Index &index) const;
};

/// A graph and pointers for its tensors: everything that is read of descriptors is copied.
class FakeWork {
public:
  /// Null, and then `why` says why, where a tensor has no pointer. `rounds`: convolutions multiply
  /// f32 numbers that are rounded to bf16.
  static std::unique_ptr<FakeWork> create(const Descriptor &graph,
                                          const std::map<int64_t, char *> &pointers, bool rounds,
                                          std::string &why);
  int run();

private:
  struct Step {
    int type = 0, mode = 0;
    int64_t axis = -1;
    /// Numbers of tensors; 0: none. y is the result.
    int64_t x = 0, b = 0, t = 0, y = 0;
    std::vector<int64_t> dilations, strides, padding;
  };
  void addTensor(const Descriptor &tensor);
  void pointwise(const Step &step);
  void multiply(const Step &step);
  void reduce(const Step &step);
  void convolve(const Step &step);

  bool rounds = false;
  std::vector<Step> steps;
  std::map<int64_t, FakeTensor> tensors;
  /// By-value numbers, as they were when it was enqueued.
  std::vector<std::unique_ptr<float>> numbers;
};

#endif // FORGE_UNITTESTS_RUNTIME_DEVICE_FAKE_FAKECUDNNGRAPH_H
