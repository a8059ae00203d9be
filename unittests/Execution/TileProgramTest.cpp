// Property: for any layouts, shape and limits a tile program computes the same bits as threads of
// the simulator, in its naive form there, and as loops of the CPU.
#include "../Dialect/Tile/RandomLayout.h"
#include "CompileText.h"

#include <rapidcheck.h>

using namespace forge;
using namespace forge::test;
using forge::tile::LayoutAttr;

namespace {

/// How many programs are drawn: each is compiled three times.
constexpr int kPrograms = 25;
/// The most elements of a tile that a thread may hold.
constexpr int64_t kMostRegisters = 1024;

struct Program {
  LayoutAttr from, to;
  llvm::SmallVector<int64_t> shape, limits;
  int64_t reduced = 0;
  std::string kind;
};

Program drawProgram() {
  Program program;
  auto warpBits = static_cast<unsigned>(drawNumber(0, 3));
  program.from = drawLayout(2, 5, warpBits);
  program.to = drawLayout(2, 5, warpBits);
  program.shape = drawShape({program.from, program.to});
  for (int64_t size : program.shape)
    program.limits.push_back(drawNumber(0, size + 1));
  program.reduced = drawNumber(0, 2);
  program.kind = drawNumber(0, 2) == 0 ? "add" : "max";
  return program;
}

/// Doubles `%z` in warps that have an element above 2.2, which few have.
std::string voteOn(const std::string &sizes, LayoutAttr layout) {
  std::string tile = "tensor<" + sizes + "xf32, " + toString(layout) + ">",
              condition = "tensor<" + sizes + "xi1, " + toString(layout) + ">";
  return "\n  %high = arith.constant dense<2.2> : " + tile +
         "\n  %is_high = arith.cmpf ogt, %y, %high : " + tile +
         "\n  %w = tile.when %is_high else (%z : " + tile + ") : " + condition +
         " {\n    %twice = arith.addf %z, %z : " + tile + "\n    tile.yield %twice : " + tile +
         "\n  }";
}

/// Loads, converts, reduces, broadcasts, lets warps vote on and stores a tile in each of two
/// blocks. What limits leave out is 5.
std::string textOf(const Program &program) {
  int64_t rows = program.shape[0], columns = program.shape[1],
          kept = program.shape[1 - program.reduced];
  auto tile = [](const std::string &sizes, LayoutAttr layout) {
    return "tensor<" + sizes + "xf32, " + toString(layout) + ">";
  };
  // Warps that hold equal elements could vote differently.
  bool votes = program.to.getReplicatedWarps() == 0;
  auto number = [](int64_t value) { return std::to_string(value); };
  std::string sizes = number(rows) + "x" + number(columns), memory = "memref<2x" + sizes + "xf32>",
              from = tile(sizes, program.from), to = tile(sizes, program.to),
              sums = tile(number(kept), program.to.dropDimensions(program.reduced)),
              dims = " dims [" + number(program.reduced) + "] : ";
  std::string attributes = " attributes {forge.kernel, tile.grid = array<i64: 2>, tile.warps = " +
                           number(program.from.getWarps()) + "} {\n  %block = gpu.block_id x\n" +
                           "  %zero = arith.constant 0 : index\n";
  return "func.func private @clear(%out: " + memory + ")" + attributes +
         "  %c = arith.constant dense<5.0> : " + to +
         "\n  tile.store %c, %out[%block, %zero, %zero] dims [1, 2] : " + to + ", " + memory +
         "\n  return\n}\nfunc.func private @kernel(%in: " + memory + ", %out: " + memory + ")" +
         attributes +
         "  %fill = arith.constant 0.3 : f32\n"
         "  %rows = arith.constant " +
         number(program.limits[0]) + " : index\n  %columns = arith.constant " +
         number(program.limits[1]) +
         " : index\n"
         "  %x = tile.load %in[%block, %zero, %zero] dims [1, 2] limits(%rows, %columns) fill "
         "%fill : f32 : " +
         memory + " -> " + from + "\n  %y = tile.convert %x : " + from + " -> " + to +
         "\n  %s = tile.reduce " + program.kind + " %y" + dims + to + " -> " + sums +
         "\n  %b = tile.broadcast %s" + dims + sums + " -> " + to +
         "\n  %z = arith.addf %y, %b : " + to + (votes ? voteOn(sizes, program.to) : "") +
         "\n  tile.store " + (votes ? "%w" : "%z") +
         ", %out[%block, %zero, %zero] dims [1, 2] limits(%rows, %columns) : " + to + ", " +
         memory + "\n  return\n}\n" + "func.func @main(%in: " + memory + ") -> " + memory +
         " {\n  %out = memref.alloc() : " + memory + "\n  call @clear(%out) : (" + memory +
         ") -> ()\n  call @kernel(%in, %out) : (" + memory + ", " + memory +
         ") -> ()\n  return %out : " + memory + "\n}\n";
}

Result<HostTensor> runOn(const std::string &text, const std::string &target, bool naive,
                         const HostTensor &input) {
  CompileOptions options;
  options.target = target;
  if (naive)
    options.naiveAfter = Phase::Blocks;
  Result<Executable> executable = compileText(text, options, Phase::Bufferize);
  if (!executable)
    return executable.error();
  std::vector<HostTensor> inputs;
  inputs.push_back(input);
  Result<RunResult> result = executable->run(std::move(inputs));
  if (!result)
    return result.error();
  return std::move(result->results[0]);
}

TEST(TileProgram, EveryFormComputesTheSameBits) {
  int programs = 0;
  EXPECT_TRUE(rc::check("as threads, as one thread, as loops", [&] {
    if (++programs > kPrograms)
      return;
    Program program = drawProgram();
    for (LayoutAttr layout : {program.from, program.to})
      if (layout.getRegisters(program.shape) > kMostRegisters)
        return;
    std::string text = textOf(program);
    Result<HostTensor> input =
        HostTensor::create(DType::F32, {2, program.shape[0], program.shape[1]});
    RC_ASSERT(static_cast<bool>(input));
    // Sums of these depend on their order.
    for (int64_t i = 0; i < input->numElements(); ++i)
      input->setDouble(i, static_cast<double>(i * 7919 % 1009) / 271.0 - 1.5);
    Result<HostTensor> threads = runOn(text, "sim:sm_90a", /*naive=*/false, *input),
                       one = runOn(text, "sim:sm_90a", /*naive=*/true, *input),
                       loops = runOn(text, "cpu", /*naive=*/false, *input);
    for (const Result<HostTensor> *result : {&threads, &one, &loops})
      if (!*result)
        RC_FAIL(result->error().message + "\n" + text);
    for (int64_t i = 0; i < input->numElements(); ++i)
      if (threads->getBits(i) != one->getBits(i) || threads->getBits(i) != loops->getBits(i))
        RC_FAIL("element " + std::to_string(i) + " differs\n" + text);
  }));
}

} // namespace
