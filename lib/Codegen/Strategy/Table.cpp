// The strategies there are.
#include "../Attention/AttentionStrategy.h"
#include "../FlashAttention/FlashStrategy.h"
#include "../FlashBackward/BackwardStrategy.h"
#include "../Gemv/GemvStrategy.h"
#include "../Generic/Generic.h"
#include "../Library/LibraryStrategy.h"
#include "../RowKernels/RowsStrategy.h"
#include "../TileContraction/TilesStrategy.h"
#include "../Wgmma/WgmmaStrategy.h"

using namespace forge;

/// The most special first: of equal offers the first is taken.
llvm::ArrayRef<const Strategy *> forge::strategies() {
  static const Strategy *const table[] = {
      &libraryStrategy, &attentionStrategy, &flashStrategy, &flashBackwardStrategy, &gemvStrategy,
      &wgmmaStrategy,   &tilesStrategy,     &rowsStrategy,  &genericStrategy};
  return table;
}

const Strategy *forge::findStrategy(llvm::StringRef name) {
  for (const Strategy *strategy : strategies())
    if (strategy->name == name)
      return strategy;
  return nullptr;
}
