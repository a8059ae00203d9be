// A decoder without a compiler: the next token is a number made of all tokens in the cache.
#ifndef FORGE_UNITTESTS_GENERATE_FAKEDECODER_H
#define FORGE_UNITTESTS_GENERATE_FAKEDECODER_H

#include "forge/Generate/Generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace forge {

class FakeDecoder : public DecoderCode {
public:
  static constexpr int32_t vocabulary = 11;

  /// With a prefill for each of `lengths`; with `pages`, pages of `pageSize` tokens, and prefills
  /// of one sequence for each of `alone`.
  FakeDecoder(int64_t batch, std::vector<int64_t> lengths, int64_t capacity, int64_t pageSize = 0,
              int64_t pages = 0, const std::vector<int64_t> &alone = {}) {
    size_t firstAlone = lengths.size() + 1;
    lengths.insert(lengths.end(), alone.begin(), alone.end());
    signatures.resize(lengths.size() + 1);
    runs.resize(signatures.size());
    int64_t all = batch;
    for (Function function = 0; function < signatures.size(); ++function) {
      ModuleSignature &signature = signatures[function];
      signature.target = "cpu";
      batch = function < firstAlone ? all : 1;
      auto add = [&](const char *name, std::vector<int64_t> dims, bool donated) {
        signature.names.emplace_back(name);
        signature.weights.emplace_back();
        signature.function.arguments.push_back({DType::I32, std::move(dims)});
        signature.function.donated.push_back(donated);
      };
      bool isPrefill = function != Decode;
      signature.function.name = isPrefill ? "prefill" : "decode";
      add("input_ids", {batch, isPrefill ? lengths[function - 1] : 1}, false);
      if (isPrefill)
        add("counts", {batch}, false);
      add("lengths", {batch}, true);
      std::vector<int64_t> cache = {batch, 1, capacity, 1};
      if (pages) {
        add("table", {batch, capacity / pageSize}, false);
        cache = {pages, 1, pageSize, 1};
      }
      add("keys.0", cache, true);
      signature.function.results = {{DType::I32, {batch, 1}},
                                    {DType::F32, {batch, vocabulary}},
                                    {DType::I32, {batch}},
                                    {DType::I32, cache}};
    }
  }

  /// Adds functions that draw tokens: what `drawn` says of the next one.
  void addSamplers() {
    bool hasAlone = signatures.back().function.results[0].dims[0] !=
                    signatures.front().function.results[0].dims[0];
    for (ModuleSignature &signature : signatures) {
      FunctionSignature &function = signature.function;
      auto place = std::find(signature.names.begin(), signature.names.end(), "lengths");
      auto at = place - signature.names.begin();
      signature.names.insert(place, "logits");
      signature.weights.emplace_back();
      function.arguments.insert(function.arguments.begin() + at, function.results[1]);
      function.donated.insert(function.donated.begin() + at, true);
    }
    for (int64_t batch : {signatures.front().function.results[0].dims[0], int64_t(1)}) {
      bool isAlone = signatures.back().function.name == "sample";
      if (isAlone && !hasAlone)
        break;
      ModuleSignature signature;
      signature.target = "cpu";
      signature.function.name = isAlone ? "sample_alone" : "sample";
      signature.names = {"input_ids",   "logits", "lengths", "seeds",
                         "temperature", "top_k",  "top_p"};
      signature.weights.resize(signature.names.size());
      signature.function.arguments = {{DType::I32, {batch, 1}}, {DType::F32, {batch, vocabulary}},
                                      {DType::I32, {batch}},    {DType::I64, {batch}},
                                      {DType::F32, {batch}},    {DType::I32, {batch}},
                                      {DType::F32, {batch}}};
      signature.function.donated = {true, false, false, false, false, false, false};
      signature.function.results = {{DType::I32, {batch, 1}}};
      signatures.push_back(std::move(signature));
    }
    runs.resize(signatures.size());
  }

  /// What comes behind `tokens`.
  static int32_t next(std::span<const int32_t> tokens) {
    int32_t hash = 0;
    for (int32_t token : tokens)
      hash = (31 * hash + token + 1) % 1009;
    return hash % vocabulary;
  }
  /// What is drawn behind so many tokens, of which the last but one says `next`.
  static int32_t drawn(int32_t next, int32_t length, int64_t seed) {
    return static_cast<int32_t>((next + 3 * length + seed) % vocabulary);
  }
  static std::vector<int32_t> drawnFrom(std::vector<int32_t> tokens, int count, int64_t seed) {
    for (int i = 0; i < count; ++i)
      tokens.push_back(drawn(next(tokens), static_cast<int32_t>(tokens.size()), seed));
    return tokens;
  }
  static std::vector<int32_t> continued(std::vector<int32_t> tokens, int count) {
    for (int i = 0; i < count; ++i)
      tokens.push_back(next(tokens));
    return tokens;
  }

  size_t numFunctions() const override { return signatures.size(); }
  const ModuleSignature &signature(Function function) const override {
    return signatures[function];
  }
  Result<size_t> keep(const TensorSource &source) override {
    Result<HostTensor> tensor = source.tensor();
    if (!tensor)
      return tensor.error();
    tensors.push_back(std::move(*tensor));
    return tensors.size() - 1;
  }
  Result<void> write(size_t tensor, HostTensor elements) override {
    tensors[tensor] = std::move(elements);
    return {};
  }
  /// Runs at once, whether or not it says that it does.
  Result<void> begin(Function function, std::span<const size_t> arguments,
                     std::span<const std::optional<size_t>> kept) override {
    std::vector<HostTensor> results = compute(function, arguments), given;
    for (size_t i = 0; i < results.size(); ++i) {
      if (kept[i] == kDroppedResult)
        continue;
      if (kept[i])
        tensors[arguments[*kept[i] & ~kAlsoGiven]] = results[i];
      if (!kept[i] || (*kept[i] & kAlsoGiven))
        given.push_back(std::move(results[i]));
    }
    pending.push_back(std::move(given));
    mostPending = std::max(mostPending, pending.size());
    return {};
  }
  Result<std::vector<HostTensor>> finish() override {
    std::vector<HostTensor> results = std::move(pending.front());
    pending.pop_front();
    return results;
  }
  bool runsBehind() const override { return isBehind; }

  double memoryRate(uint64_t bytes) override {
    ++measured;
    return 10.0 * static_cast<double>(bytes);
  }

  std::vector<ModuleSignature> signatures;
  int measured = 0;
  /// Of each function.
  std::vector<int> runs;
  bool isBehind = false;
  size_t mostPending = 0;

private:
  std::vector<HostTensor> compute(Function function, std::span<const size_t> arguments) {
    ++runs[function];
    auto tensor = [&](const char *name) -> HostTensor & {
      const std::vector<std::string> &names = signatures[function].names;
      auto found = std::find(names.begin(), names.end(), name);
      return tensors[arguments[static_cast<size_t>(found - names.begin())]];
    };
    HostTensor &ids = tensor("input_ids"), &lengths = tensor("lengths");
    if (signatures[function].function.name.starts_with("sample")) {
      HostTensor next = *HostTensor::create(DType::I32, ids.dims());
      for (int64_t b = 0; b < ids.dims()[0]; ++b)
        next.dataAs<int32_t>()[b] =
            drawn(static_cast<int32_t>(tensor("logits").dataAs<float>()[b * vocabulary]),
                  lengths.dataAs<int32_t>()[b], tensor("seeds").dataAs<int64_t>()[b]);
      std::vector<HostTensor> results;
      results.push_back(std::move(next));
      return results;
    }
    bool isPaged = signatures[function].names[arguments.size() - 2] == "table";
    int64_t batch = ids.dims()[0], chunk = ids.dims()[1];
    HostTensor tokens = *HostTensor::create(DType::I32, {batch, 1});
    HostTensor logits = *HostTensor::create(DType::F32, {batch, vocabulary});
    for (int64_t b = 0; b < batch; ++b) {
      int32_t count = function != Decode ? tensor("counts").dataAs<int32_t>()[b] : 1,
              &length = lengths.dataAs<int32_t>()[b];
      // Places that there are none of are written by nothing, and padding is written.
      auto place = [&](int64_t t) -> int32_t * {
        HostTensor &keys = tensor("keys.0");
        int64_t size = keys.dims()[2], page = b;
        if (isPaged) {
          HostTensor &table = tensor("table");
          int64_t each = table.dims()[1];
          if (t >= each * size)
            return nullptr;
          page = table.dataAs<int32_t>()[b * each + t / size];
          t %= size;
        }
        return page < 0 || t >= size ? nullptr : keys.dataAs<int32_t>() + page * size + t;
      };
      for (int64_t i = 0; i < chunk; ++i)
        if (int32_t *key = place(length + i))
          *key = i < count ? ids.dataAs<int32_t>()[b * chunk + i] : -7;
      length += count;
      std::vector<int32_t> known;
      for (int64_t t = 0; t < length; ++t)
        if (int32_t *key = place(t))
          known.push_back(*key);
      tokens.dataAs<int32_t>()[b] = next(known);
      logits.dataAs<float>()[b * vocabulary] = static_cast<float>(next(known));
    }
    std::vector<HostTensor> results;
    results.push_back(std::move(tokens));
    results.push_back(std::move(logits));
    return results;
  }

  std::vector<HostTensor> tensors;
  std::deque<std::vector<HostTensor>> pending;
};

/// A step of decoding for two sequences of a FakeDecoder with these tokens so far, which the step's
/// own are added to; the next ones, as expected of what each has.
inline std::vector<int32_t> decodeTwo(Generator &generator, std::vector<int32_t> &first,
                                      std::vector<int32_t> &second, int32_t left, int32_t right,
                                      bool goesOn = false) {
  Result<std::vector<int32_t>> next = generator.decode({left, right}, goesOn);
  EXPECT_TRUE(next);
  for (auto [token, of] : {std::pair(left, &first), std::pair(right, &second)})
    if (token != Generator::kLeftOut)
      of->push_back(token);
  EXPECT_EQ((*next)[0], left == -1 ? -1 : FakeDecoder::next(first));
  EXPECT_EQ((*next)[1], right == -1 ? -1 : FakeDecoder::next(second));
  return *next;
}

} // namespace forge

#endif // FORGE_UNITTESTS_GENERATE_FAKEDECODER_H
