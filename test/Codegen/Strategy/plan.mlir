// RUN: forge-opt %s --forge-schedule-kernels="chip=gfx942" 2> %t.warning | FileCheck %s --implicit-check-not=forge.plan
// RUN: FileCheck %s --check-prefix=WARNING --input-file %t.warning
// RUN: forge-opt %s --forge-schedule-kernels="chip=gfx942 generic-only" 2>&1 | FileCheck %s --implicit-check-not=forge.plan --implicit-check-not=warning:

// A plan goes, once it is read; the naive form reads none, and says nothing of it.
// CHECK: func.func private @kernel({{.*}}strategy = generic, threads = 256
// WARNING: p.txt:4:8: warning: no kernel of this module is in the plan, which has 1 for gfx942
module attributes {forge.plan = {gfx942 = {"0" = {place = loc("p.txt":4:8), schedule = #forge.schedule<strategy = gemv>}}}} {
  func.func private @kernel(%x: tensor<1000xf32>, %o: tensor<1000xf32>) -> tensor<1000xf32> attributes {forge.kernel} {
    %0 = linalg.add ins(%x, %x : tensor<1000xf32>, tensor<1000xf32>) outs(%o : tensor<1000xf32>) -> tensor<1000xf32>
    return %0 : tensor<1000xf32>
  }
}
