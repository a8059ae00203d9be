#include "FakeDecoder.h"

#include "forge/Generate/Report.h"

#include <gtest/gtest.h>

using namespace forge;

/// Each step reads the weights, and the keys of the tokens before it, of which each has 4 bytes.
TEST(Report, SaysWhatShareOfMemoryDecodingTakes) {
  auto code = std::make_unique<FakeDecoder>(/*batch=*/1, std::vector<int64_t>{2}, /*capacity=*/8);
  FakeDecoder *decoder = code.get();
  code->signatures[DecoderCode::Decode].weightBytesRead = 100;
  Result<Generator> generator = Generator::create(std::move(code), {});
  ASSERT_TRUE(generator) << generator.error().message;
  std::vector<int32_t> prompt = {1, 2};
  std::vector<Continuation> texts;
  texts.push_back({prompt, 2, prompt, TextOutput(nullptr, prompt, {}, [](const std::string &) {})});
  GenerateReport report;
  ASSERT_TRUE(continueTexts(*generator, texts, {.newTokens = 4}, report.times));
  EXPECT_EQ(report.times.decodeBytes, 3u * 100 + 4 * (2 + 3 + 4));
  report.measureMemory(*generator);
  EXPECT_EQ(report.memoryRate, 10.0 * (100 + 4 * 5));
  EXPECT_EQ(decoder->measured, 1);

  report.add(texts.front());
  report.times.prefill = 1000;
  report.times.decode = 250;
  EXPECT_EQ(report.decodeByteRate(), 4 * 336.0);
  report.memoryRate = 4 * 672.0;
  EXPECT_NE(summary(report).find("decode 12.0 tokens a second (0.00 GB/s of 0.0, 50 % of memory's"),
            std::string::npos)
      << summary(report);
  Result<std::string> object = describe(report, texts, nullptr);
  ASSERT_TRUE(object);
  EXPECT_NE(object->find("\"bandwidth_share\":0.5"), std::string::npos) << *object;
}

TEST(Report, HasNoShareWhereNothingWasDecodedOrMeasured) {
  auto code = std::make_unique<FakeDecoder>(/*batch=*/1, std::vector<int64_t>{2}, /*capacity=*/8);
  FakeDecoder *decoder = code.get();
  Result<Generator> generator = Generator::create(std::move(code), {});
  ASSERT_TRUE(generator);
  GenerateReport report;
  report.measureMemory(*generator);
  EXPECT_EQ(decoder->measured, 0);
  EXPECT_EQ(summary(report).find("GB/s"), std::string::npos);
  Result<std::string> object = describe(report, {}, nullptr);
  ASSERT_TRUE(object);
  EXPECT_NE(object->find("\"memory_bytes_per_second\":null,\"bandwidth_share\":null"),
            std::string::npos)
      << *object;
}
