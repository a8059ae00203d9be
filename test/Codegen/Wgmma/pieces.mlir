// Factors in pieces: the products of a stage, the smallest first, to sums of their own, which are added to the accumulator.
// RUN: forge compile %s --target cuda:sm_90a --tier optimized --to blocks -o - | FileCheck %s
// RUN: not forge compile %s --target cuda:sm_90a --tier optimized --to blocks --plan %S/Inputs/none 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: error:
// RUN: sed 's/SCHEDULE/forge.schedule = #forge.schedule<strategy = wgmma, n = 256>,/' %s | not forge compile - --target cuda:sm_90a --to blocks -o - 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: error: expected tiles of 64 or 128 columns for factors in pieces, but got 256
// RUN: sed 's/SCHEDULE/forge.schedule = #forge.schedule<strategy = wgmma, n = 128, stages = 3>,/' %s | not forge compile - --target cuda:sm_90a --to blocks -o - 2>&1 | FileCheck %s --check-prefix=STAGES
// STAGES: error: expected 2 stages or more in 232448 bytes of shared memory, but got 3 in 295984
