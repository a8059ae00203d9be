// Gradients of attention.
#include "GradientBuilders.h"

using namespace mlir;

namespace forge::transformer {

void attachAttentionModels(MLIRContext *context) {}

} // namespace forge::transformer
