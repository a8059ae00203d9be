#include "forge/Reference/RegisterProgram.h"

#include "forge/Reference/Rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace forge;
using namespace forge::reference;
using Kind = RegisterInstruction::Kind;

static constexpr double kMostSteps = 0x1p34;

/// NaN where one of both is NaN, and -0 is below 0.
static double smaller(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return std::numeric_limits<double>::quiet_NaN();
  if (x == y)
    return std::signbit(x) ? x : y;
  return x < y ? x : y;
}

static double operate(Kind kind, double x, double y) {
  switch (kind) {
  case Kind::Add:
    return rounded(x + y);
  case Kind::Subtract:
    return rounded(x - y);
  case Kind::Multiply:
    return rounded(x * y);
  case Kind::Divide:
    return rounded(x / y);
  case Kind::Minimum:
    return smaller(x, y);
  case Kind::Maximum:
    return -smaller(-x, -y);
  case Kind::Negate:
    return -x;
  case Kind::Abs:
    return std::fabs(x);
  case Kind::Sqrt:
    return rounded(std::sqrt(x));
  case Kind::Exponential:
    return approximated(std::exp(x));
  case Kind::Log:
    return approximated(std::log(x));
  case Kind::Sine:
    return approximated(std::sin(x));
  case Kind::Cosine:
    return approximated(std::cos(x));
  case Kind::Tanh:
    return saturating(std::tanh(x));
  default:
    return x;
  }
}

namespace {
/// The machine at one element.
class Machine {
public:
  Machine(DType type, std::vector<HostTensor> &buffers, int64_t registers)
      : type(type), buffers(buffers), registers(registers) {}

  void run(const std::vector<RegisterInstruction> &body, int64_t element) {
    for (const RegisterInstruction &instruction : body)
      run(instruction, element);
  }

private:
  void run(const RegisterInstruction &i, int64_t element) {
    switch (i.kind) {
    case Kind::Load:
      registers[i.dst] = buffers[i.buffer].getDouble(element);
      return;
    case Kind::Store:
      buffers[i.buffer].setDouble(element, stored(registers[i.lhs]));
      return;
    case Kind::Constant:
      registers[i.dst] = i.value;
      return;
    case Kind::Loop:
      for (int64_t k = 0; k < i.times; ++k)
        run(i.body, element);
      return;
    default:
      registers[i.dst] = roundToType(type, operate(i.kind, registers[i.lhs], registers[i.rhs]));
    }
  }

  DType type;
  std::vector<HostTensor> &buffers;
  std::vector<double> registers;
};
} // namespace

static double stepsOf(const std::vector<RegisterInstruction> &body) {
  double steps = 0;
  for (const RegisterInstruction &i : body)
    steps += i.kind == Kind::Loop
                 ? static_cast<double>(std::max<int64_t>(i.times, 0)) * (1 + stepsOf(i.body))
                 : 1;
  return steps;
}

/// The largest number that `field` of any instruction has.
static int64_t largest(const std::vector<RegisterInstruction> &body,
                       int64_t RegisterInstruction::*field) {
  int64_t number = -1;
  for (const RegisterInstruction &i : body)
    number = std::max({number, i.*field, largest(i.body, field)});
  return number;
}

Result<std::vector<HostTensor>>
reference::runProgram(const std::vector<RegisterInstruction> &program, DType type,
                      std::vector<HostTensor> buffers) {
  for (const HostTensor &buffer : buffers)
    if (!isFloat(buffer.type()) || buffer.type() != buffers[0].type() ||
        buffer.dims() != buffers[0].dims())
      return Error{"expected buffers of floats of one shape, but got " + typeString(buffers[0]) +
                   " and " + typeString(buffer)};
  if (buffers.empty() ||
      largest(program, &RegisterInstruction::buffer) >= static_cast<int64_t>(buffers.size()))
    return Error{"expected a buffer for each that the program uses, but got " +
                 std::to_string(buffers.size())};
  int64_t elements = buffers[0].numElements();
  double steps = static_cast<double>(elements) * stepsOf(program);
  if (steps > kMostSteps)
    return Error{"expected a program of at most 2^34 steps, but got 2^" +
                 std::to_string(static_cast<int64_t>(std::log2(steps)))};
  int64_t registers = 1 + std::max({largest(program, &RegisterInstruction::dst),
                                    largest(program, &RegisterInstruction::lhs),
                                    largest(program, &RegisterInstruction::rhs)});
  Machine machine(type, buffers, registers);
  for (int64_t element = 0; element < elements; ++element)
    machine.run(program, element);
  return buffers;
}
