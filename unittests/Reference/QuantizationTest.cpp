#include "TestTensors.h"

#include "forge/Reference/Quantization.h"

using namespace forge;
using namespace forge::reference;

static HostTensor scalar(double value) { return floats({}, {value}); }

TEST(Quantize, RoundsToEvenAndSaturates) {
  HostTensor one = scalar(1);
  HostTensor x = floats({9}, {0.5, 1.5, 2.5, -0.5, -1.5, 127.4, 127.5, -1000, kInf});
  expectSame(quantize(x, {&one}, DType::F32, DType::I8),
             ints({9}, {0, 2, 2, 0, -2, 127, 127, -128, 127}, DType::I8));
  expectSame(quantize(x, {&one}, DType::F32, DType::I4),
             ints({9}, {0, 2, 2, 0, -2, 7, 7, -8, 7}, DType::I4));
}

TEST(Quantize, NotANumberIsTheZeroPoint) {
  HostTensor one = scalar(1), zero = ints({}, {-3}, DType::I8);
  expectSame(quantize(floats({3}, {kNaN, 4, -kInf}), {&one, &zero}, DType::F32, DType::I8),
             ints({3}, {-3, 1, -128}, DType::I8));
  HostTensor none = scalar(0);
  expectSame(quantize(floats({2}, {0, 1}), {&none}, DType::F32, DType::I8),
             ints({2}, {0, 127}, DType::I8));
}

TEST(Quantize, Float8ClampsAndKeepsNaN) {
  HostTensor half = scalar(0.5);
  expectSame(
      quantize(floats({5}, {1, 224.1, 1e9, -kInf, kNaN}), {&half}, DType::F32, DType::F8E4M3FN),
      floats({5}, {2, 448, 448, -448, kNaN}, DType::F8E4M3FN));
  expectSame(quantize(floats({3}, {0.15, 1e9, -kInf}), {&half}, DType::F32, DType::F8E5M2),
             floats({3}, {0.3125, 57344, -57344}, DType::F8E5M2));
}

// Each row by its largest magnitude; one of zeros has the least scale, NaN and infinities stay in
// their rows.
TEST(QuantizeRows, HasAScaleForEachRow) {
  HostTensor x = floats({5, 3}, {-448, 7, 0.5, 0, 0, 0, kNaN, 1, 2, kInf, 1, -kInf, 7, -3.5, 0});
  Result<QuantizedRows> rows = quantizeRows(x, DType::F32, DType::F8E4M3FN);
  ASSERT_TRUE(rows);
  expectSame(std::move(rows->scale), floats({5}, {1, 0x1p-126, kNaN, kInf, 0.015625}));
  expectSame(std::move(rows->numbers),
             floats({5, 3}, {-448, 7, 0.5, 0, 0, 0, kNaN, kNaN, kNaN, kNaN, 0, kNaN, 448, -224, 0},
                    DType::F8E4M3FN));
  Result<QuantizedRows> wide = quantizeRows(floats({1, 2}, {1.03, 448}, DType::F64), DType::F64,
                                            DType::F8E4M3FN, DType::F64, DType::F64);
  ASSERT_TRUE(wide);
  expectSame(std::move(wide->numbers), floats({1, 2}, {1.03, 448}, DType::F64));
  Result<QuantizedRows> empty = quantizeRows(floats({2, 0}, {}), DType::F32, DType::F8E5M2);
  ASSERT_TRUE(empty);
  expectSame(std::move(empty->scale), floats({2}, {0x1p-126, 0x1p-126}));
  EXPECT_FALSE(quantizeRows(scalar(1), DType::F32, DType::F8E4M3FN));
}

TEST(Quantize, CarriedWiderIsClampedOnly) {
  HostTensor one = scalar(1);
  expectSame(quantize(floats({2}, {1.03, 1e9}, DType::F64), {&one}, DType::F64, DType::F8E4M3FN,
                      DType::F64),
             floats({2}, {1.03, 448}, DType::F64));
}

TEST(Quantize, ChannelsAndBlocks) {
  HostTensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6}), rows = floats({2}, {1, 2}),
             columns = floats({3}, {1, 2, 3}), blocks = floats({1, 2}, {1, 3});
  Quantization perRow{&rows};
  perRow.axis = 0;
  expectSame(quantize(x, perRow, DType::F32, DType::I8),
             ints({2, 3}, {1, 2, 3, 2, 2, 3}, DType::I8));
  Quantization perColumn{&columns};
  perColumn.axis = 1;
  expectSame(quantize(x, perColumn, DType::F32, DType::I8),
             ints({2, 3}, {1, 1, 1, 4, 2, 2}, DType::I8));
  Quantization perBlock{&blocks};
  perBlock.block = Dims{2, 2};
  expectSame(quantize(x, perBlock, DType::F32, DType::I8),
             ints({2, 3}, {1, 2, 1, 4, 5, 2}, DType::I8));
  expectError(quantize(x, {&rows}, DType::F32, DType::I8), "shape []");
  perBlock.block = Dims{2, 0};
  expectError(quantize(x, perBlock, DType::F32, DType::I8), "positive");
  perBlock.block = Dims{2};
  expectError(quantize(x, perBlock, DType::F32, DType::I8), "rank 2");
}

TEST(Dequantize, DifferenceTimesScale) {
  HostTensor scale = floats({2}, {0.5, 10}), zero = ints({2}, {-2, 7}, DType::I4);
  Quantization perRow{&scale, &zero};
  perRow.axis = 0;
  expectSame(dequantize(ints({2, 2}, {-8, 7, 7, -8}, DType::I4), perRow, DType::F32, DType::F32),
             floats({2, 2}, {-3, 4.5, 0, -150}));
  HostTensor one = scalar(3);
  expectSame(
      dequantize(floats({3}, {0.25, -448, kNaN}, DType::F8E4M3FN), {&one}, DType::F32, DType::BF16),
      floats({3}, {0.75, -1344, kNaN}, DType::BF16));
}

TEST(Dequantize, UndoesQuantizeWithinHalfAStep) {
  HostTensor step = scalar(0.037);
  std::vector<double> values;
  for (int i = -100; i <= 100; ++i)
    values.push_back(i * 0.0417);
  HostTensor x = floats({201}, values);
  Result<HostTensor> narrow = quantize(x, {&step}, DType::F32, DType::I8);
  Result<HostTensor> back = dequantize(*narrow, {&step}, DType::F32, DType::F32);
  for (int64_t i = 0; i < 201; ++i)
    EXPECT_LE(std::abs(back->getDouble(i) - x.getDouble(i)), 0.0185 * (1 + 1e-5)) << i;
}
