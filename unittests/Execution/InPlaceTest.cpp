// Measures what test/Pipelines/in-place.mlir reads: a row written into a large buffer costs a row.
#include "CompileText.h"

#include <chrono>
#include <cmath>
#include <cstring>

using namespace forge;
using namespace forge::test;

namespace {
class InPlaceTest : public ::testing::TestWithParam<Tier> {};
} // namespace
INSTANTIATE_TEST_SUITE_P(Tiers, InPlaceTest, ::testing::Values(Tier::Correctness, Tier::Optimized));

static HostTensor zeros(std::vector<int64_t> dims) {
  return *HostTensor::create(DType::F32, std::move(dims));
}

TEST_P(InPlaceTest, OneRowOfADonatedBuffer) {
  CompileOptions options;
  options.tier = GetParam();
  Result<Executable> executable = compileText(R"mlir(
    func.func @main(%cache: tensor<65536x256xf32> {tf.aliasing_output = 0 : i32}, %row: tensor<1x256xf32>,
                    %at: tensor<i32>) -> tensor<65536x256xf32> {
      %i = tensor.extract %at[] : tensor<i32>
      %p = arith.index_cast %i : i32 to index
      %r = tensor.insert_slice %row into %cache[%p, 0] [1, 256] [1, 1] : tensor<1x256xf32> into tensor<65536x256xf32>
      return %r : tensor<65536x256xf32>
    })mlir",
                                              options);
  ASSERT_TRUE(executable) << executable.error().message;
  HostTensor cache = zeros({65536, 256});
  std::vector<char> copy(cache.numBytes());
  auto start = std::chrono::steady_clock::now();
  std::memcpy(copy.data(), cache.data(), copy.size());
  double copyMs =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  std::vector<HostTensor> inputs;
  inputs.push_back(std::move(cache));
  inputs.push_back(tensor(DType::F32, {1, 256}, {1, 2, 3}));
  inputs.push_back(tensor(DType::I32, {}, {7}));
  Result<RunResult> result = executable->run(std::move(inputs));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->results[0].getDouble(7 * 256 + 2), 3);
  EXPECT_EQ(result->peakTemporaryBytes, 0);
  EXPECT_LT(result->runMs, copyMs / 4) << "a copy takes " << copyMs << " ms";
}

TEST_P(InPlaceTest, OneRowPerIteration) {
  CompileOptions options;
  options.tier = GetParam();
  Result<Executable> executable = compileText(R"mlir(
    func.func @main(%cache: tensor<8192x256xf32>) -> tensor<8192x256xf32> {
      %start = arith.constant dense<0> : tensor<i32>
      %end = arith.constant 8192 : i32
      %one = arith.constant 1 : i32
      %r:2 = scf.while (%i = %start, %c = %cache) : (tensor<i32>, tensor<8192x256xf32>) -> (tensor<i32>, tensor<8192x256xf32>) {
        %iv = tensor.extract %i[] : tensor<i32>
        %k = arith.cmpi slt, %iv, %end : i32
        scf.condition(%k) %i, %c : tensor<i32>, tensor<8192x256xf32>
      } do {
      ^bb0(%i: tensor<i32>, %c: tensor<8192x256xf32>):
        %iv = tensor.extract %i[] : tensor<i32>
        %at = arith.index_cast %iv : i32 to index
        %value = arith.sitofp %iv : i32 to f32
        %e = tensor.empty() : tensor<1x256xf32>
        %row = linalg.fill ins(%value : f32) outs(%e : tensor<1x256xf32>) -> tensor<1x256xf32>
        %c2 = tensor.insert_slice %row into %c[%at, 0] [1, 256] [1, 1] : tensor<1x256xf32> into tensor<8192x256xf32>
        %next = arith.addi %iv, %one : i32
        %i2 = tensor.from_elements %next : tensor<i32>
        scf.yield %i2, %c2 : tensor<i32>, tensor<8192x256xf32>
      }
      return %r#1 : tensor<8192x256xf32>
    })mlir",
                                              options);
  ASSERT_TRUE(executable) << executable.error().message;
  Result<RunResult> result = executable->run({zeros({8192, 256})});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->results[0].getDouble(8191 * 256 + 5), 8191);
  // The caller's input is copied once: 8 MB. A copy per iteration would be 64 GB.
  EXPECT_LT(result->peakTemporaryBytes, int64_t(10) << 20);
  EXPECT_LT(result->runMs, 1000);
}

TEST_P(InPlaceTest, RowsOfACacheGivenAway) {
  CompileOptions options;
  options.tier = GetParam();
  Result<Executable> executable = compileText(R"mlir(
    func.func @main(%rows: tensor<2x8x1x64xf32>, %cache: tensor<2x8x16384x64xf32> {tf.aliasing_output = 0 : i32},
                    %at: tensor<2xi32>) -> tensor<2x8x16384x64xf32> {
      %r = transformer.kv_append %rows into %cache at %at
          : (tensor<2x8x1x64xf32>, tensor<2x8x16384x64xf32>, tensor<2xi32>) -> tensor<2x8x16384x64xf32>
      return %r : tensor<2x8x16384x64xf32>
    })mlir",
                                              options, Phase::Import);
  ASSERT_TRUE(executable) << executable.error().message;
  HostTensor rows = zeros({2, 8, 1, 64});
  rows.setDouble(8 * 64 + 3, 5); // sequence 1, head 0, element 3
  std::vector<HostTensor> inputs;
  inputs.push_back(std::move(rows));
  inputs.push_back(zeros({2, 8, 16384, 64}));
  inputs.push_back(tensor(DType::I32, {2}, {7, 9}));
  Result<RunResult> result = executable->run(std::move(inputs));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->results[0].getDouble((int64_t(8) * 16384 + 9) * 64 + 3), 5);
  EXPECT_EQ(result->peakTemporaryBytes, 0);
  // The cache is 64 MB, of which a copy takes some 10 ms; the rows are 4 kB.
  EXPECT_LT(result->runMs, 3);
}

TEST_P(InPlaceTest, TemporariesOfALoopAreGivenBack) {
  CompileOptions options;
  options.tier = GetParam();
  Result<Executable> executable = compileText(R"mlir(
    func.func @main(%x: tensor<65536xf32>, %n: tensor<i32>) -> tensor<65536xf32> {
      %end = tensor.extract %n[] : tensor<i32>
      %start = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %r:2 = scf.while (%i = %start, %a = %x) : (i32, tensor<65536xf32>) -> (i32, tensor<65536xf32>) {
        %k = arith.cmpi slt, %i, %end : i32
        scf.condition(%k) %i, %a : i32, tensor<65536xf32>
      } do {
      ^bb0(%i: i32, %a: tensor<65536xf32>):
        %e = tensor.empty() : tensor<65536xf32>
        %b = linalg.generic {indexing_maps = [affine_map<(i) -> (65535 - i)>, affine_map<(i) -> (i)>],
                             iterator_types = ["parallel"]}
            ins(%a : tensor<65536xf32>) outs(%e : tensor<65536xf32>) {
          ^bb0(%v: f32, %o: f32):
            %w = arith.addf %v, %v : f32
            linalg.yield %w : f32
        } -> tensor<65536xf32>
        %next = arith.addi %i, %one : i32
        scf.yield %next, %b : i32, tensor<65536xf32>
      }
      return %r#1 : tensor<65536xf32>
    })mlir",
                                              options);
  ASSERT_TRUE(executable) << executable.error().message;
  HostTensor x = zeros({65536});
  x.setDouble(0, 1);
  for (int n : {1, 20}) {
    Result<RunResult> result = executable->run({x, tensor(DType::I32, {}, {double(n)})});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->results[0].getDouble(n % 2 ? 65535 : 0), std::exp2(n));
    EXPECT_LE(result->peakTemporaryBytes, int64_t(4) * 65536 * 4);
  }
}

TEST(Parallel, LoopsRunOnAllCoresAndErrorsComeBack) {
  Result<Executable> executable = compileText(R"mlir(
    func.func @main(%x: tensor<1024x512xf32>, %limit: tensor<f32>) -> tensor<1024x512xf32> {
      %l = tensor.extract %limit[] : tensor<f32>
      %e = tensor.empty() : tensor<1024x512xf32>
      %r = scf.forall (%i) = (0) to (1024) step (32) shared_outs(%o = %e) -> tensor<1024x512xf32> {
        %in = tensor.extract_slice %x[%i, 0] [32, 512] [1, 1] : tensor<1024x512xf32> to tensor<32x512xf32>
        %out = tensor.extract_slice %o[%i, 0] [32, 512] [1, 1] : tensor<1024x512xf32> to tensor<32x512xf32>
        %c0 = arith.constant 0 : index
        %first = tensor.extract %in[%c0, %c0] : tensor<32x512xf32>
        %ok = arith.cmpf olt, %first, %l : f32
        cf.assert %ok, "beyond the limit"
        %y = linalg.add ins(%in, %in : tensor<32x512xf32>, tensor<32x512xf32>) outs(%out : tensor<32x512xf32>) -> tensor<32x512xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %y into %o[%i, 0] [32, 512] [1, 1] : tensor<32x512xf32> into tensor<1024x512xf32>
        }
      }
      return %r : tensor<1024x512xf32>
    })mlir");
  ASSERT_TRUE(executable) << executable.error().message;
  HostTensor x = zeros({1024, 512});
  for (int64_t i = 0; i < x.numElements(); ++i)
    x.dataAs<float>()[i] = static_cast<float>(i % 1000);
  Result<RunResult> result = executable->run({x, tensor(DType::F32, {}, {1e6})});
  ASSERT_TRUE(result) << result.error().message;
  for (int64_t i = 0; i < x.numElements(); ++i)
    ASSERT_EQ(result->results[0].dataAs<float>()[i], 2 * x.dataAs<float>()[i]);
  Result<RunResult> failed = executable->run({x, tensor(DType::F32, {}, {500})});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "beyond the limit");
}
