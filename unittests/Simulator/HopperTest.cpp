// Tensor copies, mbarriers and warpgroup products together: a tile product against plain loops, in
// every swizzle, and what happens when a wait is missing.
#include "SimulatedKernel.h"

#include "forge/Simulator/TensorMap.h"
#include "forge/Support/SmallFloat.h"

#include <cstring>
#include <random>

using namespace forge;
using namespace forge::test;

namespace {
constexpr int kM = 64, kN = 64;

/// One tile: D[64, 64] = A[64, K] * B, K as long as a row of the swizzle pattern.
struct Tile {
  const char *name;
  unsigned swizzleBytes;
  /// B is stored [K, N], not [N, K].
  bool rowsOfB;
  /// Defects.
  bool waitsForCopies = true, waitsForProducts = true, arrives = true;
  int k() const { return swizzleBytes / 2; }
};

void PrintTo(const Tile &tile, std::ostream *os) { *os << tile.name; }

std::string number(uint64_t value) { return std::to_string(value); }

/// Matrix descriptor (PTX ISA 9.7.15.5.1.2) without the address: leading and stride offsets in 16
/// bytes, swizzle mode.
std::string descriptorBits(uint64_t leading, uint64_t stride, unsigned swizzleBytes) {
  uint64_t mode = swizzleBytes == 128 ? 1 : swizzleBytes == 64 ? 2 : 3;
  return std::to_string(int64_t((leading >> 4) << 16 | (stride >> 4) << 32 | mode << 62));
}

int bytesOfA(const Tile &tile) { return kM * tile.k() * 2; }
int bytesOfB(const Tile &tile) { return kN * tile.k() * 2; }

/// B by rows of K: boxes as wide as the pattern, one after the other along N.
int widthOfBox(const Tile &tile) { return tile.swizzleBytes / 2; }
int boxesOfB(const Tile &tile) { return tile.rowsOfB ? kN / widthOfBox(tile) : 1; }
int bytesOfBox(const Tile &tile) { return bytesOfB(tile) / boxesOfB(tile); }

/// What holds the sums of a thread.
std::string sumsType() {
  std::string fields;
  for (int i = 0; i < kN / 2; ++i)
    fields += i ? ", f32" : "f32";
  return "!llvm.struct<(" + fields + ")>";
}

/// One thread copies both operands to shared memory.
std::string copiesText(const Tile &tile) {
  std::string text = "  scf.if %first {\n";
  if (tile.arrives)
    text += "    nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32\n";
  text += "    %ca = llvm.addrspacecast %a : !llvm.ptr<3> to !llvm.ptr<7>\n"
          "    nvvm.cp.async.bulk.tensor.shared.cluster.global %ca, %mapA, %bar, box [%zero, "
          "%zero] : !llvm.ptr<7>, !llvm.ptr\n";
  for (int box = 0; box < boxesOfB(tile); ++box) {
    std::string n = number(box);
    text += "    %pb" + n + " = llvm.getelementptr %b[" + number(box * bytesOfBox(tile)) +
            "] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8\n" + "    %cb" + n +
            " = llvm.addrspacecast %pb" + n + " : !llvm.ptr<3> to !llvm.ptr<7>\n    %col" + n +
            " = arith.constant " + number(box * widthOfBox(tile)) + " : i32\n" +
            "    nvvm.cp.async.bulk.tensor.shared.cluster.global %cb" + n +
            ", %mapB, %bar, box [%col" + n + ", %zero] : !llvm.ptr<7>, !llvm.ptr\n";
  }
  text += "  }\n";
  return text;
}

/// A matrix descriptor: address bits, and the rest as constants.
std::string descriptorText(const Tile &tile, const std::string &name, const std::string &pointer,
                           int offset, uint64_t leading, uint64_t stride) {
  return "  %" + name + "i = llvm.ptrtoint " + pointer + " : !llvm.ptr<3> to i32\n  %" + name +
         "o = arith.constant " + number(offset) + " : i32\n  %" + name + "s = arith.addi %" + name +
         "i, %" + name + "o : i32\n  %" + name + "m = arith.constant 262143 : i32\n  %" + name +
         "x = arith.andi %" + name + "s, %" + name + "m : i32\n  %" + name +
         "f = arith.constant 4 : i32\n  %" + name + "y = arith.shrui %" + name + "x, %" + name +
         "f : i32\n  %" + name + "z = arith.extui %" + name + "y : i32 to i64\n  %" + name +
         "c = arith.constant " + descriptorBits(leading, stride, tile.swizzleBytes) +
         " : i64\n  %" + name + " = arith.ori %" + name + "z, %" + name + "c : i64\n";
}

/// Product after product along K, into %acc0, %acc1, ...
std::string productsText(const Tile &tile) {
  std::string type = sumsType();
  std::string text = "  nvvm.wgmma.fence.aligned\n  %acc0 = llvm.mlir.zero : " + type + "\n";
  for (int step = 0; step < tile.k() / 16; ++step) {
    std::string n = number(step), next = number(step + 1);
    text += descriptorText(tile, "da" + n, "%a", step * 32, 16, 8 * tile.swizzleBytes);
    if (tile.rowsOfB)
      text += descriptorText(tile, "db" + n, "%b", step * 16 * tile.swizzleBytes, bytesOfBox(tile),
                             8 * tile.swizzleBytes);
    else
      text += descriptorText(tile, "db" + n, "%b", step * 32, 16, 8 * tile.swizzleBytes);
    text += "  %acc" + next + " = nvvm.wgmma.mma_async %da" + n + ", %db" + n + ", %acc" + n +
            ", #nvvm.shape<m = 64, n = 64, k = 16>, D [#nvvm.wgmma_type<f32>, "
            "#nvvm.wgmma_scale_out<one>], A [#nvvm.wgmma_type<bf16>, "
            "#nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<bf16>, "
            "#nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<" +
            (tile.rowsOfB ? "row" : "col") + ">] : " + type + " -> " + type + "\n";
  }
  text += "  nvvm.wgmma.commit.group.sync.aligned\n";
  if (tile.waitsForProducts)
    text += "  nvvm.wgmma.wait.group.sync.aligned 0\n";
  return text;
}

/// D: lane and warp give the row, registers the column (PTX ISA 9.7.15.5.2).
std::string storesText(const Tile &tile) {
  std::string text = R"mlir(
  %tid = arith.index_cast %t : i32 to index
  %i8 = arith.constant 8 : index
  %i16 = arith.constant 16 : index
  %i32c = arith.constant 32 : index
  %i4 = arith.constant 4 : index
  %i2 = arith.constant 2 : index
  %warp = arith.divui %tid, %i32c : index
  %lane = arith.remui %tid, %i32c : index
  %group = arith.divui %lane, %i4 : index
  %within = arith.remui %lane, %i4 : index
  %w16 = arith.muli %warp, %i16 : index
  %row = arith.addi %w16, %group : index
  %row8 = arith.addi %row, %i8 : index
  %col = arith.muli %within, %i2 : index
)mlir";
  for (int i = 0; i < kN / 2; ++i) {
    std::string n = number(i);
    text += "  %v" + n + " = llvm.extractvalue %acc" + number(tile.k() / 16) + "[" + n +
            "] : " + sumsType() + "\n  %k" + n + " = arith.constant " +
            number(8 * (i / 4) + i % 2) + " : index\n  %c" + n + " = arith.addi %col, %k" + n +
            " : index\n  memref.store %v" + n + ", %out[" + (i / 2 % 2 ? "%row8" : "%row") +
            ", %c" + n + "] : memref<64x64xf32>\n";
  }
  return text;
}

std::string kernelOf(const Tile &tile) {
  int bytesA = bytesOfA(tile), bytesB = bytesOfB(tile);
  std::string text = R"mlir(gpu.module @kernels {
llvm.mlir.global external @memory() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
gpu.func @tile(%mapA: !llvm.ptr, %mapB: !llvm.ptr, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ticks = arith.constant 1000 : i32
  %a = llvm.mlir.addressof @memory : !llvm.ptr<3>
)mlir";
  text +=
      "  %b = llvm.getelementptr %a[" + number(bytesA) + "] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8\n";
  text += "  %bar = llvm.getelementptr %a[" + number(bytesA + bytesB) +
          "] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8\n";
  text += "  %first = arith.cmpi eq, %t, %zero : i32\n  scf.if %first {\n    nvvm.mbarrier.init "
          "%bar, %one : !llvm.ptr<3>, i32\n  }\n  gpu.barrier\n";
  text += "  %bytes = arith.constant " + number(bytesA + bytesB) + " : i32\n";
  std::string copies = copiesText(tile);
  text += copies;
  if (tile.waitsForCopies)
    text += "  nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32\n";
  text += productsText(tile);
  // Everybody is past the products; the buffers are filled again.
  text += "  gpu.barrier\n";
  std::string again = copies;
  for (size_t at = 0; (at = again.find("%p", at)) != std::string::npos; at += 4)
    again.replace(at, 2, "%q");
  text += again;
  text += "  nvvm.mbarrier.try_wait.parity %bar, %one, %ticks : !llvm.ptr<3>, i32, i32\n";
  return text + storesText(tile) + "  gpu.return\n} }\n";
}

class HopperTile : public testing::TestWithParam<Tile> {};

/// Runs a tile with random small integers; the finding, or nothing, and then the result is
/// compared.
std::string runTile(const Tile &tile) {
  int k = tile.k();
  std::mt19937 random(std::random_device{}());
  std::uniform_int_distribution<int> draw(-4, 4);
  std::vector<double> a(kM * k), b(k * kN);
  for (std::vector<double> *matrix : {&a, &b})
    for (double &value : *matrix)
      value = draw(random);
  std::vector<uint16_t> bitsA(a.size()), bitsB(b.size());
  for (size_t i = 0; i < a.size(); ++i)
    bitsA[i] = encodeFloat(DType::BF16, a[i]);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < kN; ++j)
      bitsB[tile.rowsOfB ? i * kN + j : j * k + i] = encodeFloat(DType::BF16, b[i * kN + j]);
  SimulatedKernel kernel(kernelOf(tile), "sm_90a");
  auto map = [&](void *base, uint64_t inner, uint64_t outer, uint32_t boxInner, uint32_t boxOuter) {
    sim::TensorMap tensor;
    tensor.rank = 2;
    tensor.elementBytes = 2;
    tensor.base = reinterpret_cast<uint64_t>(base);
    tensor.sizes[0] = inner;
    tensor.sizes[1] = outer;
    tensor.strides[0] = inner * 2;
    tensor.box[0] = boxInner;
    tensor.box[1] = boxOuter;
    tensor.swizzleBytes = tile.swizzleBytes;
    std::vector<char> bytes(128);
    std::memcpy(bytes.data(), &tensor, sizeof(tensor));
    return kernel.upload(bytes);
  };
  void *mapA = map(kernel.upload(bitsA), k, kM, k, kM);
  void *mapB = tile.rowsOfB ? map(kernel.upload(bitsB), kN, k, tile.swizzleBytes / 2, k)
                            : map(kernel.upload(bitsB), k, kN, k, kN);
  void *out = kernel.allocate(kM * kN * 4);
  sim::LaunchConfig config;
  config.block.x = 128;
  config.dynamicShared = (kM + kN) * k * 2 + 8;
  std::string finding = kernel.launch(config, {&mapA, &mapB, &out});
  if (!finding.empty())
    return finding;
  std::vector<float> got = kernel.download<float>(out, kM * kN);
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) {
      double expected = 0;
      for (int l = 0; l < k; ++l)
        expected += a[i * k + l] * b[l * kN + j];
      if (got[i * kN + j] != expected)
        return "row " + number(i) + ", column " + number(j) + ": " +
               std::to_string(got[i * kN + j]) + " for " + std::to_string(expected);
    }
  return "";
}
} // namespace

TEST_P(HopperTile, IsTheProduct) { EXPECT_EQ(runTile(GetParam()), "") << kernelOf(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Swizzles, HopperTile,
    testing::Values(Tile{"k_major_128", 128, false}, Tile{"k_major_64", 64, false},
                    Tile{"k_major_32", 32, false}, Tile{"n_major_128", 128, true},
                    Tile{"n_major_64", 64, true}, Tile{"n_major_32", 32, true}),
    [](const auto &info) { return info.param.name; });

TEST(HopperDefects, NoWaitForCopies) {
  Tile tile{"", 128, false};
  tile.waitsForCopies = false;
  EXPECT_NE(runTile(tile).find("access before the end of an asynchronous copy"), std::string::npos)
      << runTile(tile);
}

TEST(HopperDefects, NoWaitForProducts) {
  // The products still read what the second copy overwrites.
  Tile tile{"", 128, false};
  tile.waitsForProducts = false;
  std::string finding = runTile(tile);
  EXPECT_NE(finding.find("data race"), std::string::npos) << finding;
  EXPECT_NE(finding.find("nvvm.wgmma.mma_async"), std::string::npos) << finding;
}

TEST(HopperDefects, AnArrivalIsMissing) {
  Tile tile{"", 128, false};
  tile.arrives = false;
  std::string finding = runTile(tile);
  EXPECT_NE(finding.find("deadlock: 128 threads wait for an mbarrier that is never completed"),
            std::string::npos)
      << finding;
}
