// Layouts as they are printed: by alias, in minimal form, and as they are read back.
// RUN: forge-opt %s | FileCheck %s
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-DAG: [[ACC:#.+]] = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
// The last column step only continues the atoms.
#left = #tile.layout<reg = [y1, x8, y8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
// A step of rows does not: atoms are enumerated along rows first.
// CHECK-DAG: [[ROWS:#.+]] = #tile.layout<reg = [y1, x32], lane = [y2, y4, x1, x2, x4], warp = [x8, x16]>
#rows = #tile.layout<reg = [y1, x32], lane = [y2, y4, x1, x2, x4], warp = [x8, x16]>
// CHECK-DAG: [[ROW:#.+]] = #tile.layout<reg = [x8], lane = [_, _, x1, x2, x4], warp = [x16, x32]>
#row = #tile.layout<reg = [x8], lane = [_, _, x1, x2, x4], warp = [x16, x32]>
// Nothing is mentioned of the last dimension: the rank is written.
// CHECK-DAG: [[ALL:#.+]] = #tile.layout<reg = [], lane = [_, _, _, _, _], warp = [_, _], rank = 2>
#all = #tile.layout<reg = [y1], lane = [_, _, _, _, _], warp = [_, _]>
// CHECK-DAG: [[DEEP:#.+]] = #tile.layout<reg = [w1, z1, y1, x1], lane = [w2, z2], warp = [_]>
#deep = #tile.layout<reg = [w1, z1, y1, x1], lane = [w2, z2], warp = [_]>
// CHECK-DAG: [[SCALAR:#.+]] = #tile.layout<reg = [], lane = [], warp = []>
#scalar = #tile.layout<reg = [], lane = [], warp = []>

// CHECK-LABEL: func.func private @types
// CHECK-SAME: tensor<64x256xf32, [[ACC]]>, tensor<64x192xbf16, [[ACC]]>, tensor<64x8xf32, [[ROWS]]>, tensor<64xf32, [[ROW]]>
// CHECK-SAME: tensor<1x2xf32, [[ALL]]>, tensor<2x2x4x12xi8, [[DEEP]]>, tensor<index, [[SCALAR]]>
func.func private @types(tensor<64x256xf32, #acc>, tensor<64x192xbf16, #left>, tensor<64x8xf32, #rows>,
                         tensor<64xf32, #row>, tensor<1x2xf32, #all>, tensor<2x2x4x12xi8, #deep>,
                         tensor<index, #scalar>)
