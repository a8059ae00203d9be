// One suite that every driver passes. A driver joins by a ConformanceTarget, made before main; the
// suite runs for each, and skips with the reason those that are not on this machine. No MLIR.
#ifndef FORGE_UNITTESTS_RUNTIME_DEVICE_CONFORMANCE_H
#define FORGE_UNITTESTS_RUNTIME_DEVICE_CONFORMANCE_H

#include "forge/Runtime/DeviceRegistry.h"

#include <functional>
#include <string>
#include <vector>

namespace forge::test {

/// A device to test, and kernels for it.
struct ConformanceTarget {
  /// As openDevice takes it, and as it is in the tests' names.
  std::string target, name;
  /// The bytes of a module with these kernels, which wait for the work before them where launches
  /// may be dependent:
  ///   forge_test_iota(i32 *out, i32 n)           out[i] = i for i < n; x only
  ///   forge_test_axpy(f32 *y, f32 *x, f32 a, i64 n)   y[i] += a * x[i] for i < n; x only
  ///   forge_test_arguments(i64 *out, i8 a, i16 b, i32 c, i64 d, f32 e, f64 f)   one thread: out =
  ///       a, b, c, d sign-extended, then the bits of e (as f64) and of f
  ///   forge_test_grid(i32 *out)   out[block * threads + thread], both counted x first, is
  ///       bx | by << 4 | bz << 8 | tx << 12 | ty << 16 | tz << 20
  ///   forge_test_reverse(i32 *data)   each block reverses its blockDim.x elements by way of
  ///       dynamic shared memory (4 bytes each); x only
  ///   forge_test_spin(i64 *out, i64 n)   one thread: x = x * 6364136223846793005 + 1 from 0, n
  ///       times, to out[0]
  ///   forge_test_store(i32 *to)   one thread: *to = 7
  std::function<Result<std::string>(const rt::DeviceProperties &)> kernels;
  /// A launch with too few arguments is an error, and not undefined.
  bool countsArguments = true;
  /// A store to an address that is none is an error, and not the end of the process.
  bool survivesBadStore = false;
  bool hasGraphs = true;
  bool hasBlas = true;
};

std::vector<ConformanceTarget> &conformanceTargets();

/// `static AddConformanceTarget add({...});`
struct AddConformanceTarget {
  explicit AddConformanceTarget(ConformanceTarget target) {
    conformanceTargets().push_back(std::move(target));
  }
};

} // namespace forge::test

#endif // FORGE_UNITTESTS_RUNTIME_DEVICE_CONFORMANCE_H
