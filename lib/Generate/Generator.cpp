#include "GeneratorImpl.h"

#include "forge/Support/Trace.h"

#include <cstring>

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

/// Runs a function whose tokens are written. Sequences of which some count get their next token,
/// and their logits.
Result<void> Generator::Impl::run(GeneratorStep &step, const std::vector<int32_t> &counts,
                                  std::vector<int32_t> &next) {
  for (size_t b = 0; b < sizes.size(); ++b)
    if (counts[b] > 0 && sizes[b] != sizesOfCode[b])
      if (Result<void> written = writeSizes(); !written)
        return written;
  Result<std::vector<HostTensor>> done = code->run(step.function, step.arguments, step.kept);
  if (!done)
    return done.error();
  for (size_t b = 0; b < sizes.size(); ++b)
    sizesOfCode[b] += &step == &decode ? 1 : counts[b];
  for (size_t b = 0; b < sizes.size(); ++b) {
    if (counts[b] == 0)
      continue;
    sizes[b] += counts[b];
    take(*done, b, b, next);
  }
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

Result<std::vector<int32_t>> Generator::decode(const std::vector<int32_t> &tokens) {
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
  std::vector<int64_t> sizes = impl->sizes, after = sizes;
  std::vector<std::vector<int32_t>> again(batch);
  size_t numAgain = 0;
  for (size_t b = 0; b < batch; ++b)
    after[b] += counts[b];
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
  if (std::ranges::count(counts, 1) > 0) {
    if (Result<void> done = impl->reserve(after); !done)
      return done.error();
    if (Result<void> done = impl->write(impl->decode, "input_ids", ids); !done)
      return done.error();
    if (Result<void> done = impl->run(impl->decode, counts, next); !done)
      return done.error();
  }
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
  if (!impl->find(DecoderCode::Decode, "seeds"))
    return Error{"expected a generator that samples"};
  impl->sampling = sampling;
  // Functions of as many sequences share tensors.
  std::vector<const GeneratorStep *> steps = {&impl->decode};
  if (!impl->alone.empty())
    steps.push_back(&impl->alone.front());
  for (const GeneratorStep *step : steps)
    for (const char *name : {"seeds", "temperature", "top_k", "top_p"}) {
      std::optional<size_t> argument = impl->find(step->function, name);
      if (!argument)
        continue;
      const FunctionSignature &function = impl->code->signature(step->function).function;
      Result<TensorSource> values = impl->initial(name, function.arguments[*argument]);
      Result<HostTensor> elements = values ? values->tensor() : values.error();
      if (!elements)
        return elements.error();
      if (Result<void> done = impl->code->write(step->arguments[*argument], std::move(*elements));
          !done)
        return done;
    }
  return {};
}

Result<void> Generator::Impl::setSizes(const std::vector<int64_t> &tokens) {
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
