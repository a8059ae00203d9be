// Products of groups, element by element: the group of a place is looked up where it is needed.
#include "ProductSum.h"

#include "forge/Reference/Contraction.h"

using namespace forge;
using namespace forge::reference;

namespace {
/// Indices over some dimensions of an operand.
struct Walk {
  const Dims &list, sizes;
  Dims at;
  Walk(const HostTensor &tensor, const Dims &list)
      : list(list), sizes(pick(tensor.dims(), list)), at(list.size(), 0) {}
  void place(Dims &index) const {
    for (size_t i = 0; i < list.size(); ++i)
      index[static_cast<size_t>(list[i])] = at[i];
  }
  bool next() { return advance(at, sizes); }
  bool isEmpty() const { return product(sizes) == 0; }
};
} // namespace

/// The group of an element of lhs, or -1.
static int64_t groupOf(const Dims &index, const HostTensor &sizes, const RaggedDimensions &ragged) {
  int64_t count = sizes.dims().back(), first = 0, end = 0;
  if (sizes.rank() > 1) {
    Dims prefix = pick(index, ragged.lhsPrefix);
    prefix.push_back(0);
    first = flatten(prefix, stridesOf(sizes.dims()));
  }
  for (int64_t group = 0; group < count; ++group) {
    end += getInteger(sizes, first + group);
    if (index[static_cast<size_t>(ragged.lhsRagged)] < end)
      return group;
  }
  return -1;
}

Result<HostTensor> reference::raggedDot(const HostTensor &lhs, const HostTensor &rhs,
                                        const HostTensor &sizes, const DotDimensions &dot,
                                        const RaggedDimensions &ragged, DType resultType) {
  if (contains(dot.lhsBatching, ragged.lhsRagged))
    return dotGeneral(lhs, rhs, dot, resultType);
  if (isFloat(lhs.type()) != isFloat(resultType) || isFloat(rhs.type()) != isFloat(resultType))
    return Error{"cannot contract " + typeString(lhs) + " and " + typeString(rhs) + " to " +
                 std::string(dtypeName(resultType))};
  bool isContracting = contains(dot.lhsContracting, ragged.lhsRagged);
  Dims lhsFree = otherDims(lhs.rank(), joined(dot.lhsBatching, dot.lhsContracting));
  Dims rhsTaken = joined(dot.rhsBatching, dot.rhsContracting);
  if (!isContracting)
    rhsTaken.push_back(ragged.rhsGroup);
  Dims rhsFree = otherDims(rhs.rank(), rhsTaken);
  Dims shape =
      joined(pick(lhs.dims(), joined(dot.lhsBatching, lhsFree)), pick(rhs.dims(), rhsFree));
  int64_t outer = isContracting ? sizes.dims().back() : 1;
  if (isContracting)
    shape.insert(shape.begin(), outer);
  Result<HostTensor> result = HostTensor::create(resultType, shape);
  if (!result || result->numElements() == 0)
    return result;
  ProductSum sum(lhs, rhs, resultType);
  int64_t position = 0;
  Dims lhsStrides = stridesOf(lhs.dims()), rhsStrides = stridesOf(rhs.dims());
  Dims left(static_cast<size_t>(lhs.rank()), 0), right(static_cast<size_t>(rhs.rank()), 0);
  auto addTerms = [&](int64_t wanted) {
    Walk terms(lhs, dot.lhsContracting);
    if (terms.isEmpty())
      return;
    do {
      terms.place(left);
      for (size_t i = 0; i < terms.at.size(); ++i)
        right[static_cast<size_t>(dot.rhsContracting[i])] = terms.at[i];
      int64_t group = groupOf(left, sizes, ragged);
      if (group < 0 || (isContracting && group != wanted))
        continue;
      if (!isContracting)
        right[static_cast<size_t>(ragged.rhsGroup)] = group;
      sum.add(flatten(left, lhsStrides), flatten(right, rhsStrides));
    } while (terms.next());
  };
  for (int64_t group = 0; group < outer; ++group) {
    Walk batch(lhs, dot.lhsBatching);
    do {
      batch.place(left);
      for (size_t i = 0; i < batch.at.size(); ++i)
        right[static_cast<size_t>(dot.rhsBatching[i])] = batch.at[i];
      Walk rows(lhs, lhsFree);
      do {
        rows.place(left);
        Walk columns(rhs, rhsFree);
        do {
          columns.place(right);
          addTerms(group);
          sum.store(*result, position++);
        } while (columns.next());
      } while (rows.next());
    } while (batch.next());
  }
  return result;
}
