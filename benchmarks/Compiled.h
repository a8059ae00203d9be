// A module compiled for the benchmarks, with inputs made for it.
#ifndef FORGE_BENCHMARKS_COMPILED_H
#define FORGE_BENCHMARKS_COMPILED_H

#include "forge/Execution/Executable.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <optional>
#include <string>

namespace forge::bench {

class Compiled {
public:
  /// Compiles StableHLO text, or the file at `path`. Null, with the message in `error`, if that
  /// fails.
  static std::unique_ptr<Compiled> fromText(const std::string &text, std::string &error);
  static std::unique_ptr<Compiled> fromFile(const std::string &path, std::string &error);

  /// Runs once on inputs of small random numbers; the milliseconds inside compiled code, or -1 on
  /// an error.
  double runMs(std::string &error);
  /// The inputs that runs take, and the results of one run; nothing, with a message, on an error.
  const std::vector<HostTensor> &arguments() const { return inputs; }
  std::optional<std::vector<HostTensor>> runOnce(std::string &error);
  const std::vector<PhaseTime> &phaseTimes() const { return executable->phaseTimes(); }

private:
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<Executable> executable;
  std::vector<HostTensor> inputs;
  bool prepare(mlir::ModuleOp module, std::string &error);
};

/// What is compiled when first asked for, once for all repetitions of a benchmark.
class CompiledOnce {
public:
  using Make = std::function<std::unique_ptr<Compiled>(std::string &error)>;
  explicit CompiledOnce(Make make) : make(std::move(make)) {}
  /// Null, with the reason in `error`, if it cannot be compiled.
  Compiled *get(std::string &error);

private:
  Make make;
  bool tried = false;
  std::string failure;
  std::unique_ptr<Compiled> compiled;
};

/// Registers `name`: the time of `compiled` by the clock inside of a run; `flops` of one run, if
/// not 0, become GFLOP/s.
void registerCompiled(const std::string &name, std::shared_ptr<CompiledOnce> compiled,
                      double flops);

/// Threads for all that is timed: FORGE_NUM_THREADS, else all there are.
int numThreads();

// Libraries to compare with. Each returns false where the library is not there.
/// C = A B, row-major f32; A [m, k], B [k, n].
bool openBlasMatmul(int m, int n, int k, const float *a, const float *b, float *c);

/// A prepared oneDNN primitive; empty if oneDNN is absent or does not support it.
using Primitive = std::function<void()>;
/// `batch` products of [m, k] and [k, n] (or [n, k], transposed); bf16 inputs with f32 results, or
/// all f32.
Primitive oneDnnMatmul(int64_t batch, int64_t m, int64_t n, int64_t k, bool transposeB, bool bf16,
                       void *a, void *b, void *c);
Primitive oneDnnSoftmax(int64_t rows, int64_t columns, float *x, float *y);
Primitive oneDnnLayerNorm(int64_t rows, int64_t columns, float *x, float *y);
/// A module's function by hand from oneDNN's primitives: a run of it, and its results after a run.
struct Peer {
  Primitive run;
  std::function<std::vector<std::vector<float>>()> results;
};
/// Whether the real module of this name has a peer.
bool hasPeer(const std::string &module);
/// The peer of a module that has one, on the module's arguments, which must outlive it.
Peer oneDnnPeer(const std::string &module, const std::vector<HostTensor> &arguments);

/// Memory of n elements of T, 64-byte aligned, filled with small numbers.
template <typename T> std::shared_ptr<T> filled(size_t n, T value) {
  void *memory = std::aligned_alloc(64, (n * sizeof(T) + 63) / 64 * 64);
  std::fill_n(static_cast<T *>(memory), n, value);
  return std::shared_ptr<T>(static_cast<T *>(memory), std::free);
}

void registerMatmul();
void registerRows();
void registerModules();

} // namespace forge::bench

#endif // FORGE_BENCHMARKS_COMPILED_H
