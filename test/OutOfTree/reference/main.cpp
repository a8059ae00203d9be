// The oracle without a compiler: attention of two queries over three keys, and its gradient.
#include "forge/Reference/AttentionGrad.h"

#include <cmath>
#include <cstdio>

using namespace forge;
using reference::fromDoubles;

static void print(const char *name, const HostTensor &tensor) {
  std::printf("%s", name);
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    std::printf(" %.6f", tensor.getDouble(i));
  std::printf("\n");
}

int main() {
  HostTensor query = *fromDoubles(DType::F32, {1, 1, 2, 1}, std::vector<double>{0, 1});
  HostTensor key =
      *fromDoubles(DType::F32, {1, 1, 3, 1}, std::vector<double>{0, std::log(2.0), std::log(3.0)});
  HostTensor value = *fromDoubles(DType::F32, {1, 1, 3, 1}, std::vector<double>{6, 12, 18});
  Result<HostTensor> result = reference::attention(query, key, value, {.scale = 1.0});
  if (!result)
    return std::puts(result.error().message.c_str()), 1;
  print("attention", *result); // (6 + 12 + 18) / 3, (6 + 2 * 12 + 3 * 18) / 6
  HostTensor ones = *fromDoubles(DType::F32, {1, 1, 2, 1}, std::vector<double>{1, 1});
  auto gradients =
      reference::attentionGrad(ones, /*lseCotangent=*/nullptr, query, key, value, {.scale = 1.0});
  if (!gradients)
    return std::puts(gradients.error().message.c_str()), 1;
  print("value gradient", gradients->value); // 1/3 + 1/6, 1/3 + 2/6, 1/3 + 3/6
  // A shape that does not fit is an error, not a crash.
  std::puts(reference::attention(query, ones, value, {}).error().message.c_str());
}
