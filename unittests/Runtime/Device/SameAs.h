// Comparisons of our declarations with a vendor's headers, when the test is compiled.
#ifndef FORGE_UNITTESTS_RUNTIME_DEVICE_SAMEAS_H
#define FORGE_UNITTESTS_RUNTIME_DEVICE_SAMEAS_H

#include "../../../lib/Runtime/Device/NativeApi.h"

#define SAME(ours, theirs) static_assert(int(ours) == int(theirs))

namespace forge::rt {

/// The same call through both declarations: same number and width of arguments.
template <typename Ours, typename Theirs> struct SameShape;
template <typename... Ours, typename Status, typename... Theirs>
struct SameShape<Call<Ours...>, Status (*)(Theirs...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(Ours) != sizeof...(Theirs))
      return false;
    else
      return ((sizeof(Ours) == sizeof(Theirs)) && ...) && sizeof(Status) == sizeof(int);
  }();
};

} // namespace forge::rt

#define SAME_SHAPE(ours, theirs)                                                                   \
  static_assert(SameShape<decltype(NativeApi::ours), decltype(&theirs)>::value)

#endif // FORGE_UNITTESTS_RUNTIME_DEVICE_SAMEAS_H
