#include "GeneratorImpl.h"

#include "forge/Support/Trace.h"

#include <cstring>
#include <utility>

using namespace forge;

Generator::Generator(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Generator::Generator(Generator &&) noexcept = default;
Generator &Generator::operator=(Generator &&) noexcept = default;
Generator::~Generator() = default;

const HostTensor &Generator::logits() const { return impl->logits; }
int64_t Generator::vocabulary() const { return impl->vocabulary; }
int64_t Generator::batch() const { return static_cast<int64_t>(impl->sizes.size()); }
int64_t Generator::capacity() const {
  return impl->pages ? impl->pages->capacity() : impl->capacity;
}
const std::vector<int64_t> &Generator::sizes() const { return impl->sizes; }
bool Generator::sharesPages() const { return impl->pages.has_value(); }
size_t Generator::fitting(std::span<const int64_t> tokens) const {
  return impl->pages ? impl->pages->fitting(tokens) : std::min(tokens.size(), impl->sizes.size());
}
int64_t Generator::length() const { return *std::ranges::max_element(impl->sizes); }
uint64_t Generator::weightBytes() const { return impl->weightBytes; }
double Generator::memoryRate(uint64_t bytes) const { return impl->code->memoryRate(bytes); }

uint64_t Generator::stepBytes() const {
  uint64_t known = impl->code->signature(DecoderCode::Decode).weightBytesRead;
  uint64_t tokens = 0;
  for (int64_t size : impl->sizes)
    tokens += static_cast<uint64_t>(size);
  return (known ? known : impl->weightBytes) + tokens * impl->tokenBytes;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Result<void> Generator::Impl::write(GeneratorStep &step, const char *name,
                                    const std::vector<int32_t> &values) {
  size_t argument = *find(step.function, name);
  const TensorSpec &spec = code->signature(step.function).function.arguments[argument];
  Result<HostTensor> tensor = HostTensor::create(spec.type, spec.dims);
  if (!tensor)
    return tensor.error();
  std::memcpy(tensor->data(), values.data(), tensor->numBytes());
  return code->write(step.arguments[argument], std::move(*tensor));
}

Result<void> Generator::Impl::check(size_t sequence, std::span<const int32_t> tokens) const {
  std::string which = sizes.size() > 1 ? "sequence " + std::to_string(sequence) + ": " : "";
  int64_t free = (pages ? pages->capacity() : capacity) - sizes[sequence];
  if (static_cast<int64_t>(tokens.size()) > free)
    return Error{which + "expected at most " + std::to_string(free) + " more tokens, but got " +
                 std::to_string(tokens.size())};
  for (int32_t token : tokens)
    if (token < 0 || token >= vocabulary)
      return Error{which + "expected tokens from 0 to " + std::to_string(vocabulary - 1) +
                   ", but got " + std::to_string(token)};
  return {};
}

/// Has pages where the caches are in pages, for so many tokens of each sequence.
Result<void> Generator::Impl::reserve(const std::vector<int64_t> &tokens) {
  if (!pages)
    return {};
  if (Result<void> done = pages->resize(tokens); !done)
    return done;
  return pages->takeChange() ? write(decode, "table", pages->entries()) : Result<void>();
}

/// Begins to run a function and, behind it, what draws tokens.
Result<void> Generator::Impl::beginRun(GeneratorStep &step) {
  if (!draws())
    return code->begin(step.function, step.arguments, step.kept);
  std::vector<std::optional<size_t>> kept = step.kept;
  kept[0] = kDroppedResult;
  if (Result<void> begun = code->begin(step.function, step.arguments, kept); !begun)
    return begun;
  auto batch = static_cast<int64_t>(sizes.size());
  bool isOfAll = code->signature(step.function).function.results[0].dims[0] == batch;
  const GeneratorStep &behind = isOfAll ? *sampler : *samplerOfOne;
  return code->begin(behind.function, behind.arguments, behind.kept);
}

/// Waits for the run that was begun first: next tokens, and logits if they are wanted.
Result<std::vector<HostTensor>> Generator::Impl::finishRun() {
  Result<std::vector<HostTensor>> done = code->finish();
  if (!done || !draws())
    return done;
  Result<std::vector<HostTensor>> drawn = code->finish();
  if (drawn)
    std::ranges::move(*done, std::back_inserter(*drawn));
  return drawn;
}

/// Begins to run a function whose tokens are written.
Result<void> Generator::Impl::begin(GeneratorStep &step, const std::vector<int32_t> &counts) {
  for (size_t b = 0; b < sizes.size(); ++b)
    if (counts[b] > 0 && sizes[b] != sizesOfCode[b])
      if (Result<void> written = writeSizes(); !written)
        return written;
  if (Result<void> begun = beginRun(step); !begun)
    return begun;
  for (size_t b = 0; b < sizes.size(); ++b)
    sizesOfCode[b] += &step == &decode ? 1 : counts[b];
  return {};
}

/// Waits for the run that was begun first. Sequences of which some count get their next token, and
/// their logits.
Result<void> Generator::Impl::finish(const std::vector<int32_t> &counts,
                                     std::vector<int32_t> &next) {
  Result<std::vector<HostTensor>> done = finishRun();
  if (!done)
    return done.error();
  for (size_t b = 0; b < sizes.size(); ++b) {
    if (counts[b] == 0)
      continue;
    sizes[b] += counts[b];
    take(*done, b, b, next);
  }
  return {};
}

Result<void> Generator::Impl::run(GeneratorStep &step, const std::vector<int32_t> &counts,
                                  std::vector<int32_t> &next) {
  Result<void> begun = begin(step, counts);
  return begun ? finish(counts, next) : begun;
}

/// Waits for a step that nobody will ask for. What it appended to caches is behind their tokens.
Result<void> Generator::Impl::settle() {
  if (!std::exchange(ahead, std::nullopt))
    return {};
  Result<std::vector<HostTensor>> done = finishRun();
  return done ? Result<void>() : done.error();
}

/// Begins the step behind the one that is under way, on the tokens that it leaves where they are
/// read; true if there is room for it.
Result<bool> Generator::Impl::beginAhead(const std::vector<int32_t> &counts) {
  int64_t room = pages ? pages->capacity() : capacity;
  std::vector<int64_t> after = sizes;
  for (size_t b = 0; b < sizes.size(); ++b) {
    after[b] += 2 * counts[b];
    if (counts[b] > 0 && after[b] > room)
      return false;
  }
  if (pages && pages->fitting(after) < after.size())
    return false;
  if (Result<void> done = reserve(after); !done)
    return done.error();
  if (Result<void> begun = beginRun(decode); !begun)
    return begun.error();
  for (int64_t &size : sizesOfCode)
    ++size;
  return true;
}

/// A step of decoding for the sequences that count.
Result<void> Generator::Impl::decodeStep(const std::vector<int32_t> &ids,
                                         const std::vector<int32_t> &counts, bool goesOn,
                                         std::vector<int32_t> &next) {
  // 1. It may be under way already.
  bool isBegun = ahead.has_value();
  for (size_t b = 0; b < sizes.size(); ++b)
    isBegun &= counts[b] == 0 || (ahead && (*ahead)[b] == ids[b]);
  if (isBegun)
    ahead.reset();
  if (Result<void> done = settle(); !done)
    return done;
  if (!isBegun) {
    std::vector<int64_t> after = sizes;
    for (size_t b = 0; b < sizes.size(); ++b)
      after[b] += counts[b];
    if (Result<void> done = reserve(after); !done)
      return done;
    if (Result<void> done = write(decode, "input_ids", ids); !done)
      return done;
    if (Result<void> done = begin(decode, counts); !done)
      return done;
  }
  // 2. The next one, so that the device has work while the tokens come here.
  Result<bool> hasNext = canRunAhead && goesOn ? beginAhead(counts) : Result<bool>(false);
  if (!hasNext)
    return hasNext.error();
  if (Result<void> done = finish(counts, next); !done)
    return done;
  if (*hasNext)
    ahead = next;
  return {};
}

/// The next token of a sequence, and its logits, out of a row of results.
void Generator::Impl::take(const std::vector<HostTensor> &results, size_t row, size_t sequence,
                           std::vector<int32_t> &next) {
  next[sequence] = results[0].dataAs<int32_t>()[row];
  if (results.size() < 2)
    return;
  size_t bytes = logits.numBytes() / sizes.size();
  std::memcpy(logits.dataAs<char>() + sequence * bytes, results[1].dataAs<char>() + row * bytes,
              bytes);
}

Result<std::vector<int32_t>> Generator::prefill(const std::vector<std::vector<int32_t>> &tokens) {
  TraceScope scope("run", "prefill");
  size_t batch = impl->sizes.size();
  if (tokens.size() != batch)
    return Error{"expected tokens of " + std::to_string(batch) + " sequences, but got " +
                 std::to_string(tokens.size())};
  for (size_t b = 0; b < batch; ++b)
    if (Result<void> fit = impl->check(b, tokens[b]); !fit)
      return fit.error();
  if (std::ranges::all_of(tokens, &std::vector<int32_t>::empty))
    return Error{"expected one token or more"};
  if (Result<void> done = impl->settle(); !done)
    return done.error();
  std::vector<int32_t> next(batch, kLeftOut);
  if (!impl->computedAgainAfter) {
    if (Result<void> done = impl->fill(tokens, next); !done)
      return done.error();
    return next;
  }
  // Keys that are there are of no use for a sequence that has grown long.
  std::vector<std::vector<int32_t>> given = tokens;
  std::vector<int64_t> sizes = impl->sizes;
  for (size_t b = 0; b < batch; ++b) {
    std::vector<int32_t> &all = impl->history[b];
    bool again = impl->grewLong(b, tokens[b].size());
    all.insert(all.end(), tokens[b].begin(), tokens[b].end());
    if (!again)
      continue;
    given[b] = all;
    sizes[b] = 0;
  }
  if (Result<void> done = impl->setSizes(sizes); !done)
    return done.error();
  if (Result<void> done = impl->fill(given, next); !done)
    return done.error();
  return next;
}

Result<std::vector<int32_t>> Generator::decode(const std::vector<int32_t> &tokens, bool goesOn) {
  TraceScope scope("run", "decode");
  size_t batch = impl->sizes.size();
  if (tokens.size() != batch)
    return Error{"expected tokens of " + std::to_string(batch) + " sequences, but got " +
                 std::to_string(tokens.size())};
  std::vector<int32_t> counts(batch), ids(batch);
  for (size_t b = 0; b < batch; ++b) {
    if (tokens[b] == kLeftOut)
      continue;
    counts[b] = 1;
    ids[b] = tokens[b];
    if (Result<void> fit = impl->check(b, std::span(&tokens[b], 1)); !fit)
      return fit.error();
  }
  // Sequences that have grown long begin again, behind the step of the others.
  std::vector<int64_t> sizes = impl->sizes;
  std::vector<std::vector<int32_t>> again(batch);
  size_t numAgain = 0;
  for (size_t b = 0; impl->computedAgainAfter && b < batch; ++b) {
    if (counts[b] == 0)
      continue;
    impl->history[b].push_back(tokens[b]);
    if (impl->grewLong(b, 1)) {
      again[b] = impl->history[b];
      sizes[b] = -1;
      counts[b] = 0;
      ++numAgain;
    }
  }
  std::vector<int32_t> next(batch, kLeftOut);
  if (std::ranges::count(counts, 1) > 0)
    if (Result<void> done = impl->decodeStep(ids, counts, goesOn, next); !done)
      return done.error();
  if (numAgain == 0)
    return next;
  for (size_t b = 0; b < batch; ++b)
    sizes[b] = sizes[b] < 0 ? 0 : impl->sizes[b];
  if (Result<void> done = impl->setSizes(sizes); !done)
    return done.error();
  if (Result<void> done = impl->fill(again, next); !done)
    return done.error();
  return next;
}

Result<void> Generator::setSampling(const Sampling &sampling) {
  if (!impl->sampler)
    return Error{"expected a generator that samples"};
  if (Result<void> done = impl->settle(); !done)
    return done;
  impl->sampling = sampling;
  for (const std::optional<GeneratorStep> *sampler : {&impl->sampler, &impl->samplerOfOne}) {
    if (!*sampler)
      continue;
    const GeneratorStep &step = **sampler;
    for (const char *name : {"seeds", "temperature", "top_k", "top_p"}) {
      size_t argument = *impl->find(step.function, name);
      const FunctionSignature &function = impl->code->signature(step.function).function;
      Result<TensorSource> values = impl->initial(name, function.arguments[argument]);
      Result<HostTensor> elements = values ? values->tensor() : values.error();
      if (!elements)
        return elements.error();
      if (Result<void> done = impl->code->write(step.arguments[argument], std::move(*elements));
          !done)
        return done;
    }
  }
  return {};
}

Result<void> Generator::Impl::setSizes(const std::vector<int64_t> &tokens) {
  if (Result<void> done = settle(); !done)
    return done;
  sizes = tokens;
  if (Result<void> done = reserve(tokens); !done)
    return done;
  return writeSizes();
}

Result<void> Generator::Impl::writeSizes() {
  sizesOfCode = sizes;
  return write(decode, "lengths", std::vector<int32_t>(sizes.begin(), sizes.end()));
}

Result<void> Generator::truncate(const std::vector<int64_t> &sizes) {
  if (sizes.size() != impl->sizes.size())
    return Error{"expected sizes of " + std::to_string(impl->sizes.size()) +
                 " sequences, but got " + std::to_string(sizes.size())};
  for (size_t b = 0; b < sizes.size(); ++b) {
    if (sizes[b] < 0 || sizes[b] > impl->sizes[b])
      return Error{"expected 0 to " + std::to_string(impl->sizes[b]) + " tokens to keep, but got " +
                   std::to_string(sizes[b])};
    if (impl->computedAgainAfter)
      impl->history[b].resize(static_cast<size_t>(sizes[b]));
  }
  return impl->setSizes(sizes);
}

Result<void> Generator::reset() { return truncate(std::vector<int64_t>(impl->sizes.size())); }
