// Which kernels a library computes, too, and what it is asked for.
#include "TestModule.h"

#include "forge/Bench/Peers.h"
#include "forge/Codegen/TargetInfo.h"
#include "forge/Execution/Lowering.h"

#include "mlir/IR/OwningOpRef.h"

using namespace forge;

namespace {

PeerCalls callsOf(const std::string &text, const char *driver = "cuda") {
  TestModule test(text.c_str());
  CompileOptions options;
  options.target = std::string(driver) == "hip" ? "hip:gfx942" : "cuda:sm_90a";
  Result<void> done = lowerTo(test.get(), options, Phase::Kernels);
  EXPECT_TRUE(done) << done.error().message;
  return peerCallsOf(test.get(), *Target::parse(options.target)->chip, driver);
}

/// "4x32x64x128xbf16": of queries, and of keys and values.
std::string attention(const std::string &queries, const std::string &keys,
                      const std::string &attributes = "") {
  std::string q = "tensor<" + queries + ">", k = "tensor<" + keys + ">";
  return "func.func @main(%q: " + q + ", %k: " + k + ", %v: " + k + ") -> " + q +
         " { %0 = transformer.attention %q, %k, %v " + attributes + " : (" + q + ", " + k + ", " +
         k + ") -> " + q + " return %0 : " + q + " }";
}

void expectAttention(const std::string &text, const std::string &description,
                     rt::AttentionCall::Strides queryStrides,
                     rt::AttentionCall::Strides keyStrides) {
  PeerCalls found = callsOf(text);
  ASSERT_EQ(found.calls.size(), 1u) << (found.others.empty() ? "" : found.others[0].why);
  EXPECT_EQ(found.calls[0].name(), "cudnn attention");
  EXPECT_EQ(found.calls[0].description(), description);
  EXPECT_EQ(found.calls[0].launches, 1);
  const auto &call = std::get<rt::AttentionCall>(std::get<rt::DnnCall>(found.calls[0].work));
  EXPECT_NEAR(call.scale, 0.0883883, 1e-6);
  EXPECT_EQ(call.queryStrides, queryStrides);
  EXPECT_EQ(call.keyStrides, keyStrides);
  EXPECT_EQ(call.valueStrides, keyStrides);
  EXPECT_TRUE(found.others.empty());
}

TEST(Peers, AttentionOfManyRows) {
  expectAttention(attention("4x32x512x128xbf16", "4x32x512x128xbf16"),
                  "attention, batch 4, 32 heads, 512 rows, 512 keys, depth 128, bf16",
                  {32 * 512 * 128, 512 * 128, 128}, {32 * 512 * 128, 512 * 128, 128});
}

TEST(Peers, CausalAttentionOfGroupedHeads) {
  expectAttention(
      attention("4x32x512x128xf16", "4x8x512x128xf16", "{causal}"),
      "attention, batch 4, 32 heads, 8 of keys, 512 rows, 512 keys, depth 128, f16, causal",
      {32 * 512 * 128, 512 * 128, 128}, {8 * 512 * 128, 512 * 128, 128});
}

TEST(Peers, AttentionWithoutABatch) {
  expectAttention(attention("1x32x512x128xbf16", "1x8x512x128xbf16", "{causal}"),
                  "attention, batch 1, 32 heads, 8 of keys, 512 rows, 512 keys, depth 128, bf16, "
                  "causal",
                  {32 * 512 * 128, 512 * 128, 128}, {8 * 512 * 128, 512 * 128, 128});
}

TEST(Peers, DecodingIsOneRowOfQueryHeads) {
  expectAttention(attention("16x32x1x128xbf16", "16x8x1024x128xbf16"),
                  "attention, batch 16, 32 heads, 8 of keys, 1 rows, 1024 keys, depth 128, bf16",
                  {32 * 128, 128, 128}, {8 * 1024 * 128, 1024 * 128, 128});
}

TEST(Peers, OthersSayWhy) {
  PeerCalls found = callsOf(attention("2x4x64x64xf32", "2x4x64x64xf32"));
  EXPECT_TRUE(found.calls.empty());
  ASSERT_EQ(found.others.size(), 1u);
  EXPECT_EQ(found.others[0].kernel, "attention");
  EXPECT_EQ(found.others[0].why, "the library takes queries, keys and values of f16 or of bf16");

  found = callsOf(attention("2x4x64x64xbf16", "2x4x64x64xbf16"), "hip");
  EXPECT_TRUE(found.calls.empty());
  ASSERT_EQ(found.others.size(), 1u);
  EXPECT_EQ(found.others[0].why, "no library for attention is known on hip");

  found = callsOf("func.func @main(%x: tensor<64x512xf32>) -> tensor<64x512xf32> { %0 = "
                  "transformer.softmax %x {dimension = 1 : i64} : tensor<64x512xf32> return %0 : "
                  "tensor<64x512xf32> }");
  ASSERT_EQ(found.others.size(), 1u);
  EXPECT_EQ(found.others[0].why,
            "it is no product, convolution or attention, nor gradients of one");
}

TEST(Peers, ProductsWithBiasAndActivation) {
  const char *text = R"(
func.func @main(%x: tensor<64x256xbf16>, %w: tensor<512x256xbf16>, %b: tensor<512xbf16>) -> tensor<64x512xbf16> {
  %0 = transformer.matmul %x, %w bias %b {activation = #transformer.activation<gelu_tanh>, transpose_rhs} : (tensor<64x256xbf16>, tensor<512x256xbf16>, tensor<512xbf16>) -> tensor<64x512xbf16>
  return %0 : tensor<64x512xbf16>
})";
  PeerCalls found = callsOf(text);
  ASSERT_EQ(found.calls.size(), 1u);
  EXPECT_EQ(found.calls[0].library, "cublaslt");
  EXPECT_EQ(found.calls[0].description(),
            "64x512x256 product, bf16 x bf16^T -> bf16, bias, gelu_tanh");
  const auto &call = std::get<VendorProduct>(found.calls[0].work);
  EXPECT_EQ(call.product.lhsStride, 256);
  EXPECT_EQ(call.product.rhsStride, 256);
  EXPECT_EQ(call.product.rhsTransposed, 1);
  EXPECT_EQ(call.product.outStride, 512);
  EXPECT_TRUE(call.hasBias);
  EXPECT_FALSE(call.hasResidual);
  EXPECT_EQ(callsOf(text, "hip").calls.at(0).library, "hipblaslt");
}

TEST(Peers, AHostHasNoCudnn) {
  PeerCalls found = callsOf(attention("2x4x64x64xbf16", "2x4x64x64xbf16"));
  ASSERT_EQ(found.calls.size(), 1u);
  Result<TargetDevice> sim = openTarget("sim:sm_90a");
  ASSERT_TRUE(sim) << sim.error().message;
  EXPECT_EQ(Peer::create(found.calls[0], sim->device).error().message,
            "cuDNN is for devices of cuda, but this is one of sim");
}
} // namespace
