#include "BuildRole.h"

#include "forge/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace forge;

void forge::buildRole(ImplicitLocOpBuilder &b, StringRef name, int64_t warps,
                      std::optional<int64_t> registers, function_ref<void()> body) {
  auto role = tile::RoleOp::create(b, b.getStringAttr(name), b.getI64IntegerAttr(warps),
                                   registers ? b.getI64IntegerAttr(*registers) : IntegerAttr());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&role.getBody());
  body();
  tile::YieldOp::create(b);
}
