// Which kernels a library computes, too, and what it is asked for.
#include "TestModule.h"

#include "forge/Bench/Peers.h"
#include "forge/Codegen/TargetInfo.h"
#include "forge/Execution/Lowering.h"
#include "forge/Runtime/DeviceRegistry.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdlib>

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

/// Gradients by the cotangent of the result.
std::string gradients(const std::string &queries, const std::string &keys,
                      const std::string &attributes = "") {
  std::string q = "tensor<" + queries + ">", k = "tensor<" + keys + ">";
  return "func.func @main(%d: " + q + ", %q: " + q + ", %k: " + k + ", %v: " + k + ") -> (" + q +
         ", " + k + ", " + k + ") { %0:3 = transformer.attention_grad %d, %q, %k, %v " +
         attributes + " : (" + q + ", " + q + ", " + k + ", " + k + ") -> (" + q + ", " + k + ", " +
         k + ") return %0#0, %0#1, %0#2 : " + q + ", " + k + ", " + k + " }";
}

/// The kernels of row numbers, of keys and values, and of queries are one call;
/// the forward result is another.
void expectGradients(const std::string &text, const std::string &attention) {
  PeerCalls found = callsOf(text);
  for (const KernelWithoutPeer &other : found.others)
    ADD_FAILURE() << other.kernel << ": " << other.why;
  ASSERT_EQ(found.calls.size(), 2u);
  EXPECT_EQ(found.calls[0].description(), attention + ", statistics");
  EXPECT_EQ(found.calls[1].description(), "gradients of " + attention);
  EXPECT_EQ(found.calls[1].name(), "cudnn contraction_0+contraction_1+contraction");
  const auto &call =
      std::get<rt::AttentionGradientCall>(std::get<rt::DnnCall>(found.calls[1].work));
  EXPECT_NEAR(call.attention.scale, 0.0883883, 1e-6);
  EXPECT_EQ(call.cotangentStrides, call.attention.queryStrides);
  EXPECT_EQ(call.attention.valueStrides, call.attention.keyStrides);
  EXPECT_EQ(call.attention.keyStrides[2], 128);
}

TEST(Peers, GradientsOfAttention) {
  expectGradients(gradients("2x4x256x128xbf16", "2x4x256x128xbf16"),
                  "attention, batch 2, 4 heads, 256 rows, 256 keys, depth 128, bf16");
  expectGradients(gradients("2x4x256x128xf16", "2x4x128x128xf16"),
                  "attention, batch 2, 4 heads, 256 rows, 128 keys, depth 128, f16");
}

TEST(Peers, CausalGradientsOfGroupedHeads) {
  expectGradients(
      gradients("2x8x256x128xbf16", "2x2x256x128xbf16", "{causal}"),
      "attention, batch 2, 8 heads, 2 of keys, 256 rows, 256 keys, depth 128, bf16, causal");
}

/// At a depth of 256 gradients of keys and of values are a kernel each, of which the latter reads
/// no values.
TEST(Peers, GradientsInFourKernels) {
  PeerCalls found = callsOf(gradients("1x2x128x256xbf16", "1x2x128x256xbf16", "{causal}"));
  ASSERT_EQ(found.calls.size(), 2u) << (found.others.empty() ? "" : found.others[0].why);
  EXPECT_EQ(found.calls[1].kernels.size(), 4u);
  EXPECT_TRUE(found.others.empty());
}

TEST(Peers, OtherGradientsSayWhy) {
  // Capped scores.
  PeerCalls found =
      callsOf(gradients("1x2x128x64xbf16", "1x2x128x64xbf16", "{causal, soft_cap = 30.0 : f32}"));
  size_t capped = 0;
  for (const KernelWithoutPeer &other : found.others)
    capped += other.why == "the library takes scores of which nothing but a multiple is computed";
  EXPECT_EQ(capped, 3u);
  // Of the queries alone.
  std::string text = gradients("1x2x128x64xbf16", "1x2x128x64xbf16");
  size_t results = text.find("-> (tensor<1x2x128x64xbf16>, ");
  text.replace(results, text.find(" {", results) - results, "-> tensor<1x2x128x64xbf16>");
  size_t returned = text.find("return");
  text.replace(returned, std::string::npos, "return %0#0 : tensor<1x2x128x64xbf16> }");
  found = callsOf(text);
  size_t parts = 0;
  for (const KernelWithoutPeer &other : found.others)
    parts += other.why.find("of which the function has not all") != std::string::npos;
  EXPECT_EQ(parts, 1u);
}

/// "56x56x64" by "3x3x64x128" to "56x56x128", channels last.
std::string convolution(const std::string &image, const std::string &kernel,
                        const std::string &result, const std::string &window,
                        const std::string &type = "bf16", int groups = 1) {
  std::string x = "tensor<" + image + "x" + type + ">", w = "tensor<" + kernel + "x" + type + ">",
              y = "tensor<" + result + "x" + type + ">";
  std::string dims = llvm::StringRef(image).count('x') == 2 ? "0" : "0, 1";
  return "func.func @main(%x: " + x + ", %w: " + w + ") -> " + y +
         " { %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, " + dims + ", f]x[" + dims +
         ", i, o]->[b, " + dims + ", f], window = {" + window +
         "} {batch_group_count = 1 : i64, feature_group_count = " + std::to_string(groups) +
         " : i64} : (" + x + ", " + w + ") -> " + y + " return %0 : " + y + " }";
}

const rt::ConvolutionCall *onlyConvolution(const PeerCalls &found, const char *description) {
  if (found.calls.size() != 1) {
    ADD_FAILURE() << found.calls.size() << " calls"
                  << (found.others.empty() ? "" : ", " + found.others[0].why);
    return nullptr;
  }
  EXPECT_EQ(found.calls[0].description(), description);
  EXPECT_EQ(found.calls[0].library, "cudnn");
  for (const KernelWithoutPeer &other : found.others)
    ADD_FAILURE() << other.kernel << ": " << other.why;
  return &std::get<rt::ConvolutionCall>(std::get<rt::DnnCall>(found.calls[0].work));
}

TEST(Peers, Convolutions) {
  PeerCalls found = callsOf(convolution("2x16x18x64", "3x3x64x128", "2x14x16x128", ""));
  const rt::ConvolutionCall *call = onlyConvolution(
      found, "convolution, batch 2, 16x18 of 64 channels by 3x3 to 14x16 of 128, bf16");
  ASSERT_TRUE(call);
  using Strides = std::vector<int64_t>;
  EXPECT_EQ(call->imageStrides, (Strides{16 * 18 * 64, 1, 18 * 64, 64}));
  EXPECT_EQ(call->kernelStrides, (Strides{9 * 64, 1, 3 * 64, 64}));
  EXPECT_EQ(call->outStrides, (Strides{14 * 16 * 128, 1, 16 * 128, 128}));
  onlyConvolution(
      callsOf(convolution("2x17x17x64", "3x3x64x128", "2x8x8x128", "stride = [2, 2]", "f16")),
      "convolution, batch 2, 17x17 of 64 channels by 3x3 to 8x8 of 128, stride 2x2, f16");
  onlyConvolution(
      callsOf(convolution("2x18x18x64", "3x3x64x128", "2x14x14x128", "rhs_dilate = [2, 2]")),
      "convolution, batch 2, 18x18 of 64 channels by 3x3 to 14x14 of 128, dilation 2x2, bf16");
  onlyConvolution(callsOf(convolution("4x132x64", "5x64x128", "4x128x128", "")),
                  "convolution, batch 4, 132 of 64 channels by 5 to 128 of 128, bf16");
}

/// A group for each.
/// Zeros around the image are part of the call, in the convolution's kernel or in one before it.
TEST(Peers, PaddedConvolutions) {
  PeerCalls found =
      callsOf(convolution("2x16x16x64", "3x3x64x128", "2x16x16x128", "pad = [[1, 1], [1, 1]]"));
  const rt::ConvolutionCall *call = onlyConvolution(
      found,
      "convolution, batch 2, 16x16 of 64 channels by 3x3 to 16x16 of 128, padding 1x1, bf16");
  ASSERT_TRUE(call);
  EXPECT_EQ(found.calls[0].name(), "cudnn contraction");
  EXPECT_EQ(call->imageStrides, (std::vector<int64_t>{16 * 16 * 64, 1, 16 * 64, 64}));
  // Rows of windows of few features are read together, from a padded image.
  found = callsOf(convolution("32x56x56x8", "3x3x8x128", "32x56x56x128", "pad = [[1, 1], [1, 1]]"));
  call = onlyConvolution(
      found,
      "convolution, batch 32, 56x56 of 8 channels by 3x3 to 56x56 of 128, padding 1x1, bf16");
  ASSERT_TRUE(call);
  EXPECT_EQ(found.calls[0].name(), "cudnn contraction+elementwise");
  EXPECT_EQ(call->imageStrides, (std::vector<int64_t>{56 * 56 * 8, 1, 56 * 8, 8}));
  onlyConvolution(callsOf(convolution("4x128x64", "5x64x128", "4x129x128", "pad = [[3, 2]]")),
                  "convolution, batch 4, 128 of 64 channels by 5 to 129 of 128, padding 3+2, bf16");
  onlyConvolution(
      callsOf(convolution("2x16x16x64", "3x3x64x128", "2x15x16x128", "pad = [[0, 1], [1, 1]]")),
      "convolution, batch 2, 16x16 of 64 channels by 3x3 to 15x16 of 128, padding "
      "0+1x1+1, bf16");
}

/// An operation that also computes the image is not padding alone.
TEST(Peers, PaddingOfSomethingComputed) {
  std::string text =
      convolution("2x16x16x64", "3x3x64x128", "2x16x16x128", "pad = [[1, 1], [1, 1]]");
  std::string type = "tensor<2x16x16x64xbf16>";
  text.replace(text.find("%0 = stablehlo.convolution(%x"), 29,
               "%n = stablehlo.tanh %x : " + type + " %0 = stablehlo.convolution(%n");
  PeerCalls found = callsOf(text);
  ASSERT_EQ(found.calls.size(), 1u);
  EXPECT_EQ(found.calls[0].description(),
            "convolution, batch 2, 18x18 of 64 channels by 3x3 to 16x16 of 128, bf16");
  EXPECT_EQ(found.others.size(), 1u);
}

TEST(Peers, ConvolutionsOfEachChannel) {
  PeerCalls found = callsOf(convolution("2x20x20x64", "7x7x1x64", "2x14x14x64", "", "bf16", 64));
  const rt::ConvolutionCall *call = onlyConvolution(
      found, "convolution, batch 2, 20x20 of 64 channels by 7x7 to 14x14 of 64, 64 groups, bf16");
  ASSERT_TRUE(call);
  EXPECT_EQ(call->kernelStrides[0], 49);
}

TEST(Peers, ConvolutionsWithBiasAndActivation) {
  std::string text = R"(
func.func @main(%x: tensor<2x16x16x64xbf16>, %w: tensor<3x3x64x128xbf16>, %b: tensor<128xbf16>) -> tensor<2x14x14x128xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x16x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x14x14x128xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<128xbf16>) -> tensor<2x14x14x128xbf16>
  %2 = stablehlo.convert %1 : (tensor<2x14x14x128xbf16>) -> tensor<2x14x14x128xf32>
  %3 = stablehlo.add %0, %2 : tensor<2x14x14x128xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2x14x14x128xf32>
  %4 = stablehlo.maximum %3, %zero : tensor<2x14x14x128xf32>
  %5 = stablehlo.convert %4 : (tensor<2x14x14x128xf32>) -> tensor<2x14x14x128xbf16>
  return %5 : tensor<2x14x14x128xbf16>
})";
  PeerCalls found = callsOf(text);
  const rt::ConvolutionCall *call = onlyConvolution(
      found, "convolution, batch 2, 16x16 of 64 channels by 3x3 to 14x14 of 128, bf16, "
             "bias, relu");
  ASSERT_TRUE(call);
  EXPECT_TRUE(call->hasBias);
  text.replace(text.find("stablehlo.maximum %3, %zero"), 27, "stablehlo.minimum %3, %zero");
  found = callsOf(text);
  ASSERT_EQ(found.others.size(), 1u);
  EXPECT_EQ(found.others[0].why, "the library takes nothing but bias, residual, activation and "
                                 "rounding behind the sums");
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
            "it is not a product or a convolution, perhaps with bias, residual and activation, nor "
            "attention or a gradient of it");
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

/// On a GPU, or on the stand-in for one (ctest -R BenchTest-fake-cuda).
TEST(Peers, AreTimedOnADevice) {
  Result<std::shared_ptr<rt::Device>> device = rt::openDevice("cuda");
  if (!device)
    GTEST_SKIP() << device.error().message;
  for (const std::string &text :
       {attention("1x2x128x64xbf16", "1x1x128x64xbf16", "{causal}"),
        gradients("1x2x128x64xbf16", "1x1x128x64xbf16", "{causal}"),
        convolution("1x16x16x64", "3x3x64x128", "1x16x16x128", "pad = [[1, 1], [1, 1]]")})
    for (const PeerCall &call : callsOf(text).calls) {
      Result<std::unique_ptr<Peer>> peer = Peer::create(call, *device);
      ASSERT_TRUE(peer) << call.description() << ": " << peer.error().message;
      // As it is, captured, by the graph.
      for (int time = 0; time < 4; ++time) {
        Result<double> ms = (*peer)->run();
        ASSERT_TRUE(ms) << call.description() << ": " << ms.error().message;
        EXPECT_GT(*ms, 0) << call.description();
      }
      EXPECT_FALSE((*peer)->isCalledEachTime());
    }
}

/// The stand-in waits for its stream in each call, which cannot be captured
/// (ctest -R BenchTest-fake-cuda).
TEST(Peers, ThatCannotBeCapturedAreCalledEachTime) {
  if (!std::getenv("FORGE_TEST_STAND_IN"))
    GTEST_SKIP() << "FORGE_TEST_STAND_IN is not set";
  Result<std::shared_ptr<rt::Device>> device = rt::openDevice("cuda");
  ASSERT_TRUE(device) << device.error().message;
  std::string text = R"(
func.func @main(%x: tensor<15x7xf32>, %w: tensor<7x11xf32>) -> tensor<15x11xf32> {
  %0 = transformer.matmul %x, %w : (tensor<15x7xf32>, tensor<7x11xf32>) -> tensor<15x11xf32>
  return %0 : tensor<15x11xf32>
})";
  PeerCalls found = callsOf(text);
  ASSERT_EQ(found.calls.size(), 1u);
  found.calls[0].launches = 3;
  setenv("FAKE_LT_WAITS", "1", /*replace=*/1);
  // The library says that it cannot wait, or the capture does at its end.
  for (bool hides : {false, true}) {
    if (hides)
      setenv("FAKE_LT_HIDES", "1", /*replace=*/1);
    Result<std::unique_ptr<Peer>> peer = Peer::create(found.calls[0], *device);
    ASSERT_TRUE(peer) << peer.error().message;
    for (int time = 0; time < 5; ++time) {
      Result<double> ms = (*peer)->run();
      ASSERT_TRUE(ms) << "run " << time << ": " << ms.error().message;
      EXPECT_GT(*ms, 0);
      EXPECT_EQ((*peer)->isCalledEachTime(), time > 0);
    }
  }
  unsetenv("FAKE_LT_WAITS");
  unsetenv("FAKE_LT_HIDES");
}
} // namespace
