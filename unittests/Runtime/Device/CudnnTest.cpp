// Attention, its gradients and convolutions as graphs of cuDNN's operations: described by the real
// library, which needs no device for that, where it is installed.
#include "../../../lib/Runtime/Device/CudnnGraph.h"

#include "forge/Runtime/DeviceRegistry.h"
#include "forge/Runtime/VendorDnn.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::rt;

namespace {
AttentionCall decodeCall() {
  AttentionCall call;
  call.batch = 16;
  call.heads = 32;
  call.keyHeads = 8;
  call.keys = 4096;
  call.depth = call.columns = 128;
  call.scale = 0.088;
  call.queryStrides = {32 * 128, 128, 128};
  call.keyStrides = call.valueStrides = {int64_t(8) * 4096 * 128, 4096 * 128, 128};
  return call;
}

TEST(Cudnn, DescriptionHasAllSizes) {
  AttentionCall call = decodeCall();
  EXPECT_EQ(describe(call),
            "attention, batch 16, 32 heads, 8 of keys, 1 rows, 4096 keys, depth 128, bf16");
  call.keyHeads = 32;
  call.type = FORGE_RT_F16;
  call.causal = true;
  call.columns = 64;
  EXPECT_EQ(describe(call), "attention, batch 16, 32 heads, 1 rows, 4096 keys, depth 128, "
                            "64 columns, f16, causal");
}

ConvolutionCall strideTwoCall() {
  ConvolutionCall call;
  call.batch = 32;
  call.inputs = 64;
  call.outputs = 128;
  call.axes = {{56, 3, 2, 1, 1, 1}, {56, 3, 2, 1, 1, 1}};
  call.imageStrides = {56 * 56 * 64, 1, 56 * 64, 64};
  call.kernelStrides = {9 * 64, 1, 3 * 64, 64};
  call.outStrides = {28 * 28 * 128, 1, 28 * 128, 128};
  return call;
}

AttentionGradientCall trainingCall() {
  AttentionGradientCall call{decodeCall()};
  call.attention.rows = 4096;
  call.attention.queryStrides = call.cotangentStrides = {int64_t(32) * 4096 * 128, 4096 * 128, 128};
  return call;
}

TEST(Cudnn, DescriptionsOfGradientsAndConvolutions) {
  EXPECT_EQ(describe(trainingCall()), "gradients of attention, batch 16, 32 heads, 8 of keys, 4096 "
                                      "rows, 4096 keys, depth 128, bf16");
  ConvolutionCall call = strideTwoCall();
  EXPECT_EQ(describe(call), "convolution, batch 32, 56x56 of 64 channels by 3x3 to 28x28 of 128, "
                            "stride 2x2, padding 1x1, bf16");
  call.axes[1] = {56, 3, 1, 2, 0, 4};
  call.groups = 2;
  call.outType = FORGE_RT_F32;
  call.hasBias = call.hasResidual = true;
  call.activation = FORGE_RT_EPILOGUE_RELU;
  EXPECT_EQ(describe(call),
            "convolution, batch 32, 56x56 of 128 channels by 3x3 to 28x56 of 256, 2 groups, stride "
            "2x1, dilation 1x2, padding 1+1x0+4, bf16 -> f32, residual, bias, relu");
}

TEST(Cudnn, OperandsOfAConvolutionAlongOneAxis) {
  ConvolutionCall call;
  call.batch = 2;
  call.inputs = 16;
  call.outputs = 8;
  call.axes = {{40, 5}};
  call.imageStrides = {640, 1, 16};
  call.kernelStrides = {80, 1, 16};
  call.outStrides = {8 * 36, 1, 8};
  call.hasBias = true;
  std::vector<DnnTensor> tensors = tensorsOf(call);
  ASSERT_EQ(tensors.size(), 4u);
  EXPECT_EQ(tensors[0].sizes, (std::vector<int64_t>{2, 16, 1, 40}));
  EXPECT_EQ(tensors[0].strides, (std::vector<int64_t>{640, 1, 640, 16}));
  EXPECT_EQ(tensors[0].elements(), 2 * 640);
  EXPECT_EQ(tensors[2].sizes, (std::vector<int64_t>{1, 8, 1, 1}));
  EXPECT_EQ(tensors[2].elements(), 8);
  EXPECT_EQ(tensors[3].sizes, (std::vector<int64_t>{2, 8, 1, 36}));
  EXPECT_TRUE(tensors[3].isWritten);
}

TEST(Cudnn, WrongCallsAreErrors) {
  AttentionCall call = decodeCall();
  EXPECT_TRUE(check(call));
  call.type = FORGE_RT_F32;
  EXPECT_EQ(check(call).error().message, "expected an attention of f16 or bf16");
  call = decodeCall();
  call.rows = 0;
  EXPECT_NE(check(call).error().message.find("expected sizes of at least 1"), std::string::npos);
  call = decodeCall();
  call.keyHeads = 5;
  EXPECT_NE(check(call).error().message.find("multiple of those of keys"), std::string::npos);
  ConvolutionCall convolution = strideTwoCall();
  EXPECT_TRUE(check(convolution));
  convolution.axes[0].window = 60;
  EXPECT_NE(check(convolution).error().message.find("expected sizes of at least 1"),
            std::string::npos);
  convolution = strideTwoCall();
  convolution.outStrides.pop_back();
  EXPECT_NE(check(convolution).error().message.find("one to three axes"), std::string::npos);
  convolution = strideTwoCall();
  convolution.type = FORGE_RT_F8E5M2;
  EXPECT_EQ(check(convolution).error().message, "expected a convolution of f16, bf16, f32 or f64");
}

TEST(Cudnn, IsForDevicesOfCuda) {
  Result<std::shared_ptr<Device>> host = openDevice("cpu");
  ASSERT_TRUE(host) << host.error().message;
  EXPECT_EQ(createCudnn(*host).error().message,
            "cuDNN is for devices of cuda, but this is one of cpu");
}

TEST(Cudnn, FunctionsThatAreMissingAreNamed) {
  Result<Library> library = Library::open("C library", {"libc.so.6"});
  ASSERT_TRUE(library);
  std::string message = cudnn::findFunctions(*library).error().message;
  EXPECT_EQ(message.find("libc.so.6 has no cudnnCreate, cudnnDestroy"), 0u) << message;
}

class RealCudnn : public testing::Test {
protected:
  void SetUp() override {
    Result<Library> library =
        Library::open("cuDNN", {"libcudnn.so.9", "/usr/local/cuda/lib64/libcudnn.so.9"});
    if (!library)
      GTEST_SKIP() << library.error().message;
    Result<cudnn::Functions> found = cudnn::findFunctions(*library);
    ASSERT_TRUE(found) << found.error().message;
    functions = *found;
  }
  cudnn::Functions functions{};
};

TEST_F(RealCudnn, DescribesAttention) {
  for (bool causal : {false, true})
    for (int64_t rows : {1, 16, 4096}) {
      AttentionCall call = decodeCall();
      call.causal = causal;
      call.rows = rows;
      call.queryStrides = {32 * rows * 128, rows * 128, 128};
      Result<cudnn::OperationGraph> graph = cudnn::buildGraph(functions, nullptr, call);
      ASSERT_TRUE(graph) << graph.error().message;
      EXPECT_NE(graph->graph, nullptr);
      EXPECT_EQ(*graph->numbers.front().second, 0.088f);
      EXPECT_EQ(graph->operands.size(), 4u);
      EXPECT_TRUE(graph->scratch.empty());
    }
}

TEST_F(RealCudnn, DescribesStatistics) {
  AttentionCall call = decodeCall();
  call.hasStatistics = true;
  Result<cudnn::OperationGraph> graph = cudnn::buildGraph(functions, nullptr, call);
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(graph->operands.size(), 5u);
}

TEST_F(RealCudnn, DescribesGradientsOfAttention) {
  for (bool causal : {false, true})
    for (int64_t keyHeads : {8, 32}) {
      AttentionGradientCall call = trainingCall();
      call.attention.causal = causal;
      call.attention.keyHeads = keyHeads;
      call.attention.keyStrides =
          call.attention.valueStrides = {keyHeads * 4096 * 128, 4096 * 128, 128};
      Result<cudnn::OperationGraph> graph = cudnn::buildGraph(functions, nullptr, call);
      ASSERT_TRUE(graph) << graph.error().message;
      EXPECT_EQ(graph->operands.size(), 9u);
      // A number of each row, and what gradients of queries are added up in.
      ASSERT_EQ(graph->scratch.size(), 2u);
      EXPECT_EQ(graph->scratch[0].bytes, size_t(16) * 32 * 4096 * 4);
      EXPECT_EQ(graph->scratch[1].bytes, size_t(16) * 32 * 4096 * 128 * 4);
      EXPECT_EQ(graph->numbers.size(), causal ? 3u : 2u);
    }
}

TEST_F(RealCudnn, DescribesConvolutions) {
  for (forge_rt_type type : {FORGE_RT_F16, FORGE_RT_BF16, FORGE_RT_F32, FORGE_RT_F64})
    for (int64_t activation :
         {FORGE_RT_EPILOGUE_NONE, FORGE_RT_EPILOGUE_RELU, FORGE_RT_EPILOGUE_GELU_TANH}) {
      ConvolutionCall call = strideTwoCall();
      call.type = call.outType = type;
      call.hasBias = call.hasResidual = activation != FORGE_RT_EPILOGUE_NONE;
      call.activation = activation;
      Result<cudnn::OperationGraph> graph = cudnn::buildGraph(functions, nullptr, call);
      ASSERT_TRUE(graph) << describe(call) << ": " << graph.error().message;
      EXPECT_EQ(graph->operands.size(), call.hasBias ? 5u : 3u);
    }
}

TEST_F(RealCudnn, DescribesConvolutionsAlongOneAndThreeAxes) {
  ConvolutionCall call;
  call.batch = 2;
  call.groups = 4;
  call.inputs = 16;
  call.outputs = 8;
  call.axes = {{40, 5, 1, 1, 2, 2}};
  call.imageStrides = {40 * 64, 1, 64};
  call.kernelStrides = {5 * 16, 1, 16};
  call.outStrides = {40 * 32, 1, 32};
  Result<cudnn::OperationGraph> graph = cudnn::buildGraph(functions, nullptr, call);
  ASSERT_TRUE(graph) << graph.error().message;
  call.axes = {{10, 3}, {10, 3}, {10, 3}};
  call.imageStrides = {64000, 1, 6400, 640, 64};
  call.kernelStrides = {27 * 16, 1, 9 * 16, 3 * 16, 16};
  call.outStrides = {512 * 32, 1, 64 * 32, 8 * 32, 32};
  graph = cudnn::buildGraph(functions, nullptr, call);
  ASSERT_TRUE(graph) << graph.error().message;
}

/// An H200 as cuDNN 9.19 writes it: then its heuristics need no device.
constexpr char kH200[] =
    R"({"maxGridSize": [2147483647, 65535, 65535], "maxBlockSize": [1024, 1024, 64],
  "regsPerBlock": 65536, "multiProcessorCount": 132, "warpSize": 32, "maxSharedMemoryPerBlock": 49152,
  "maxSharedMemoryPerBlockOptin": 232448, "reservedSharedMemoryPerBlock": 1024, "maxRegistersPerSM": 65536,
  "maxCtasPerSM": 32, "maxThreadsPerBlock": 1024, "maxThreadsPerSM": 2048, "pciDeviceId": 0, "isTccDriver": 0,
  "supportCoopLaunch": 1, "totalGlobalMem": 150000000000, "smClockRateKHz": 1980000, "memClockRateKHz": 3201000,
  "l2CacheSize": 62914560, "cudaDeviceId": 0, "deviceVer": 900, "driverVer": 13000, "deviceName": "NVIDIA H200"})";

/// Engines that the real heuristics offer for such a chip: the graph's form is one that they know.
class CudnnForAnH200 : public RealCudnn {
protected:
  void SetUp() override {
    RealCudnn::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    chip = made(/*CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR*/ 38);
    int status = functions.set(chip, /*CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION*/ 2702,
                               /*CUDNN_TYPE_CHAR*/ 24, sizeof kH200 - 1, kH200);
    if (status != 0 || functions.finalize(chip) != 0)
      GTEST_SKIP() << functions.errorText("chips in another form", status);
  }

  int64_t enginesFor(const DnnCall &call) {
    Result<cudnn::OperationGraph> graph = cudnn::buildGraph(functions, nullptr, call);
    EXPECT_TRUE(graph) << graph.error().message;
    if (!graph)
      return 0;
    void *heuristic = made(cudnn::kEngineHeuristic);
    int mode = cudnn::kModeA;
    functions.set(heuristic, cudnn::kHeuristicGraph, cudnn::kDescriptorType, 1, &graph->graph);
    functions.set(heuristic, cudnn::kHeuristicMode, cudnn::kHeuristicModeType, 1, &mode);
    functions.set(heuristic, /*CUDNN_ATTR_ENGINEHEUR_DEVICEPROP*/ 204, cudnn::kDescriptorType, 1,
                  &chip);
    functions.finalize(heuristic);
    std::array<void *, 32> configs;
    for (void *&config : configs)
      config = made(cudnn::kEngineConfig);
    int64_t found = 0;
    functions.get(heuristic, cudnn::kHeuristicResults, cudnn::kDescriptorType, configs.size(),
                  &found, configs.data());
    return found;
  }

private:
  void *made(int type) {
    void *descriptor = nullptr;
    EXPECT_EQ(functions.createDescriptor(type, &descriptor), 0);
    owned.emplace_back(descriptor, functions.destroyDescriptor);
    return descriptor;
  }

  std::vector<cudnn::Handle> owned;
  void *chip = nullptr;
};

TEST_F(CudnnForAnH200, ConvolutionsHaveEngines) {
  for (forge_rt_type type : {FORGE_RT_F16, FORGE_RT_BF16, FORGE_RT_F32}) {
    ConvolutionCall call = strideTwoCall();
    call.type = call.outType = type;
    EXPECT_GT(enginesFor(call), 0) << describe(call);
  }
}

/// Their code is made by a compiler that looks for libcuda.so.1: the toolkit's stub is enough.
TEST_F(CudnnForAnH200, FusedGraphsHaveEngines) {
  if (Result<Library> driver = Library::open("CUDA", {"libcuda.so.1"}); !driver)
    GTEST_SKIP() << driver.error().message;
  AttentionGradientCall gradient = trainingCall();
  AttentionCall attention = gradient.attention;
  for (bool causal : {false, true}) {
    attention.causal = gradient.attention.causal = causal;
    for (bool hasStatistics : {false, true}) {
      attention.hasStatistics = hasStatistics;
      EXPECT_GT(enginesFor(attention), 0) << describe(attention);
    }
    EXPECT_GT(enginesFor(gradient), 0) << describe(gradient);
  }
  ConvolutionCall call = strideTwoCall();
  call.hasBias = call.hasResidual = true;
  for (int64_t activation :
       {FORGE_RT_EPILOGUE_NONE, FORGE_RT_EPILOGUE_RELU, FORGE_RT_EPILOGUE_GELU_TANH}) {
    call.activation = activation;
    EXPECT_GT(enginesFor(call), 0) << describe(call);
  }
}

TEST_F(RealCudnn, RefusesAConvolutionOfNegativeStrides) {
  ConvolutionCall call = strideTwoCall();
  call.imageStrides = {-1, -1, -1, -1};
  std::string message = cudnn::buildGraph(functions, nullptr, call).error().message;
  EXPECT_EQ(message.find("describing a tensor: CUDNN_STATUS_BAD_PARAM"), 0u) << message;
}

TEST_F(RealCudnn, RefusalsHaveItsReason) {
  AttentionCall call = decodeCall();
  call.queryStrides = {-1, -1, -1};
  std::string message = cudnn::buildGraph(functions, nullptr, call).error().message;
  EXPECT_EQ(message.find("describing a tensor: CUDNN_STATUS_BAD_PARAM"), 0u) << message;
}
} // namespace
