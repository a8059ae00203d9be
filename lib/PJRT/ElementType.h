// Element types, as frameworks and as Forge name them.
#ifndef FORGE_LIB_PJRT_ELEMENTTYPE_H
#define FORGE_LIB_PJRT_ELEMENTTYPE_H

#include "Abi.h"

#include <string_view>

namespace forge::pjrt {

struct ElementType {
  BufferType type;
  /// As in struct forge_tensor.
  const char *name;
  /// In a buffer of the host: types smaller than a byte take one.
  size_t bytes;
};

/// Null for types that Forge does not have.
const ElementType *findElementType(BufferType type);
const ElementType *findElementType(std::string_view name);

} // namespace forge::pjrt

#endif // FORGE_LIB_PJRT_ELEMENTTYPE_H
