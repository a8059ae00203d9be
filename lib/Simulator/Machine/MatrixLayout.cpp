#include "Matrix.h"

#include "forge/Support/SmallFloat.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace forge::sim;

uint32_t MatrixShape::lanes() const {
  return family == MatrixFamily::Mfma ? 64 : family == MatrixFamily::Wgmma ? 128 : 32;
}

unsigned forge::sim::bytesOf(MatrixType type) {
  switch (type) {
  case MatrixType::F64:
    return 8;
  case MatrixType::F32:
  case MatrixType::TF32:
  case MatrixType::S32:
    return 4;
  case MatrixType::F16:
  case MatrixType::BF16:
    return 2;
  default:
    return 1;
  }
}

unsigned forge::sim::countA(const MatrixShape &shape) {
  unsigned copies = shape.family == MatrixFamily::Wmma ? 2 : 1;
  return copies * shape.m * shape.k * shape.blocks / shape.lanes();
}

unsigned forge::sim::countB(const MatrixShape &shape) {
  unsigned copies = shape.family == MatrixFamily::Wmma ? 2 : 1;
  return copies * shape.k * shape.n * shape.blocks / shape.lanes();
}

unsigned forge::sim::countD(const MatrixShape &shape) {
  return shape.m * shape.n * shape.blocks / shape.lanes();
}

/// A quad of lanes holds a row; each register of four bytes holds neighbours along the row. A
/// second register lies eight rows below, the next pair four registers' worth of columns to the
/// right.
static MatrixPlace quadPlace(unsigned rows, unsigned bytes, uint32_t lane, uint32_t i) {
  unsigned inRegister = bytes >= 4 ? 1 : 4 / bytes;
  unsigned number = i / inRegister, within = i % inRegister;
  unsigned below = rows == 16 ? number % 2 : 0, right = rows == 16 ? number / 2 : number;
  return {0, lane / 4 + 8 * below, (lane % 4) * inRegister + within + 4 * inRegister * right};
}

MatrixPlace forge::sim::placeA(const MatrixShape &shape, uint32_t lane, uint32_t i) {
  switch (shape.family) {
  case MatrixFamily::MmaSync:
    return quadPlace(shape.m, bytesOf(shape.a), lane, i);
  case MatrixFamily::Wgmma: {
    MatrixPlace place = quadPlace(16, bytesOf(shape.a), lane % 32, i);
    place.row += 16 * (lane / 32);
    return place;
  }
  case MatrixFamily::Mfma: {
    // Lanes along m; then along k, or from block to block.
    unsigned group = lane / shape.m, inLane = countA(shape);
    if (shape.blocks > 1)
      return {group % shape.blocks, lane % shape.m, group / shape.blocks * inLane + i};
    return {0, lane % shape.m, group * inLane + i};
  }
  case MatrixFamily::Wmma:
    return {0, lane % 16, i};
  }
  return {};
}

MatrixPlace forge::sim::placeB(const MatrixShape &shape, uint32_t lane, uint32_t i) {
  if (shape.family == MatrixFamily::MmaSync) {
    // As A, transposed, of eight rows.
    MatrixPlace place = quadPlace(8, bytesOf(shape.b), lane, i);
    return {0, place.column, place.row};
  }
  MatrixShape transposed = shape;
  transposed.m = shape.n;
  transposed.n = shape.m;
  MatrixPlace place = placeA(transposed, lane, i);
  return {place.block, place.column, place.row};
}

MatrixPlace forge::sim::placeD(const MatrixShape &shape, uint32_t lane, uint32_t i) {
  switch (shape.family) {
  case MatrixFamily::MmaSync:
    return {0, lane / 4 + 8 * (i / 2), (lane % 4) * 2 + i % 2};
  case MatrixFamily::Wgmma:
    return {0, 16 * (lane / 32) + lane % 32 / 4 + 8 * (i / 2 % 2),
            8 * (i / 4) + (lane % 4) * 2 + i % 2};
  case MatrixFamily::Mfma: {
    // Four rows to a lane, then the next lanes' four, then again.
    unsigned perBlock = shape.m * shape.n / 64;
    if (shape.m == 4)
      return {lane / 4, i, lane % 4};
    unsigned block = i / perBlock, number = i % perBlock;
    unsigned groups = 64 / shape.n;
    if (shape.d == MatrixType::F64)
      return {block, groups * number + lane / shape.n, lane % shape.n};
    return {block, number / 4 * 4 * groups + 4 * (lane / shape.n) + number % 4, lane % shape.n};
  }
  case MatrixFamily::Wmma:
    return {0, 2 * i + lane / 16, lane % 16};
  }
  return {};
}

template <typename T> static T at(const void *array, uint64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char *>(array) + i * sizeof(T), sizeof(T));
  return value;
}

template <typename T> static void put(void *array, uint64_t i, T value) {
  std::memcpy(static_cast<char *>(array) + i * sizeof(T), &value, sizeof(T));
}

/// The values of all f16.
static const double *halves() {
  static const std::vector<double> table = [] {
    std::vector<double> values(1 << 16);
    for (uint32_t bits = 0; bits < values.size(); ++bits)
      values[bits] = forge::decodeFloat(forge::DType::F16, bits);
    return values;
  }();
  return table.data();
}

/// The 8-bit floats of gfx940 (MI300 ISA, 7.2.2): the exponent's bias is one more than OCP's, there
/// is one zero, no infinity, and the bits of -0 mean NaN.
static double decodeFnuz(uint8_t bits, int mantissaBits) {
  if (bits == 0x80)
    return std::numeric_limits<double>::quiet_NaN();
  int exponent = (bits & 0x7f) >> mantissaBits, mantissa = bits & ((1 << mantissaBits) - 1);
  int bias = 1 << (6 - mantissaBits);
  double value = exponent == 0
                     ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                     : std::ldexp((1 << mantissaBits) + mantissa, exponent - bias - mantissaBits);
  return bits & 0x80 ? -value : value;
}

double forge::sim::readElement(const void *array, MatrixType type, uint64_t i) {
  switch (type) {
  case MatrixType::F16:
    return halves()[at<uint16_t>(array, i)];
  case MatrixType::BF16: {
    uint32_t bits = uint32_t(at<uint16_t>(array, i)) << 16;
    return at<float>(&bits, 0);
  }
  case MatrixType::E4M3:
    return forge::decodeFloat(forge::DType::F8E4M3FN, at<uint8_t>(array, i));
  case MatrixType::E5M2:
    return forge::decodeFloat(forge::DType::F8E5M2, at<uint8_t>(array, i));
  case MatrixType::E4M3FNUZ:
    return decodeFnuz(at<uint8_t>(array, i), 3);
  case MatrixType::E5M2FNUZ:
    return decodeFnuz(at<uint8_t>(array, i), 2);
  case MatrixType::F32:
    return at<float>(array, i);
  case MatrixType::TF32: {
    // The lower 13 bits are not looked at.
    uint32_t bits = at<uint32_t>(array, i) & ~0x1fffu;
    return at<float>(&bits, 0);
  }
  case MatrixType::F64:
    return at<double>(array, i);
  case MatrixType::S8:
    return at<int8_t>(array, i);
  case MatrixType::U8:
    return at<uint8_t>(array, i);
  case MatrixType::S32:
    return at<int32_t>(array, i);
  }
  return 0;
}

void forge::sim::writeElement(void *array, MatrixType type, uint64_t i, double value) {
  switch (type) {
  case MatrixType::F16:
    return put<uint16_t>(array, i, forge::encodeFloat(forge::DType::F16, value));
  case MatrixType::BF16:
    return put<uint16_t>(array, i, forge::encodeFloat(forge::DType::BF16, value));
  case MatrixType::F64:
    return put<double>(array, i, value);
  case MatrixType::S32:
    return put<uint32_t>(array, i, static_cast<uint32_t>(static_cast<int64_t>(value)));
  default:
    return put<float>(array, i, static_cast<float>(value));
  }
}
