// Products of up to 64 rows by warpgroups: a tile has 64 rows; the warps whose rows are there load them by ldmatrix, and the others have
// zeros. The left factor and the right one, whose stages may have several chunks of terms, have rings and roles of their own.
// DEFINE: %{function} =
// DEFINE: %{columns} =
// DEFINE: %{terms} = 64
// DEFINE: %{plan} = forge explain %s --function %{function} --target sim:sm_90a --save-plan %t.plan >%t.explain && sed -i -E 's/<strategy = (gemv|wgmma), .*, library/<strategy = wgmma, m = 64, n = %{columns}, k = %{terms}, stages = 3, library/' %t.plan
// DEFINE: %{verify} = %{plan} && forge verify %s --function %{function} --target sim:sm_90a --plan %t.plan
// REDEFINE: %{function} = sixteen
// REDEFINE: %{columns} = 32
// RUN: %{verify}
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function %{function} --target sim:sm_90a --plan %t.plan
// RUN: sed s/sim/cuda/ %t.plan >%t.cuda.plan && forge compile %s --function %{function} --target cuda:sm_90a --tier optimized --plan %t.cuda.plan --to ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: forge compile %s --function %{function} --target sim:sm_90a --plan %t.plan --to blocks -o - | FileCheck %s --check-prefix=BLOCKS
// REDEFINE: %{columns} = 96
// RUN: %{verify} --each-stage
// REDEFINE: %{columns} = 48
// REDEFINE: %{terms} = 256
// RUN: %{verify}
// RUN: env FORGE_SIM_SEED=5 forge verify %s --function %{function} --target sim:sm_90a --plan %t.plan
// REDEFINE: %{terms} = 320
// RUN: %{plan} && not forge compile %s --function %{function} --target sim:sm_90a --plan %t.plan --to gpu -o /dev/null --reproducer-dir "" 2>&1 | FileCheck %s --check-prefix=TERMS
// REDEFINE: %{terms} = 64
// REDEFINE: %{columns} = 40
// RUN: %{plan} && not forge compile %s --function %{function} --target sim:sm_90a --plan %t.plan --to gpu -o /dev/null --reproducer-dir "" 2>&1 | FileCheck %s --check-prefix=WIDTH
// REDEFINE: %{function} = one
// REDEFINE: %{columns} = 64
// RUN: %{verify}
// REDEFINE: %{function} = pair
// RUN: %{verify}
// REDEFINE: %{columns} = 96
// REDEFINE: %{terms} = 128
// RUN: %{verify}
// REDEFINE: %{terms} = 64
// REDEFINE: %{columns} = 64
// REDEFINE: %{function} = columns
// RUN: %{verify}
// REDEFINE: %{columns} = 32
// RUN: %{plan} && not forge compile %s --function %{function} --target sim:sm_90a --plan %t.plan --to gpu -o /dev/null --reproducer-dir "" 2>&1 | FileCheck %s --check-prefix=STEP
// REDEFINE: %{function} = thirty_three
// RUN: %{verify}
// REDEFINE: %{function} = all
// REDEFINE: %{columns} = 128
// RUN: %{verify}
// A large matrix is read by warpgroups, a pair of them too; a small one by strategy gemv.
// RUN: forge explain %s --function large --target cuda:sm_90a | FileCheck %s --check-prefix=LARGE
// RUN: forge explain %s --function middle --target cuda:sm_90a | FileCheck %s --check-prefix=MIDDLE

// BLOCKS: tile.ring : !tile.ring<3, !tile.shared<16x64xbf16, sw128>>
// BLOCKS: tile.ring : !tile.ring<3, !tile.shared<32x64xbf16, sw128>>
// BLOCKS: tile.role @copy_left warps = 2 {
// BLOCKS: tile.role @copy_right warps = 2 {
// BLOCKS: tile.role @math warps = 4 {
// BLOCKS: tile.load {{.*}} limits(
// PTX: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX-NOT: mbarrier.arrive
// PTX: wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {{.*}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd
// The slot of the left factor is given back behind its product.
// PTX: wgmma.wait_group.sync.aligned 0
// PTX: fence.proxy.async.shared::cta
// PTX: mbarrier.arrive
// STEP: error: {{.*}}expected tiles of 64, 128, 192 or 256 columns, but got 32
// WIDTH: error: {{.*}}expected tiles of a multiple of 16 columns, of at most 256, but got 40
// TERMS: error: {{.*}}expected tiles of 64 rows and stages of 64 terms or a multiple, at most 256, but got 64 and 320
// LARGE: 1 launch: wgmma; m 64, n 112, k 64, stages 6
// MIDDLE: 1 launch: gemv;

func.func @sixteen(%x: tensor<16x456xbf16>, %w: tensor<176x456xbf16>, %b: tensor<176xbf16>) -> tensor<16x176xbf16> {
  %0 = transformer.matmul %x, %w bias %b {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<16x456xbf16>, tensor<176x456xbf16>, tensor<176xbf16>) -> tensor<16x176xbf16>
  return %0 : tensor<16x176xbf16>
}
func.func @one(%x: tensor<1x256xf16>, %w: tensor<96x256xf16>) -> tensor<1x96xf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x256xf16>, tensor<96x256xf16>) -> tensor<1x96xf16>
  return %0 : tensor<1x96xf16>
}
func.func @thirty_three(%x: tensor<33x512xbf16>, %w: tensor<80x512xbf16>) -> tensor<33x80xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<33x512xbf16>, tensor<80x512xbf16>) -> tensor<33x80xbf16>
  return %0 : tensor<33x80xbf16>
}
func.func @all(%x: tensor<64x256xbf16>, %w: tensor<256x256xbf16>) -> tensor<64x256xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<64x256xbf16>, tensor<256x256xbf16>) -> tensor<64x256xbf16>
  return %0 : tensor<64x256xbf16>
}
func.func @pair(%x: tensor<16x512xbf16>, %g: tensor<160x512xbf16>, %u: tensor<160x512xbf16>) -> tensor<16x160xbf16> {
  %0 = transformer.matmul %x, %g {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<16x512xbf16>, tensor<160x512xbf16>) -> tensor<16x160xbf16>
  %1 = transformer.matmul %x, %u {transpose_rhs} : (tensor<16x512xbf16>, tensor<160x512xbf16>) -> tensor<16x160xbf16>
  %2 = transformer.multiply %0, %1 : tensor<16x160xbf16>
  return %2 : tensor<16x160xbf16>
}
func.func @columns(%x: tensor<16x512xbf16>, %w: tensor<512x192xbf16>) -> tensor<16x192xbf16> {
  %0 = transformer.matmul %x, %w : (tensor<16x512xbf16>, tensor<512x192xbf16>) -> tensor<16x192xbf16>
  return %0 : tensor<16x192xbf16>
}
func.func @large(%x: tensor<16x4096xbf16>, %w: tensor<14336x4096xbf16>) -> tensor<16x14336xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<16x4096xbf16>, tensor<14336x4096xbf16>) -> tensor<16x14336xbf16>
  return %0 : tensor<16x14336xbf16>
}
func.func @middle(%x: tensor<16x2048xbf16>, %w: tensor<2048x2048xbf16>) -> tensor<16x2048xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<16x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<16x2048xbf16>
  return %0 : tensor<16x2048xbf16>
}
