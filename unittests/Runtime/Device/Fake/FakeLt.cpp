// cuBLASLt and hipBLASLt over the fake devices: column-major products in double. Built twice; the
// macros say under which names and numbers. The device's library does the work in stream order.
//   LT(suffix)   the name of a function         LT_DRIVER   the driver's library
//   LT_NUMBERS   transA transB epilogue biasPointer biasType batchCount batchOffset noTranspose
//                transpose reductionSchemes minAlignmentA (-1: the library has none of these)
// What the real libraries refuse is refused, and what they take on trust is checked: alignments
// that were promised, the workspace, where partial sums may stand. With FAKE_LT_WAITS=N the Nth
// product of the process and all behind it wait for their stream first, which cannot be captured in
// a graph; with FAKE_LT_HIDES=1 they say nothing of it.
#include "forge/Support/SmallFloat.h"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>

using namespace forge;

#define API extern "C" __attribute__((visibility("default"))) int

namespace {
struct Numbers {
  int transA, transB, epilogue, biasPointer, biasType, batchCount, batchOffset, noTranspose,
      transpose, reductionSchemes, minAlignmentA;
};
constexpr Numbers numbers{LT_NUMBERS};
constexpr int kInvalidValue = 7, kExecutionFailed = 13, kNotSupported = 15;
constexpr int kE4M3 = 28, kE5M2 = 29;

struct Desc {
  int transA = numbers.noTranspose, transB = numbers.noTranspose, epilogue = 1, scaleType = 0;
  int biasType = -1;
  const void *bias = nullptr;
};
struct Preference {
  uint64_t workspaceBytes = 0;
  uint32_t reductionSchemes = 7;
  uint32_t alignments[4] = {256, 256, 256, 256};
};
/// What the heuristic gives out and the product wants back.
struct Algorithm {
  char name[16] = "an algorithm";
  Preference preference;
};
struct Layout {
  int type;
  uint64_t rows, columns;
  int64_t stride;
  int32_t batch = 1;
  int64_t batchOffset = 0;
};

/// cudaDataType, hipDataType.
DType dtypeOf(int type) {
  switch (type) {
  case 0:
    return DType::F32;
  case 1:
    return DType::F64;
  case 2:
    return DType::F16;
  case 14:
    return DType::BF16;
  case 28:
    return DType::F8E4M3FN;
  default:
    return DType::F8E5M2;
  }
}

double load(const void *base, int type, int64_t index) {
  uint64_t bits = 0;
  size_t width = byteWidth(dtypeOf(type));
  std::memcpy(&bits, static_cast<const char *>(base) + static_cast<size_t>(index) * width, width);
  return decodeFloat(dtypeOf(type), bits);
}
void store(void *base, int type, int64_t index, double value) {
  uint64_t bits = encodeFloat(dtypeOf(type), value);
  size_t width = byteWidth(dtypeOf(type));
  std::memcpy(static_cast<char *>(base) + static_cast<size_t>(index) * width, &bits, width);
}

struct Product {
  Desc desc;
  Layout a, b, d;
  const void *pa, *pb, *pc;
  void *pd;
  double alpha, beta;

  static double element(const Layout &layout, const void *base, bool transposed, int64_t batch,
                        int64_t row, int64_t column) {
    if (transposed)
      std::swap(row, column);
    return load(base, layout.type, batch * layout.batchOffset + column * layout.stride + row);
  }

  /// D(row, column), column-major; bias along the rows.
  int run() const {
    bool transA = desc.transA == numbers.transpose, transB = desc.transB == numbers.transpose;
    auto depth = static_cast<int64_t>(transA ? a.rows : a.columns);
    for (int64_t batch = 0; batch < d.batch; ++batch)
      for (int64_t row = 0; row < static_cast<int64_t>(d.rows); ++row)
        for (int64_t column = 0; column < static_cast<int64_t>(d.columns); ++column) {
          double sum = 0;
          for (int64_t k = 0; k < depth; ++k)
            sum += element(a, pa, transA, batch, row, k) * element(b, pb, transB, batch, k, column);
          int64_t index = batch * d.batchOffset + column * d.stride + row;
          sum *= alpha;
          if (beta != 0)
            sum += beta * load(pc, d.type, index);
          if (desc.epilogue & 4)
            sum += load(desc.bias, d.type, row);
          if (desc.epilogue & 2)
            sum = std::max(sum, 0.0);
          if (desc.epilogue & 32)
            sum *= 0.5 * (1 + std::tanh(std::sqrt(2 / M_PI) * (sum + 0.044715 * sum * sum * sum)));
          store(pd, d.type, index, sum);
        }
    return 0;
  }
};

/// Whether the matrices fit each other, and the batches.
bool fits(const Desc &desc, const Layout &a, const Layout &b, const Layout &d) {
  bool transA = desc.transA == numbers.transpose, transB = desc.transB == numbers.transpose;
  uint64_t rows = transA ? a.columns : a.rows, depth = transA ? a.rows : a.columns;
  uint64_t columns = transB ? b.rows : b.columns, depthB = transB ? b.columns : b.rows;
  return rows == d.rows && columns == d.columns && depth == depthB && a.batch == d.batch &&
         b.batch == d.batch && a.stride >= static_cast<int64_t>(a.rows) &&
         b.stride >= static_cast<int64_t>(b.rows) && d.stride >= static_cast<int64_t>(d.rows);
}

bool isFloat8(int type) { return type == kE4M3 || type == kE5M2; }

/// cuBLAS documentation 13.0, cublasLtMatmul(): what is asked of 8-bit floats on Hopper. The other
/// library's chips take any.
bool offersFloat8(const Desc &desc, const Layout &a, const Layout &b, const Layout &d) {
  if (!isFloat8(a.type) && !isFloat8(b.type))
    return !isFloat8(d.type);
  if (numbers.minAlignmentA < 0)
    return true;
  return isFloat8(a.type) && isFloat8(b.type) && !(a.type == kE5M2 && b.type == kE5M2) &&
         desc.transA == numbers.transpose && desc.transB == numbers.noTranspose &&
         a.rows % 16 == 0 && a.stride % 16 == 0 && b.stride % 16 == 0 && d.type != 1;
}

/// Whether the bias is described as of the output's type.
bool describesBias(const Desc &desc, const Layout &d) {
  return !(desc.epilogue & 4) || (desc.bias && desc.biasType == d.type);
}

bool isAligned(const void *pointer, uint32_t bytes) {
  return reinterpret_cast<uintptr_t>(pointer) % bytes == 0;
}

/// A function of the driver's library.
template <typename Function> Function *ofDriver(const char *name) {
  void *driver = dlopen(LT_DRIVER, RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<Function *>(dlsym(driver, name));
}

/// An error where that cannot be done in a capture, and is not hidden.
int waitIfAsked(void *stream) {
  static std::atomic<int> products;
  const char *from = std::getenv("FAKE_LT_WAITS");
  if (int product = ++products; !from || product < std::atoi(from))
    return 0;
  bool failed = ofDriver<int(void *)>("fake_synchronize")(stream) != 0;
  return failed && !std::getenv("FAKE_LT_HIDES") ? kExecutionFailed : 0;
}
} // namespace

API LT(Create)(void **handle) {
  static int made;
  *handle = &made;
  return 0;
}
API LT(Destroy)(void *) { return 0; }
API LT(MatmulDescCreate)(void **desc, int, int scaleType) {
  auto *made = new Desc;
  made->scaleType = scaleType;
  *desc = made;
  return 0;
}
API LT(MatmulDescDestroy)(void *desc) {
  delete static_cast<Desc *>(desc);
  return 0;
}
API LT(MatmulDescSetAttribute)(void *handle, int attribute, const void *value, size_t bytes) {
  auto *desc = static_cast<Desc *>(handle);
  if (attribute == numbers.biasPointer) {
    std::memcpy(&desc->bias, value, sizeof desc->bias);
    return bytes == sizeof desc->bias ? 0 : kInvalidValue;
  }
  int32_t number;
  std::memcpy(&number, value, sizeof number);
  if (attribute == numbers.transA)
    desc->transA = number;
  if (attribute == numbers.transB)
    desc->transB = number;
  if (attribute == numbers.epilogue)
    desc->epilogue = number;
  if (attribute == numbers.biasType)
    desc->biasType = number;
  return bytes == sizeof number ? 0 : kInvalidValue;
}
API LT(MatrixLayoutCreate)(void **layout, int type, uint64_t rows, uint64_t columns,
                           int64_t stride) {
  *layout = new Layout{type, rows, columns, stride};
  return 0;
}
API LT(MatrixLayoutDestroy)(void *layout) {
  delete static_cast<Layout *>(layout);
  return 0;
}
API LT(MatrixLayoutSetAttribute)(void *handle, int attribute, const void *value, size_t bytes) {
  auto *layout = static_cast<Layout *>(handle);
  if (attribute == numbers.batchCount && bytes == sizeof layout->batch)
    std::memcpy(&layout->batch, value, bytes);
  else if (attribute == numbers.batchOffset && bytes == sizeof layout->batchOffset)
    std::memcpy(&layout->batchOffset, value, bytes);
  else
    return kInvalidValue;
  return 0;
}
API LT(MatmulPreferenceCreate)(void **preference) {
  *preference = new Preference;
  return 0;
}
API LT(MatmulPreferenceDestroy)(void *preference) {
  delete static_cast<Preference *>(preference);
  return 0;
}
API LT(MatmulPreferenceSetAttribute)(void *handle, int attribute, const void *value, size_t bytes) {
  auto *preference = static_cast<Preference *>(handle);
  if (attribute == 1 && bytes == 8) {
    std::memcpy(&preference->workspaceBytes, value, bytes);
    return 0;
  }
  int operand = attribute - numbers.minAlignmentA;
  if (numbers.minAlignmentA < 0 || bytes != 4)
    return kInvalidValue;
  if (attribute == numbers.reductionSchemes)
    std::memcpy(&preference->reductionSchemes, value, bytes);
  else if (operand >= 0 && operand < 4)
    std::memcpy(&preference->alignments[operand], value, bytes);
  else
    return kInvalidValue;
  return 0;
}
API LT(MatmulAlgoGetHeuristic)(void *, void *desc, void *a, void *b, void *c, void *d,
                               void *preference, int wanted, void *results, int *found) {
  const auto &how = *static_cast<Desc *>(desc);
  const auto &left = *static_cast<Layout *>(a), &right = *static_cast<Layout *>(b);
  const auto &out = *static_cast<Layout *>(d);
  Algorithm algorithm;
  algorithm.preference = *static_cast<Preference *>(preference);
  // Partial sums of the output's type would be rounded more than once.
  bool roundsOnce = numbers.reductionSchemes < 0 || algorithm.preference.reductionSchemes == 2;
  bool possible = c == d && wanted == 1 && fits(how, left, right, out) && roundsOnce &&
                  describesBias(how, out) && offersFloat8(how, left, right, out) &&
                  algorithm.preference.workspaceBytes >= (32u << 20);
  *found = possible;
  std::memcpy(results, &algorithm, sizeof algorithm);
  return possible ? 0 : kNotSupported;
}
API LT(Matmul)(void *, void *desc, const void *alpha, const void *a, void *layoutA, const void *b,
               void *layoutB, const void *beta, const void *c, void *layoutC, void *d,
               void *layoutD, const void *chosen, void *workspace, size_t workspaceBytes,
               void *stream) {
  Algorithm algorithm;
  std::memcpy(&algorithm, chosen, sizeof algorithm);
  const Preference &promised = algorithm.preference;
  const Desc &how = *static_cast<Desc *>(desc);
  if (std::strcmp(algorithm.name, "an algorithm") != 0 || !workspace ||
      workspaceBytes < promised.workspaceBytes || layoutC != layoutD ||
      !describesBias(how, *static_cast<Layout *>(layoutD)))
    return kInvalidValue;
  const void *const pointers[] = {a, b, c, d};
  for (int operand = 0; operand < 4; ++operand)
    if (numbers.minAlignmentA >= 0 && !isAligned(pointers[operand], promised.alignments[operand]))
      return kInvalidValue;
  // Without a residual C is not read, and its pointer that of D.
  double weight = load(beta, how.scaleType, 0);
  if (weight != 1 && (weight != 0 || c != d))
    return kInvalidValue;
  if (int code = waitIfAsked(stream))
    return code;
  auto *product = new Product{how,
                              *static_cast<Layout *>(layoutA),
                              *static_cast<Layout *>(layoutB),
                              *static_cast<Layout *>(layoutD),
                              a,
                              b,
                              c,
                              d,
                              load(alpha, how.scaleType, 0),
                              weight};
  using Enqueue = int(void *, int (*)(void *), void (*)(void *), void *);
  return ofDriver<Enqueue>("fake_enqueue")(
      stream, [](void *data) { return static_cast<Product *>(data)->run(); },
      [](void *data) { delete static_cast<Product *>(data); }, product);
}
