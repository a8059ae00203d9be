// Which keys a row may see, as far as conditions on the logits say it by indices.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_KEYLIMITS_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_KEYLIMITS_H

#include "../Attention/AttentionGraph.h"

#include <limits>

namespace forge {

/// key <= perRow * row + constant + terms, or >= for a lower limit.
struct KeyLimit {
  bool isUpper = true;
  int64_t perRow = 0, constant = 0;
  /// Numbers of 64 bits or fewer that are the same for all rows and keys, and their factors.
  llvm::SmallVector<std::pair<AttentionGraph::Place, int64_t>, 2> terms;
};

/// A condition on a score that is no limit; the score counts where it is `expected`.
struct KeyCondition {
  AttentionGraph::Place place;
  bool expected = true;
};

/// What has to hold for a logit not to be -inf.
struct KeyConditions {
  llvm::SmallVector<KeyLimit, 4> limits;
  llvm::SmallVector<KeyCondition, 2> others;
};

/// Takes selections between a number and `otherwise` off `number`, which becomes the former, by
/// conditions that do not depend on the scores. Rows are along `rowAxis`. With -inf, constants of
/// -1e9, perhaps rounded to bf16, and less are taken for it too, where the conditions are limits
/// within which each row has a key and what remains reads no memory: rows all of whose keys are
/// masked by such a constant weigh them alike.
KeyConditions takeConditions(const AttentionProgram &program, unsigned rowAxis,
                             AttentionGraph::Place &number,
                             double otherwise = -std::numeric_limits<double>::infinity());

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_KEYLIMITS_H
