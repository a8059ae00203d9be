// The strategies there are.
#include "../Gemv/GemvStrategy.h"
#include "../Generic/Generic.h"
#include "../Library/LibraryStrategy.h"
#include "../RowKernels/RowsStrategy.h"
#include "../Wgmma/WgmmaStrategy.h"

using namespace forge;

/// The most special first: the first that can plan a kernel gets it.
llvm::ArrayRef<const Strategy *> forge::strategies() {
  static const GemvStrategy gemv;
  static const GenericStrategy generic;
  static const LibraryStrategy library;
  static const RowsStrategy rows;
  static const WgmmaStrategy wgmma;
  static const Strategy *const table[] = {&library, &gemv, &wgmma, &rows, &generic};
  return table;
}

const Strategy *forge::findStrategy(llvm::StringRef name) {
  for (const Strategy *strategy : strategies())
    if (strategy->name() == name)
      return strategy;
  return nullptr;
}
