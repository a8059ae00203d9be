// The conformance kernels for the cuda driver, written by hand (PTX ISA 7.0; 7.8 where they wait
// for the kernel before them), so that the tests need no compiler.
#include "PTXKernels.h"

#include <string_view>

/// Every kernel begins with WAIT.
static constexpr std::string_view kKernels = R"ptx(
.address_size 64

.visible .entry forge_test_iota(.param .u64 out, .param .u32 n) {
  WAIT
  .reg .pred %p; .reg .b32 %i, %n, %b, %s; .reg .b64 %a, %o;
  ld.param.u64 %a, [out];
  ld.param.u32 %n, [n];
  mov.u32 %b, %ctaid.x;
  mov.u32 %s, %ntid.x;
  mov.u32 %i, %tid.x;
  mad.lo.s32 %i, %b, %s, %i;
  setp.ge.s32 %p, %i, %n;
  @%p bra DONE;
  mul.wide.s32 %o, %i, 4;
  add.u64 %a, %a, %o;
  st.global.u32 [%a], %i;
DONE:
  ret;
}

.visible .entry forge_test_axpy(.param .u64 y, .param .u64 x, .param .f32 a, .param .u64 n) {
  WAIT
  .reg .pred %p; .reg .b32 %t, %b, %s; .reg .b64 %y, %x, %n, %i, %o; .reg .f32 %a, %f, %g;
  ld.param.u64 %y, [y];
  ld.param.u64 %x, [x];
  ld.param.f32 %a, [a];
  ld.param.u64 %n, [n];
  mov.u32 %b, %ctaid.x;
  mov.u32 %s, %ntid.x;
  mov.u32 %t, %tid.x;
  mul.wide.u32 %i, %b, %s;
  cvt.u64.u32 %o, %t;
  add.u64 %i, %i, %o;
  setp.ge.s64 %p, %i, %n;
  @%p bra DONE;
  shl.b64 %o, %i, 2;
  add.u64 %y, %y, %o;
  add.u64 %x, %x, %o;
  ld.global.f32 %f, [%y];
  ld.global.f32 %g, [%x];
  fma.rn.f32 %f, %a, %g, %f;
  st.global.f32 [%y], %f;
DONE:
  ret;
}

.visible .entry forge_test_arguments(.param .u64 out, .param .s8 a, .param .s16 b, .param .s32 c,
                                     .param .s64 d, .param .f32 e, .param .f64 f) {
  WAIT
  .reg .b16 %h; .reg .b32 %w; .reg .b64 %o, %v; .reg .f32 %s; .reg .f64 %r;
  ld.param.u64 %o, [out];
  ld.param.s8 %h, [a];
  cvt.s64.s8 %v, %h;
  st.global.s64 [%o], %v;
  ld.param.s16 %h, [b];
  cvt.s64.s16 %v, %h;
  st.global.s64 [%o+8], %v;
  ld.param.s32 %w, [c];
  cvt.s64.s32 %v, %w;
  st.global.s64 [%o+16], %v;
  ld.param.s64 %v, [d];
  st.global.s64 [%o+24], %v;
  ld.param.f32 %s, [e];
  cvt.f64.f32 %r, %s;
  st.global.f64 [%o+32], %r;
  ld.param.f64 %r, [f];
  st.global.f64 [%o+40], %r;
  ret;
}

.visible .entry forge_test_grid(.param .u64 out) {
  WAIT
  .reg .b32 %bx, %by, %bz, %tx, %ty, %tz, %n, %m, %v, %u; .reg .b64 %a, %o;
  ld.param.u64 %a, [out];
  mov.u32 %bx, %ctaid.x;
  mov.u32 %by, %ctaid.y;
  mov.u32 %bz, %ctaid.z;
  mov.u32 %tx, %tid.x;
  mov.u32 %ty, %tid.y;
  mov.u32 %tz, %tid.z;
  // The number of the block, then of the thread in the grid.
  mov.u32 %m, %nctaid.y;
  mad.lo.u32 %n, %bz, %m, %by;
  mov.u32 %m, %nctaid.x;
  mad.lo.u32 %n, %n, %m, %bx;
  mov.u32 %m, %ntid.z;
  mad.lo.u32 %n, %n, %m, %tz;
  mov.u32 %m, %ntid.y;
  mad.lo.u32 %n, %n, %m, %ty;
  mov.u32 %m, %ntid.x;
  mad.lo.u32 %n, %n, %m, %tx;
  mul.wide.u32 %o, %n, 4;
  add.u64 %a, %a, %o;
  // The coordinates, four bits each.
  shl.b32 %u, %by, 4;
  or.b32 %v, %bx, %u;
  shl.b32 %u, %bz, 8;
  or.b32 %v, %v, %u;
  shl.b32 %u, %tx, 12;
  or.b32 %v, %v, %u;
  shl.b32 %u, %ty, 16;
  or.b32 %v, %v, %u;
  shl.b32 %u, %tz, 20;
  or.b32 %v, %v, %u;
  st.global.u32 [%a], %v;
  ret;
}

.extern .shared .align 16 .b8 dynamic[];
.visible .entry forge_test_reverse(.param .u64 data) {
  WAIT
  .reg .b32 %b, %s, %t, %i, %v, %base, %c; .reg .b64 %a, %o;
  ld.param.u64 %a, [data];
  mov.u32 %b, %ctaid.x;
  mov.u32 %s, %ntid.x;
  mov.u32 %t, %tid.x;
  mad.lo.u32 %i, %b, %s, %t;
  mul.wide.u32 %o, %i, 4;
  add.u64 %a, %a, %o;
  ld.global.u32 %v, [%a];
  mov.u32 %base, dynamic;
  shl.b32 %c, %t, 2;
  add.u32 %c, %base, %c;
  st.shared.u32 [%c], %v;
  bar.sync 0;
  sub.u32 %c, %s, %t;
  sub.u32 %c, %c, 1;
  shl.b32 %c, %c, 2;
  add.u32 %c, %base, %c;
  ld.shared.u32 %v, [%c];
  st.global.u32 [%a], %v;
  ret;
}

.visible .entry forge_test_spin(.param .u64 out, .param .u64 n) {
  WAIT
  .reg .pred %p; .reg .b64 %a, %n, %x, %m;
  ld.param.u64 %a, [out];
  ld.param.u64 %n, [n];
  mov.u64 %x, 0;
  mov.u64 %m, 6364136223846793005;
LOOP:
  setp.le.s64 %p, %n, 0;
  @%p bra DONE;
  mad.lo.u64 %x, %x, %m, 1;
  sub.s64 %n, %n, 1;
  bra LOOP;
DONE:
  st.global.u64 [%a], %x;
  ret;
}

.visible .entry forge_test_store(.param .u64 to) {
  WAIT
  .reg .b64 %a;
  ld.param.u64 %a, [to];
  st.global.u32 [%a], 7;
  ret;
}
)ptx";

std::string forge::test::ptxKernels(bool waiting) {
  std::string text = waiting ? ".version 7.8\n.target sm_90\n" : ".version 7.0\n.target sm_75\n";
  std::string_view rest = kKernels, mark = "WAIT\n";
  for (size_t at; (at = rest.find(mark)) != rest.npos; rest.remove_prefix(at + mark.size())) {
    text += rest.substr(0, at);
    text += waiting ? "griddepcontrol.launch_dependents;\n  griddepcontrol.wait;\n" : "\n";
  }
  return text.append(rest);
}
