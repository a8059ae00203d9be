// Standard deviations per element from few samples.
#ifndef FORGE_LIB_VERIFY_DEVIATION_H
#define FORGE_LIB_VERIFY_DEVIATION_H

#include "forge/Reference/Elements.h"

#include <cstdint>
#include <vector>

namespace forge {

/// How far the elements of one tensor were from where they would be without rounding.
class Deviation {
public:
  /// `centre`: the values without rounding.
  explicit Deviation(const HostTensor &centre);

  /// Takes one more execution's values into account. Elements that are not finite on both sides are
  /// left out.
  void add(const HostTensor &sample);

  /// The standard deviation of every element, no smaller than its own samples, those of elements of
  /// its magnitude, and those of its lines along each dimension say. See docs/numerics.md.
  std::vector<double> pooled() const;

  /// Per element, the largest deviation among elements of its magnitude of which one execution
  /// deviated more than all others together: what happens rarely (two scores tie, a maximum is
  /// another's) has no normal distribution.
  std::vector<double> rareEvents() const;

  /// Per element that errs by a factor, not by a difference, how far it may be off within
  /// `deviations` standard deviations of its logarithm; 0 for the others. Such elements had the sign
  /// of the value without rounding in every execution, and a spread of a factor of e or more: the
  /// weights of a softmax whose scores are known to a few units only.
  std::vector<double> byFactor(double deviations) const;

  bool isZero() const;
  /// Whether an element that is finite without rounding was so in no other execution.
  bool lacksSamples() const;

private:
  /// rms of what elements of one binary order of magnitude deviate, per element.
  std::vector<double> byMagnitude() const;
  /// Per element, the largest rms over the lines through it of deviation over `scale`; at least 1.
  std::vector<double> alongLines(const std::vector<double> &scale) const;

  reference::Dims dims;
  std::vector<double> centre;
  /// Of the sum of the squares of what each element deviated.
  std::vector<double> roots;
  /// Executions in which it was finite.
  std::vector<double> counts;
  /// The largest of what each element deviated.
  std::vector<double> largest;
  /// The same of its logarithm as `roots`; infinite once it had another sign.
  std::vector<double> logarithmRoots;
};

/// By how much a root mean square of `count` independent normal deviations has to grow for a
/// multiple of it to hold as surely as the same multiple of the true one (Student's distribution,
/// by its Cornish-Fisher expansion at six standard deviations).
double smallSampleFactor(double count);

} // namespace forge

#endif // FORGE_LIB_VERIFY_DEVIATION_H
