// arith and math between transformer operations and inside score regions: the reference computes them as compiled code does.
// RUN: forge verify %s --function numbers --each-stage
// RUN: forge verify %s --function integers --each-stage
// RUN: forge verify %s --function score --each-stage
func.func @numbers(%x: tensor<33xf32>, %y: tensor<33xf32>, %i: tensor<33xi32>) -> (tensor<33xf32>, tensor<33xi1>, tensor<33xi1>, tensor<33xi1>, tensor<33xf32>) {
  %zero = arith.constant dense<0.0> : tensor<33xf32>
  %nan = arith.divf %zero, %zero : tensor<33xf32>
  // NaN in every second half of the comparisons.
  %above = arith.cmpf ogt, %x, %y : tensor<33xf32>
  %z = arith.select %above, %y, %nan : tensor<33xi1>, tensor<33xf32>
  %ult = arith.cmpf ult, %x, %z : tensor<33xf32>
  %one = arith.cmpf one, %x, %z : tensor<33xf32>
  %ueq = arith.cmpf ueq, %x, %z : tensor<33xf32>
  %ord = arith.cmpf ord, %x, %z : tensor<33xf32>
  %uno = arith.cmpf uno, %x, %z : tensor<33xf32>
  %0 = arith.andi %ult, %ord : tensor<33xi1>
  %1 = arith.ori %one, %ueq : tensor<33xi1>
  %2 = arith.xori %uno, %0 : tensor<33xi1>
  %3 = math.atan %x : tensor<33xf32>
  %4 = math.expm1 %3 : tensor<33xf32>
  %5 = math.absf %y : tensor<33xf32>
  %6 = math.log1p %5 : tensor<33xf32>
  %7 = arith.addf %4, %6 : tensor<33xf32>
  %8 = math.floor %x : tensor<33xf32>
  %9 = math.ceil %y : tensor<33xf32>
  %10 = arith.subf %8, %9 : tensor<33xf32>
  %11 = arith.addf %7, %10 : tensor<33xf32>
  %12 = arith.uitofp %i : tensor<33xi32> to tensor<33xf32>
  return %11, %0, %1, %2, %12 : tensor<33xf32>, tensor<33xi1>, tensor<33xi1>, tensor<33xi1>, tensor<33xf32>
}

func.func @integers(%x: tensor<33xi32>, %y: tensor<33xi32>) -> (tensor<33xi32>, tensor<33xi1>, tensor<33xi64>, tensor<33xi32>, tensor<33xf32>) {
  %two = arith.constant dense<2> : tensor<33xi32>
  %seven = arith.constant dense<7> : tensor<33xi32>
  %0 = arith.divui %x, %seven : tensor<33xi32>
  %1 = arith.remui %y, %seven : tensor<33xi32>
  %2 = arith.maxui %0, %1 : tensor<33xi32>
  %3 = arith.shrui %x, %two : tensor<33xi32>
  %4 = arith.minui %2, %3 : tensor<33xi32>
  %5 = arith.cmpi ult, %x, %y : tensor<33xi32>
  %6 = arith.extui %x : tensor<33xi32> to tensor<33xi64>
  %7 = arith.extsi %5 : tensor<33xi1> to tensor<33xi32>
  %8 = arith.trunci %x : tensor<33xi32> to tensor<33xi1>
  %9 = arith.sitofp %8 : tensor<33xi1> to tensor<33xf32>
  return %4, %5, %6, %7, %9 : tensor<33xi32>, tensor<33xi1>, tensor<33xi64>, tensor<33xi32>, tensor<33xf32>
}

// Blocks of 4 positions see themselves and the blocks before them; heads from 2 on see everything, weaker with distance.
func.func @score(%q: tensor<2x4x7x8xf32>, %k: tensor<2x2x9x8xf32>, %v: tensor<2x2x9x5xf32>) -> tensor<2x4x7x5xf32> {
  %0 = transformer.attention %q, %k, %v score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %two = arith.constant 2 : index
    %four = arith.constant 4 : index
    %hidden = arith.constant 0xFF800000 : f32
    %sb = arith.divui %s, %four : index
    %tb = arith.divui %t, %four : index
    %seen = arith.cmpi ule, %tb, %sb : index
    %far = arith.cmpi uge, %h, %two : index
    %d = arith.subi %s, %t : index
    %di = arith.index_cast %d : index to i64
    %da = math.absi %di : i64
    %df = arith.uitofp %da : i64 to f32
    %weak = arith.subf %x, %df : f32
    %masked = arith.select %seen, %x, %hidden : f32
    %y = arith.select %far, %weak, %masked : f32
    transformer.yield %y : f32
  } : (tensor<2x4x7x8xf32>, tensor<2x2x9x8xf32>, tensor<2x2x9x5xf32>) -> tensor<2x4x7x5xf32>
  return %0 : tensor<2x4x7x5xf32>
}
