// FFTW 3.3 (Frigo and Johnson, The Design and Implementation of FFTW3, 2005). It is under the GPL,
// so Forge neither contains nor links it: who has installed it gets faster transforms. The
// declarations below are those of its manual: "64-bit Guru Interface" and "New-array Execute
// Functions".
//
// All transforms are split ones: real and imaginary parts have a pointer each. With parts next to
// each other they are what FFTW's functions for complex numbers call themselves. Backward is
// forward with the parts exchanged ("Guru Complex DFTs").
#include "Fftw.h"

#include "../Device/Library.h"

#include <cstddef>
#include <cstdlib>
#include <map>
#include <mutex>

using namespace forge;
using namespace forge::rt;

namespace {
struct IoDim {
  ptrdiff_t n, is, os;
};
enum Flags : unsigned { DestroyInput = 1u << 0, PreserveInput = 1u << 4, Estimate = 1u << 6 };
struct OpaquePlan;

template <typename T> struct Functions {
  using Dims = const IoDim *;
  OpaquePlan *(*planComplex)(int, Dims, int, Dims, T *, T *, T *, T *, unsigned) = nullptr;
  OpaquePlan *(*planFromReal)(int, Dims, int, Dims, T *, T *, T *, unsigned) = nullptr;
  OpaquePlan *(*planToReal)(int, Dims, int, Dims, T *, T *, T *, unsigned) = nullptr;
  void (*runComplex)(const OpaquePlan *, T *, T *, T *, T *) = nullptr;
  void (*runFromReal)(const OpaquePlan *, T *, T *, T *) = nullptr;
  void (*runToReal)(const OpaquePlan *, T *, T *, T *) = nullptr;
  void (*destroy)(OpaquePlan *) = nullptr;
  int (*alignmentOf)(T *) = nullptr;
  const char *version = "";
};

/// Real and imaginary parts; the second is null of real numbers.
template <typename T> struct Parts {
  T *re, *im;
};

/// Plans of one precision. Making and destroying one is for one thread at a time, running one is
/// not.
template <typename T> class Plans final : public Fftw<T> {
public:
  explicit Plans(Functions<T> functions) : functions(functions) {}
  std::string version() const override { return functions.version; }
  bool transform(const FourierProblem &problem, const T *in, T *out) override;

private:
  using Plan = std::shared_ptr<OpaquePlan>;
  /// Plans that are in use stay when the others go.
  static constexpr size_t kMaxPlans = 256;

  bool run(const FourierProblem &problem, const T *in, T *out, unsigned flags);
  bool runToRealByCopy(const FourierProblem &problem, const T *in, T *out);
  Plan find(const FourierProblem &problem, Parts<T> in, Parts<T> out, unsigned flags);
  OpaquePlan *make(const FourierProblem &problem, Parts<T> in, Parts<T> out, unsigned flags);

  Functions<T> functions;
  std::mutex mutex;
  std::map<std::vector<int64_t>, Plan> plans;
};
} // namespace

static std::vector<IoDim> dimsOf(const std::vector<FourierDim> &dims) {
  std::vector<IoDim> result;
  for (const FourierDim &dim : dims)
    result.push_back({dim.size, dim.in, dim.out});
  return result;
}

template <typename T>
OpaquePlan *Plans<T>::make(const FourierProblem &problem, Parts<T> in, Parts<T> out,
                           unsigned flags) {
  std::vector<IoDim> lengths = dimsOf(problem.lengths), batch = dimsOf(problem.batch);
  auto rank = static_cast<int>(lengths.size()), batchRank = static_cast<int>(batch.size());
  if (problem.kind == FourierKind::FromReal)
    return functions.planFromReal(rank, lengths.data(), batchRank, batch.data(), in.re, out.re,
                                  out.im, flags);
  if (problem.kind == FourierKind::ToReal)
    return functions.planToReal(rank, lengths.data(), batchRank, batch.data(), in.re, in.im, out.re,
                                flags);
  return functions.planComplex(rank, lengths.data(), batchRank, batch.data(), in.re, in.im, out.re,
                               out.im, flags);
}

/// A plan fits other arrays of the same shape and alignment ("New-array Execute Functions").
template <typename T>
typename Plans<T>::Plan Plans<T>::find(const FourierProblem &problem, Parts<T> in, Parts<T> out,
                                       unsigned flags) {
  std::vector<int64_t> key{static_cast<int64_t>(problem.kind), flags, problem.inPart,
                           problem.outPart, static_cast<int64_t>(problem.lengths.size())};
  for (T *pointer : {in.re, in.im, out.re, out.im})
    key.push_back(pointer ? functions.alignmentOf(pointer) : 0);
  for (const auto *dims : {&problem.lengths, &problem.batch})
    for (const FourierDim &dim : *dims)
      key.insert(key.end(), {dim.size, dim.in, dim.out});
  std::map<std::vector<int64_t>, Plan> old; // destroyed after the lock is given back
  std::lock_guard<std::mutex> lock(mutex);
  if (auto known = plans.find(key); known != plans.end())
    return known->second;
  if (plans.size() >= kMaxPlans)
    old.swap(plans);
  OpaquePlan *made = make(problem, in, out, flags);
  if (!made)
    return nullptr;
  Plan plan(made, [this](OpaquePlan *plan) {
    std::lock_guard<std::mutex> lock(mutex);
    functions.destroy(plan);
  });
  plans[key] = plan;
  return plan;
}

template <typename T>
bool Plans<T>::run(const FourierProblem &problem, const T *in, T *out, unsigned flags) {
  // FFTW's signatures do not say that inputs stay as they are; PreserveInput does.
  T *input = const_cast<T *>(in);
  Parts<T> from{input, problem.inPart ? input + problem.inPart : nullptr};
  Parts<T> to{out, problem.outPart ? out + problem.outPart : nullptr};
  if (problem.kind == FourierKind::Backward) {
    std::swap(from.re, from.im);
    std::swap(to.re, to.im);
  }
  Plan plan = find(problem, from, to, flags | Estimate);
  if (!plan)
    return false;
  if (problem.kind == FourierKind::FromReal)
    functions.runFromReal(plan.get(), from.re, to.re, to.im);
  else if (problem.kind == FourierKind::ToReal)
    functions.runToReal(plan.get(), from.re, from.im, to.re);
  else
    functions.runComplex(plan.get(), from.re, from.im, to.re, to.im);
  return true;
}

/// To real numbers in several dimensions FFTW overwrites its input: all dimensions but the last
/// from the input to a copy, then the last.
template <typename T>
bool Plans<T>::runToRealByCopy(const FourierProblem &problem, const T *in, T *out) {
  // 1. The strides of a dense copy, innermost last: batch, lengths, parts.
  FourierProblem first = problem, second = problem;
  FourierDim &last = first.lengths.back();
  last.size = last.size / 2 + 1;
  int64_t stride = 2;
  for (std::vector<FourierDim> FourierProblem::*dims :
       {&FourierProblem::lengths, &FourierProblem::batch})
    for (size_t i = (first.*dims).size(); i-- > 0;) {
      (first.*dims)[i].out = (second.*dims)[i].in = stride;
      if (__builtin_mul_overflow(stride, (first.*dims)[i].size, &stride))
        throw std::bad_alloc();
    }
  std::vector<T> copy(static_cast<size_t>(stride));
  // 2. What is not transformed in a step is its batch.
  first.kind = FourierKind::Backward;
  first.batch.push_back(first.lengths.back());
  first.lengths.pop_back();
  first.outPart = second.inPart = 1;
  second.batch.insert(second.batch.end(), second.lengths.begin(), second.lengths.end() - 1);
  second.lengths = {second.lengths.back()};
  return run(first, in, copy.data(), PreserveInput) && run(second, copy.data(), out, DestroyInput);
}

template <typename T> bool Plans<T>::transform(const FourierProblem &problem, const T *in, T *out) {
  bool separable = problem.kind != FourierKind::ToReal || problem.lengths.size() == 1;
  if (separable && run(problem, in, out, PreserveInput))
    return true;
  return problem.kind == FourierKind::ToReal && runToRealByCopy(problem, in, out);
}

//===----------------------------------------------------------------------===//
// The library

static const char *prefixOf(float) { return "fftwf_"; }
static const char *prefixOf(double) { return "fftw_"; }

static Result<Library> openLibrary(float) {
  return Library::open("FFTW of f32 (Debian package libfftw3-single3)",
                       {"libfftw3f.so.3", "libfftw3f.so"});
}
static Result<Library> openLibrary(double) {
  return Library::open("FFTW of f64 (Debian package libfftw3-double3)",
                       {"libfftw3.so.3", "libfftw3.so"});
}

template <typename T> static Result<Fftw<T> *> load() {
  const char *choice = std::getenv("FORGE_FFTW");
  if (choice && std::string(choice) == "off")
    return Error{"no FFTW: FORGE_FFTW is off"};
  Result<Library> library = openLibrary(T());
  if (!library)
    return library.error();
  FunctionFinder finder(*library);
  Functions<T> functions;
  auto require = [&](const char *name, auto &function) {
    finder.require((prefixOf(T()) + std::string(name)).c_str(), function);
  };
  require("plan_guru64_split_dft", functions.planComplex);
  require("plan_guru64_split_dft_r2c", functions.planFromReal);
  require("plan_guru64_split_dft_c2r", functions.planToReal);
  require("execute_split_dft", functions.runComplex);
  require("execute_split_dft_r2c", functions.runFromReal);
  require("execute_split_dft_c2r", functions.runToReal);
  require("destroy_plan", functions.destroy);
  require("alignment_of", functions.alignmentOf);
  require("version", functions.version);
  if (!finder.missing().empty())
    return Error{library->name() + " lacks " + finder.missing()};
  return static_cast<Fftw<T> *>(new Plans<T>(functions)); // for as long as the process
}

template <typename T> const Result<Fftw<T> *> &Fftw<T>::get() {
  static const auto *library = new Result<Fftw<T> *>(load<T>());
  return *library;
}

template class forge::rt::Fftw<float>;
template class forge::rt::Fftw<double>;
