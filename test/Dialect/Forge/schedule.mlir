// Schedules as text and as bytecode: fields are printed in one order, whatever order they are written in.
// RUN: forge-opt %s | FileCheck %s
// RUN: forge-opt %s | forge-opt - | FileCheck %s
// RUN: forge-opt %s --emit-bytecode | forge-opt - | FileCheck %s

// CHECK: @empty() attributes {forge.schedule = #forge.schedule<>}
func.func private @empty() attributes {forge.schedule = #forge.schedule<>}
// CHECK: @order() attributes {forge.schedule = #forge.schedule<strategy = wgmma, m = 128, n = 256, stages = 4, library = cost>}
func.func private @order() attributes {forge.schedule = #forge.schedule<library = cost, stages = 4, n = 256, strategy = wgmma, m = 128>}
// CHECK: @kinds() attributes {forge.schedule = #forge.schedule<tile = [8, 0], pack = ab, swap = true, parallel = false>}
func.func private @kinds() attributes {forge.schedule = #forge.schedule<swap = true, tile = [8, 0], pack = ab, parallel = false>}
// CHECK: @none() attributes {forge.schedule = #forge.schedule<tile = []>}
func.func private @none() attributes {forge.schedule = #forge.schedule<tile = []>}
// A schedule is an attribute like others.
// CHECK: @elsewhere() attributes {mine = #forge.schedule<strategy = generic>}
func.func private @elsewhere() attributes {mine = #forge.schedule<strategy = generic>}
