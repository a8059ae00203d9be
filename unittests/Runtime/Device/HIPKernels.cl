/* The conformance kernels for the hip driver, for clang without any library. OpenCL's work-group
   is a block; the local memory without a size is the dynamic shared memory. */
#define GROUP(d) ((uint)__builtin_amdgcn_workgroup_id_##d())
#define ITEM(d) ((uint)__builtin_amdgcn_workitem_id_##d())
#define SIZE(d) ((uint)__builtin_amdgcn_workgroup_size_##d())
/* Blocks along a dimension: the grid in items is in the dispatch packet, at byte 12 and on. */
#define GRID_ITEMS(i) (((constant uint *)__builtin_amdgcn_dispatch_ptr())[3 + (i)])
#define GLOBAL_X ((long)GROUP(x) * SIZE(x) + ITEM(x))

kernel void forge_test_iota(global int *out, int n) {
  if (GLOBAL_X < n)
    out[GLOBAL_X] = (int)GLOBAL_X;
}

kernel void forge_test_axpy(global float *y, global float *x, float a, long n) {
  if (GLOBAL_X < n)
    y[GLOBAL_X] += a * x[GLOBAL_X];
}

kernel void forge_test_arguments(global long *out, char a, short b, int c, long d, float e,
                                 double f) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
  out[4] = __builtin_astype((double)e, long);
  out[5] = __builtin_astype(f, long);
}

kernel void forge_test_grid(global int *out) {
  uint gridX = GRID_ITEMS(0) / SIZE(x), gridY = GRID_ITEMS(1) / SIZE(y);
  uint block = (GROUP(z) * gridY + GROUP(y)) * gridX + GROUP(x);
  uint thread = (ITEM(z) * SIZE(y) + ITEM(y)) * SIZE(x) + ITEM(x);
  out[block * SIZE(x) * SIZE(y) * SIZE(z) + thread] =
      (int)(GROUP(x) | GROUP(y) << 4 | GROUP(z) << 8 | ITEM(x) << 12 | ITEM(y) << 16 |
            ITEM(z) << 20);
}

kernel void forge_test_spin(global ulong *out, long n) {
  ulong x = 0;
  for (; n > 0; --n)
    x = x * 6364136223846793005ul + 1;
  *out = x;
}

kernel void forge_test_store(global int *to) { *to = 7; }
