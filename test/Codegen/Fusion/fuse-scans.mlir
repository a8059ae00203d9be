// RUN: forge-opt --forge-fuse-scans --split-input-file %s | FileCheck %s
// Sums over the states of a running sum, inside of the loops that make the states, and what stays outside.

// A thread takes the four states of a channel one after the other, each with a number of its own in memory. What all states read is
// read before them.
// CHECK-LABEL: func.func @inside(
// CHECK-SAME: %[[X:.*]]: tensor<6000x8x4xf32>, %[[C:.*]]: tensor<8x4xf32>, %[[D:.*]]: tensor<6000x8xf32>
// CHECK: scf.for %[[I:.*]] = %c0 to %c6000
// CHECK: %[[M:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: scf.for %[[G:.*]] = %c0 to %c4 {{.*}} -> (tensor<4xf32>, tensor<6000x8xf32>)
// CHECK-COUNT-2: tensor.extract %[[D]]
// CHECK: %[[SUMS:.*]]:3 = scf.for %[[N:.*]] = %{{.*}} iter_args(%[[K:.*]] = %{{.*}}, %{{.*}} = %cst, %{{.*}} = %cst
// CHECK-NOT: tensor.extract %[[D]]
// CHECK: tensor.extract %[[K]][%[[N]]]
// CHECK: tensor.extract %[[X]][%[[I]], %{{.*}}, %[[N]]]
// CHECK-COUNT-2: tensor.extract %[[C]][%{{.*}}, %[[N]]]
// CHECK: tensor.insert %[[SUMS]]#1
// CHECK: tensor.insert %[[SUMS]]#2
// CHECK: {forge.scan}
// CHECK: {forge.independent}
// CHECK-NOT: linalg.generic
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#states = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @inside(%x: tensor<6000x8x4xf32>, %c: tensor<8x4xf32>, %d: tensor<6000x8xf32>) -> tensor<6000x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6000 = arith.constant 6000 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6000x8x4xf32>
  %h = scf.for %i = %c0 to %c6000 step %c1 iter_args(%t = %e) -> (tensor<6000x8x4xf32>) {
    %r = scf.for %n = %c0 to %c4 step %c1 iter_args(%u = %t) -> (tensor<6000x8x4xf32>) {
      %line:2 = scf.for %g = %c0 to %c4 step %c1 iter_args(%sum = %zero, %v = %u) -> (f32, tensor<6000x8x4xf32>) {
        %j = arith.muli %g, %c2 : index
        %k = arith.addi %j, %c1 : index
        %a = tensor.extract %x[%i, %j, %n] : tensor<6000x8x4xf32>
        %da = tensor.extract %d[%i, %j] : tensor<6000x8xf32>
        %b = tensor.extract %x[%i, %k, %n] : tensor<6000x8x4xf32>
        %db = tensor.extract %d[%i, %k] : tensor<6000x8xf32>
        %pa = arith.mulf %a, %da : f32
        %pb = arith.mulf %b, %db : f32
        %s0 = arith.addf %sum, %pa : f32
        %v0 = tensor.insert %s0 into %v[%i, %j, %n] : tensor<6000x8x4xf32>
        %s1 = arith.addf %s0, %pb : f32
        %v1 = tensor.insert %s1 into %v0[%i, %k, %n] : tensor<6000x8x4xf32>
        scf.yield %s1, %v1 : f32, tensor<6000x8x4xf32>
      } {forge.scan}
      scf.yield %line#1 : tensor<6000x8x4xf32>
    } {forge.independent}
    scf.yield %r : tensor<6000x8x4xf32>
  } {forge.independent}
  %f = tensor.empty() : tensor<6000x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%f : tensor<6000x8xf32>) -> tensor<6000x8xf32>
  %y = linalg.generic {indexing_maps = [#all, #states, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %c : tensor<6000x8x4xf32>, tensor<8x4xf32>) outs(%start : tensor<6000x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<6000x8xf32>
  return %y : tensor<6000x8xf32>
}

// -----

// Too few channels: reading the states takes less time than one thread for all of a channel.
// CHECK-LABEL: func.func @few_channels(
// CHECK: scf.for
// CHECK: {forge.scan}
// CHECK: linalg.generic
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#states = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @few_channels(%x: tensor<60x8x4xf32>, %c: tensor<8x4xf32>, %d: tensor<60x8xf32>) -> tensor<60x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c60 = arith.constant 60 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<60x8x4xf32>
  %h = scf.for %i = %c0 to %c60 step %c1 iter_args(%t = %e) -> (tensor<60x8x4xf32>) {
    %r = scf.for %n = %c0 to %c4 step %c1 iter_args(%u = %t) -> (tensor<60x8x4xf32>) {
      %line:2 = scf.for %g = %c0 to %c4 step %c1 iter_args(%sum = %zero, %v = %u) -> (f32, tensor<60x8x4xf32>) {
        %j = arith.muli %g, %c2 : index
        %k = arith.addi %j, %c1 : index
        %a = tensor.extract %x[%i, %j, %n] : tensor<60x8x4xf32>
        %da = tensor.extract %d[%i, %j] : tensor<60x8xf32>
        %b = tensor.extract %x[%i, %k, %n] : tensor<60x8x4xf32>
        %db = tensor.extract %d[%i, %k] : tensor<60x8xf32>
        %pa = arith.mulf %a, %da : f32
        %pb = arith.mulf %b, %db : f32
        %s0 = arith.addf %sum, %pa : f32
        %v0 = tensor.insert %s0 into %v[%i, %j, %n] : tensor<60x8x4xf32>
        %s1 = arith.addf %s0, %pb : f32
        %v1 = tensor.insert %s1 into %v0[%i, %k, %n] : tensor<60x8x4xf32>
        scf.yield %s1, %v1 : f32, tensor<60x8x4xf32>
      } {forge.scan}
      scf.yield %line#1 : tensor<60x8x4xf32>
    } {forge.independent}
    scf.yield %r : tensor<60x8x4xf32>
  } {forge.independent}
  %f = tensor.empty() : tensor<60x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%f : tensor<60x8xf32>) -> tensor<60x8xf32>
  %y = linalg.generic {indexing_maps = [#all, #states, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %c : tensor<60x8x4xf32>, tensor<8x4xf32>) outs(%start : tensor<60x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<60x8xf32>
  return %y : tensor<60x8xf32>
}

// -----

// A sum of all steps, not of states.
// CHECK-LABEL: func.func @along_the_line(
// CHECK: scf.for
// CHECK: {forge.scan}
// CHECK: linalg.generic
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#states = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d2)>
func.func @along_the_line(%x: tensor<6000x8x4xf32>, %c: tensor<8x4xf32>, %d: tensor<6000x8xf32>) -> tensor<6000x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6000 = arith.constant 6000 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6000x8x4xf32>
  %h = scf.for %i = %c0 to %c6000 step %c1 iter_args(%t = %e) -> (tensor<6000x8x4xf32>) {
    %r = scf.for %n = %c0 to %c4 step %c1 iter_args(%u = %t) -> (tensor<6000x8x4xf32>) {
      %line:2 = scf.for %g = %c0 to %c4 step %c1 iter_args(%sum = %zero, %v = %u) -> (f32, tensor<6000x8x4xf32>) {
        %j = arith.muli %g, %c2 : index
        %k = arith.addi %j, %c1 : index
        %a = tensor.extract %x[%i, %j, %n] : tensor<6000x8x4xf32>
        %da = tensor.extract %d[%i, %j] : tensor<6000x8xf32>
        %b = tensor.extract %x[%i, %k, %n] : tensor<6000x8x4xf32>
        %db = tensor.extract %d[%i, %k] : tensor<6000x8xf32>
        %pa = arith.mulf %a, %da : f32
        %pb = arith.mulf %b, %db : f32
        %s0 = arith.addf %sum, %pa : f32
        %v0 = tensor.insert %s0 into %v[%i, %j, %n] : tensor<6000x8x4xf32>
        %s1 = arith.addf %s0, %pb : f32
        %v1 = tensor.insert %s1 into %v0[%i, %k, %n] : tensor<6000x8x4xf32>
        scf.yield %s1, %v1 : f32, tensor<6000x8x4xf32>
      } {forge.scan}
      scf.yield %line#1 : tensor<6000x8x4xf32>
    } {forge.independent}
    scf.yield %r : tensor<6000x8x4xf32>
  } {forge.independent}
  %f = tensor.empty() : tensor<6000x4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%f : tensor<6000x4xf32>) -> tensor<6000x4xf32>
  %y = linalg.generic {indexing_maps = [#all, #states, #out], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%h, %c : tensor<6000x8x4xf32>, tensor<8x4xf32>) outs(%start : tensor<6000x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<6000x4xf32>
  return %y : tensor<6000x4xf32>
}

// -----

// Somebody else reads the states.
// CHECK-LABEL: func.func @also_returned(
// CHECK: scf.for
// CHECK: {forge.scan}
// CHECK: linalg.generic
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#states = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @also_returned(%x: tensor<6000x8x4xf32>, %c: tensor<8x4xf32>, %d: tensor<6000x8xf32>) -> (tensor<6000x8xf32>, tensor<6000x8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6000 = arith.constant 6000 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6000x8x4xf32>
  %h = scf.for %i = %c0 to %c6000 step %c1 iter_args(%t = %e) -> (tensor<6000x8x4xf32>) {
    %r = scf.for %n = %c0 to %c4 step %c1 iter_args(%u = %t) -> (tensor<6000x8x4xf32>) {
      %line:2 = scf.for %g = %c0 to %c4 step %c1 iter_args(%sum = %zero, %v = %u) -> (f32, tensor<6000x8x4xf32>) {
        %j = arith.muli %g, %c2 : index
        %k = arith.addi %j, %c1 : index
        %a = tensor.extract %x[%i, %j, %n] : tensor<6000x8x4xf32>
        %da = tensor.extract %d[%i, %j] : tensor<6000x8xf32>
        %b = tensor.extract %x[%i, %k, %n] : tensor<6000x8x4xf32>
        %db = tensor.extract %d[%i, %k] : tensor<6000x8xf32>
        %pa = arith.mulf %a, %da : f32
        %pb = arith.mulf %b, %db : f32
        %s0 = arith.addf %sum, %pa : f32
        %v0 = tensor.insert %s0 into %v[%i, %j, %n] : tensor<6000x8x4xf32>
        %s1 = arith.addf %s0, %pb : f32
        %v1 = tensor.insert %s1 into %v0[%i, %k, %n] : tensor<6000x8x4xf32>
        scf.yield %s1, %v1 : f32, tensor<6000x8x4xf32>
      } {forge.scan}
      scf.yield %line#1 : tensor<6000x8x4xf32>
    } {forge.independent}
    scf.yield %r : tensor<6000x8x4xf32>
  } {forge.independent}
  %f = tensor.empty() : tensor<6000x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%f : tensor<6000x8xf32>) -> tensor<6000x8xf32>
  %y = linalg.generic {indexing_maps = [#all, #states, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %c : tensor<6000x8x4xf32>, tensor<8x4xf32>) outs(%start : tensor<6000x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<6000x8xf32>
  return %y, %h : tensor<6000x8xf32>, tensor<6000x8x4xf32>
}

// -----

// What a line carried last is read.
// CHECK-LABEL: func.func @last_is_read(
// CHECK: scf.for
// CHECK: {forge.scan}
// CHECK: linalg.generic
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#states = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @last_is_read(%x: tensor<6000x8x4xf32>, %c: tensor<8x4xf32>, %d: tensor<6000x8xf32>) -> tensor<6000x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6000 = arith.constant 6000 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6000x8x4xf32>
  %h = scf.for %i = %c0 to %c6000 step %c1 iter_args(%t = %e) -> (tensor<6000x8x4xf32>) {
    %r = scf.for %n = %c0 to %c4 step %c1 iter_args(%u = %t) -> (tensor<6000x8x4xf32>) {
      %line:2 = scf.for %g = %c0 to %c4 step %c1 iter_args(%sum = %zero, %v = %u) -> (f32, tensor<6000x8x4xf32>) {
        %j = arith.muli %g, %c2 : index
        %k = arith.addi %j, %c1 : index
        %a = tensor.extract %x[%i, %j, %n] : tensor<6000x8x4xf32>
        %da = tensor.extract %d[%i, %j] : tensor<6000x8xf32>
        %b = tensor.extract %x[%i, %k, %n] : tensor<6000x8x4xf32>
        %db = tensor.extract %d[%i, %k] : tensor<6000x8xf32>
        %pa = arith.mulf %a, %da : f32
        %pb = arith.mulf %b, %db : f32
        %s0 = arith.addf %sum, %pa : f32
        %v0 = tensor.insert %s0 into %v[%i, %j, %n] : tensor<6000x8x4xf32>
        %s1 = arith.addf %s0, %pb : f32
        %v1 = tensor.insert %s1 into %v0[%i, %k, %n] : tensor<6000x8x4xf32>
        scf.yield %s1, %v1 : f32, tensor<6000x8x4xf32>
      } {forge.scan}
      %w = tensor.insert %line#0 into %line#1[%i, %c0, %n] : tensor<6000x8x4xf32>
      scf.yield %w : tensor<6000x8x4xf32>
    } {forge.independent}
    scf.yield %r : tensor<6000x8x4xf32>
  } {forge.independent}
  %f = tensor.empty() : tensor<6000x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%f : tensor<6000x8xf32>) -> tensor<6000x8xf32>
  %y = linalg.generic {indexing_maps = [#all, #states, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %c : tensor<6000x8x4xf32>, tensor<8x4xf32>) outs(%start : tensor<6000x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<6000x8xf32>
  return %y : tensor<6000x8xf32>
}
