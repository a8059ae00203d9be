// cuBLASLt and hipBLASLt over the fake devices: column-major products in double. Built twice; the
// macros say under which names and numbers. The device's library does the work in stream order.
//   LT(suffix)   the name of a function         LT_DRIVER   the driver's library
//   LT_NUMBERS   transA transB epilogue biasPointer batchCount batchOffset noTranspose transpose
#include "forge/Support/SmallFloat.h"

#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <memory>

using namespace forge;

#define API extern "C" __attribute__((visibility("default"))) int

namespace {
struct Numbers {
  int transA, transB, epilogue, biasPointer, batchCount, batchOffset, noTranspose, transpose;
};
constexpr Numbers numbers{LT_NUMBERS};
constexpr int kInvalidValue = 7, kNotSupported = 15;

struct Desc {
  int transA = numbers.noTranspose, transB = numbers.noTranspose, epilogue = 1, scaleType = 0;
  const void *bias = nullptr;
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
  const void *pa, *pb;
  void *pd;
  double alpha;

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
          sum *= alpha;
          if (desc.epilogue & 4)
            sum += load(desc.bias, d.type, row);
          if (desc.epilogue & 2)
            sum = std::max(sum, 0.0);
          if (desc.epilogue & 32)
            sum *= 0.5 * (1 + std::tanh(std::sqrt(2 / M_PI) * (sum + 0.044715 * sum * sum * sum)));
          store(pd, d.type, batch * d.batchOffset + column * d.stride + row, sum);
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
  *preference = new char;
  return 0;
}
API LT(MatmulPreferenceDestroy)(void *preference) {
  delete static_cast<char *>(preference);
  return 0;
}
API LT(MatmulPreferenceSetAttribute)(void *, int attribute, const void *, size_t bytes) {
  return attribute == 1 && bytes == 8 ? 0 : kInvalidValue;
}
API LT(MatmulAlgoGetHeuristic)(void *, void *desc, void *a, void *b, void *c, void *d, void *,
                               int wanted, void *results, int *found) {
  bool possible = c == d && wanted == 1 &&
                  fits(*static_cast<Desc *>(desc), *static_cast<Layout *>(a),
                       *static_cast<Layout *>(b), *static_cast<Layout *>(d));
  *found = possible;
  std::strcpy(static_cast<char *>(results), "an algorithm");
  return possible ? 0 : kNotSupported;
}
API LT(Matmul)(void *, void *desc, const void *alpha, const void *a, void *layoutA, const void *b,
               void *layoutB, const void *beta, const void *c, void *layoutC, void *d,
               void *layoutD, const void *algorithm, void *workspace, size_t, void *stream) {
  if (std::strcmp(static_cast<const char *>(algorithm), "an algorithm") != 0 || !workspace ||
      c != d || layoutC != layoutD)
    return kInvalidValue;
  const Desc &how = *static_cast<Desc *>(desc);
  if (load(beta, how.scaleType, 0) != 0)
    return kInvalidValue;
  auto *product = new Product{how,
                              *static_cast<Layout *>(layoutA),
                              *static_cast<Layout *>(layoutB),
                              *static_cast<Layout *>(layoutD),
                              a,
                              b,
                              d,
                              load(alpha, how.scaleType, 0)};
  using Enqueue = int(void *, int (*)(void *), void (*)(void *), void *);
  void *driver = dlopen(LT_DRIVER, RTLD_NOW | RTLD_NOLOAD);
  auto *enqueue = reinterpret_cast<Enqueue *>(dlsym(driver, "fake_enqueue"));
  return enqueue(
      stream, [](void *data) { return static_cast<Product *>(data)->run(); },
      [](void *data) { delete static_cast<Product *>(data); }, product);
}
