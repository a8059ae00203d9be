// Types below StableHLO.
#ifndef FORGE_CONVERSION_STABLEHLOTOLINALG_TYPECONVERTER_H
#define FORGE_CONVERSION_STABLEHLOTOLINALG_TYPECONVERTER_H

#include "mlir/Transforms/DialectConversion.h"

namespace forge {

/// Maps StableHLO's types to those of linalg's world: `ui8` and `si8` become `i8`, also inside
/// tensors; floats that are only stored (isStoredElementType) become integers of their bits; a
/// token becomes `i1` (its value is never looked at); all else stays. Complex and quantized types
/// have no conversion.
class StableHLOTypeConverter : public mlir::TypeConverter {
public:
  StableHLOTypeConverter();
};

/// `type` with a signed or unsigned integer (element) type made signless, and a float that is only
/// stored made the integer of its bits.
mlir::Type getSignlessType(mlir::Type type);

} // namespace forge

#endif // FORGE_CONVERSION_STABLEHLOTOLINALG_TYPECONVERTER_H
