// Attention as a graph of cuDNN's operations: described by the real library, which needs no device
// for that, where it is installed.
#include "../../../lib/Runtime/Device/CudnnGraph.h"

#include "forge/Runtime/DeviceRegistry.h"

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
  EXPECT_EQ(describeAttention(call),
            "attention, batch 16, 32 heads, 8 of keys, 1 rows, 4096 keys, depth 128, bf16");
  call.keyHeads = 32;
  call.type = FORGE_RT_F16;
  call.causal = true;
  call.columns = 64;
  EXPECT_EQ(describeAttention(call), "attention, batch 16, 32 heads, 1 rows, 4096 keys, depth 128, "
                                     "64 columns, f16, causal");
}

TEST(Cudnn, WrongCallsAreErrors) {
  AttentionCall call = decodeCall();
  EXPECT_TRUE(checkAttention(call));
  call.type = FORGE_RT_F32;
  EXPECT_EQ(checkAttention(call).error().message, "expected an attention of f16 or bf16");
  call = decodeCall();
  call.rows = 0;
  EXPECT_NE(checkAttention(call).error().message.find("expected sizes of at least 1"),
            std::string::npos);
  call = decodeCall();
  call.keyHeads = 5;
  EXPECT_NE(checkAttention(call).error().message.find("multiple of those of keys"),
            std::string::npos);
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
      Result<cudnn::AttentionGraph> graph = cudnn::buildAttentionGraph(functions, nullptr, call);
      ASSERT_TRUE(graph) << graph.error().message;
      EXPECT_NE(graph->graph, nullptr);
      EXPECT_EQ(graph->scale, 0.088f);
    }
}

TEST_F(RealCudnn, RefusalsHaveItsReason) {
  AttentionCall call = decodeCall();
  call.queryStrides = {-1, -1, -1};
  std::string message = cudnn::buildAttentionGraph(functions, nullptr, call).error().message;
  EXPECT_EQ(message.find("describing a tensor: CUDNN_STATUS_BAD_PARAM"), 0u) << message;
}
} // namespace
