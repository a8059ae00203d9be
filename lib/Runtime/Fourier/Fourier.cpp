#include "forge/Runtime/Fourier.h"

#include "Fftw.h"
#include "PlainFourier.h"

#include "forge/Runtime/ThreadPool.h"
#include "forge/Support/AvailableMemory.h"

#include <algorithm>
#include <atomic>
#include <new>

using namespace forge;
using namespace forge::rt;

/// A thread gets at least so many numbers, and no more at a time than stay in a cache until they
/// are scaled.
static constexpr double kLeastPoints = 1 << 13, kMostPoints = 1 << 15;

/// How many of `count` lines are transformed at once.
static int64_t linesAtOnce(int64_t count, double points) {
  auto lines = [&](double numbers) {
    return std::clamp(static_cast<int64_t>(numbers / points), int64_t(1), count);
  };
  int64_t threads = ThreadPool::global().numThreads(), share = (count + threads - 1) / threads;
  int64_t most = std::clamp(share, lines(kLeastPoints), std::max(lines(kMostPoints), int64_t(1)));
  // All the same, as far as it goes: each number of lines is a plan.
  int64_t blocks = (count + most - 1) / most;
  return (count + blocks - 1) / blocks;
}

template <typename T> static void scaleLine(T *out, int64_t size, int64_t stride, T factor) {
  if (stride == 1) // its own loop, which has vectors
    for (int64_t i = 0; i < size; ++i)
      out[i] *= factor;
  else
    for (int64_t i = 0; i < size; ++i)
      out[i * stride] *= factor;
}

/// Multiplies the numbers of a tensor with these dimensions, at least one.
template <typename T> static void scale(const FourierDim *dims, size_t count, T *out, T factor) {
  if (count == 1)
    return scaleLine(out, dims->size, dims->out, factor);
  for (int64_t i = 0; i < dims->size; ++i)
    scale(dims + 1, count - 1, out + i * dims->out, factor);
}

template <typename T> static void scaleOutput(const FourierProblem &problem, T *out) {
  std::vector<FourierDim> dims = problem.batch;
  dims.insert(dims.end(), problem.lengths.begin(), problem.lengths.end());
  if (problem.outPart)
    dims.push_back({2, 0, problem.outPart});
  // Innermost dimensions that lie next to each other are one.
  while (dims.size() > 1 && dims[dims.size() - 2].out == dims.back().size * dims.back().out) {
    dims[dims.size() - 2] = {dims[dims.size() - 2].size * dims.back().size, 0, dims.back().out};
    dims.pop_back();
  }
  scale(dims.data(), dims.size(), out, static_cast<T>(1 / problem.points()));
}

template <typename T>
static void transformBlock(const FourierProblem &problem, const T *in, T *out) {
  const Result<Fftw<T> *> &library = Fftw<T>::get();
  if (!library || !(*library)->transform(problem, in, out))
    transformPlainly(problem, in, out);
  if (problem.isBackward())
    scaleOutput(problem, out);
}

static Error noMemory(double points) {
  return Error{"out of memory: a Fourier transform of " +
               std::to_string(static_cast<int64_t>(points)) + " numbers"};
}

/// Whether the plan of a long transform and what it works in take more memory than there is: FFTW
/// would end the process.
template <typename T> static bool exceedsMemory(double points) {
  constexpr double kNumbersAPoint = 16;
  return forge::exceedsMemory(static_cast<size_t>(points * kNumbersAPoint * sizeof(T)));
}

template <typename T>
static Result<void> transform(FourierKind kind, int64_t dims, MemRef input, MemRef output) {
  Result<FourierProblem> problem = describeTransform(kind, dims, input, output);
  if (!problem)
    return problem.error();
  if (problem->lengths.empty())
    return {};
  if (exceedsMemory<T>(problem->points()))
    return noMemory(problem->points());
  // The largest dimension is shared out; the others go along.
  std::vector<FourierDim> &batch = problem->batch;
  if (batch.empty())
    batch.push_back({1, 0, 0});
  std::iter_swap(batch.begin(), std::max_element(batch.begin(), batch.end(),
                                                 [](auto &a, auto &b) { return a.size < b.size; }));
  double points = problem->points();
  for (size_t i = 1; i < batch.size(); ++i)
    points *= static_cast<double>(batch[i].size);
  FourierDim lines = batch.front();
  int64_t step = linesAtOnce(lines.size, points);
  auto *in = reinterpret_cast<const T *>(input.base(sizeof(T)));
  auto *out = reinterpret_cast<T *>(output.base(sizeof(T)));
  std::atomic<bool> outOfMemory = false;
  ThreadPool::global().parallelFor(
      0, (lines.size + step - 1) / step, 1, [&](int64_t from, int64_t to) {
        try {
          for (int64_t block = from; block < to; ++block) {
            FourierProblem part = *problem;
            int64_t first = block * step;
            part.batch.front().size = std::min(step, lines.size - first);
            transformBlock(part, in + first * lines.in, out + first * lines.out);
          }
        } catch (const std::bad_alloc &) {
          outOfMemory = true;
        }
      });
  return outOfMemory ? Result<void>(noMemory(problem->points())) : Result<void>();
}

Result<void> rt::transformF32(FourierKind kind, int64_t dims, MemRef input, MemRef output) {
  return transform<float>(kind, dims, input, output);
}
Result<void> rt::transformF64(FourierKind kind, int64_t dims, MemRef input, MemRef output) {
  return transform<double>(kind, dims, input, output);
}

Result<std::string> rt::fourierLibrary() {
  const Result<Fftw<float> *> &singles = Fftw<float>::get();
  if (!singles)
    return singles.error();
  const Result<Fftw<double> *> &doubles = Fftw<double>::get();
  if (!doubles)
    return doubles.error();
  return "FFTW (" + (*singles)->version() + ")";
}
