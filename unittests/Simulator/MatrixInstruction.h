// A matrix instruction as the tests know it: its shape, where each lane's elements belong, and a
// kernel of it alone.
#ifndef FORGE_UNITTESTS_SIMULATOR_MATRIXINSTRUCTION_H
#define FORGE_UNITTESTS_SIMULATOR_MATRIXINSTRUCTION_H

#include <ostream>
#include <string>

namespace forge::test {

/// Row and column of an element.
struct Place {
  int row, column, block = 0;
};
using Layout = Place (*)(int lane, int i);

struct Instruction {
  const char *name, *chip;
  int m, n, k, blocks;
  /// Names of the element types: of A and B, and of C and D.
  const char *input, *output;
  /// Elements of a lane.
  int countA, countB, countD;
  Layout a, b, d;
  /// The operation on %a (i32 registers), %b, %c, and its result %d; see kernelOf.
  enum Kind { Mma, Mfma, Wmma } kind;
  int lanes() const { return kind == Mfma ? 64 : 32; }
};

inline void PrintTo(const Instruction &instruction, std::ostream *os) { *os << instruction.name; }

/// Of an element.
int bytesOf(const std::string &type);
void put(char *to, const std::string &type, double value);
double get(const char *from, const std::string &type);

/// A kernel @k that does the instruction once, of A, B, C and D, a row of each for a lane.
std::string kernelOf(const Instruction &it);

} // namespace forge::test

#endif // FORGE_UNITTESTS_SIMULATOR_MATRIXINSTRUCTION_H
