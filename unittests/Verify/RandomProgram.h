// Random functions of StableHLO and the transformer dialect on matrices, as text.
#ifndef FORGE_UNITTESTS_VERIFY_RANDOMPROGRAM_H
#define FORGE_UNITTESTS_VERIFY_RANDOMPROGRAM_H

#include <cstdint>
#include <random>
#include <string>

namespace forge {

/// One function @main of three [m, n] matrices and an [n, n] one, with as many steps as asked for.
/// Every step is an op, or one of the short sequences that models are made of, on earlier values;
/// the last value and a sum over it are the results.
class RandomProgram {
public:
  /// With `transformer`, three of four steps are operations of the transformer dialect.
  explicit RandomProgram(uint64_t seed, bool transformer = false)
      : random(seed), transformer(transformer) {}
  std::string text(int steps);

private:
  int64_t below(int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); }
  std::string any() { return "%v" + std::to_string(below(values)); }
  std::string matrix() const;
  std::string fresh() { return "%t" + std::to_string(temporaries++); }
  void line(const std::string &code) { body += "  " + code + "\n"; }

  /// The op of this full name, whose operands and result are all matrices.
  std::string unaryOf(const std::string &op, const std::string &x);
  std::string unary(const std::string &op, const std::string &x);
  std::string binary(const std::string &op, const std::string &x, const std::string &y);
  /// `x` reduced along a dimension, and spread again.
  std::string spread(const std::string &op, const std::string &init, const std::string &x,
                     int dimension);
  std::string filled(const std::string &number);
  std::string product(const std::string &x, const std::string &y);
  std::string softmax(const std::string &x, int dimension);
  std::string normalised(const std::string &x, int dimension);
  std::string step();
  /// transformer.`code` with `operands` after the name and `attributes` after these.
  std::string call(const std::string &op, const std::string &operands, int count,
                   const std::string &attributes = "");
  std::string attention(bool gradient);
  /// The gradient of a norm by its input.
  std::string normGradient(const std::string &op);
  /// `x` as i8 and back; a product with %w as i8.
  std::string narrowed(const std::string &x);
  std::string narrowProduct(const std::string &x);
  std::string transformerStep();

  std::mt19937_64 random;
  bool transformer;
  std::string type;
  int64_t rows = 1, columns = 1;
  int64_t values = 0;
  int64_t temporaries = 0;
  std::string body;
};

} // namespace forge

#endif // FORGE_UNITTESTS_VERIFY_RANDOMPROGRAM_H
