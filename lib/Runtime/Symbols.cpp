#include "forge/Runtime/Symbols.h"

#include "forge/Runtime/CABI.h"
#include "forge/Runtime/DeviceABI.h"
#include "forge/Runtime/FloatCalls.h"

using SymbolTable = std::vector<std::pair<std::string, void *>>;

template <typename Function>
static void add(SymbolTable &table, const char *name, Function *function) {
  table.emplace_back(name, reinterpret_cast<void *>(function));
}
#define FORGE_ADD(name) add(table, #name, name)

static void addChecks(SymbolTable &table) {
#define FORGE_ADD_CHECKS(suffix, type)                                                             \
  FORGE_ADD(forge_rt_expect_eq_##suffix);                                                          \
  FORGE_ADD(forge_rt_expect_almost_eq_##suffix);                                                   \
  FORGE_ADD(forge_rt_expect_close_##suffix);
  FORGE_RT_ELEMENT_TYPES(FORGE_ADD_CHECKS)
#undef FORGE_ADD_CHECKS
}

static void addMath(SymbolTable &table) {
#define FORGE_ADD_BOTH(name)                                                                       \
  FORGE_ADD(forge_rt_##name##_f32);                                                                \
  FORGE_ADD(forge_rt_##name##_f64);
  FORGE_ADD_BOTH(erf_inv)
  FORGE_ADD_BOTH(lgamma)
  FORGE_ADD_BOTH(digamma)
  FORGE_ADD_BOTH(polygamma)
  FORGE_ADD_BOTH(zeta)
  FORGE_ADD_BOTH(bessel_i1e)
#undef FORGE_ADD_BOTH
  FORGE_ADD(__truncdfhf2);
  FORGE_ADD(__truncsfhf2);
  FORGE_ADD(__extendhfsf2);
  FORGE_ADD(__truncdfbf2);
  FORGE_ADD(__truncsfbf2);
}

static void addDevice(SymbolTable &table) {
  FORGE_ADD(forge_rt_device_alloc);
  FORGE_ADD(forge_rt_device_free);
  FORGE_ADD(forge_rt_device_copy);
  FORGE_ADD(forge_rt_device_copy_strided);
  FORGE_ADD(forge_rt_device_fill);
  FORGE_ADD(forge_rt_device_read);
  FORGE_ADD(forge_rt_device_write);
  FORGE_ADD(forge_rt_device_synchronize);
  FORGE_ADD(forge_rt_device_module);
  FORGE_ADD(forge_rt_device_kernel);
  FORGE_ADD(forge_rt_device_constant);
  FORGE_ADD(forge_rt_launch);
  FORGE_ADD(forge_rt_launch_dependent);
  FORGE_ADD(forge_rt_graph_begin);
  FORGE_ADD(forge_rt_graph_end);
  FORGE_ADD(forge_rt_tensor_map);
  FORGE_ADD(forge_rt_device_tensor_map_f16);
  FORGE_ADD(forge_rt_device_tensor_map_bf16);
  FORGE_ADD(forge_rt_device_tensor_map_f32);
  FORGE_ADD(forge_rt_device_tensor_map_f8E4M3FN);
  FORGE_ADD(forge_rt_device_tensor_map_f8E5M2);
  FORGE_ADD(forge_rt_device_tensor_map_i8);
  FORGE_ADD(forge_rt_device_begin_stamps);
  FORGE_ADD(forge_rt_device_end_stamps);
  FORGE_ADD(forge_rt_device_matmul);
  FORGE_ADD(forge_rt_device_product_f32_f32);
  FORGE_ADD(forge_rt_device_product_f64_f64);
  FORGE_ADD(forge_rt_device_product_f16_f32);
  FORGE_ADD(forge_rt_device_product_f16_f16);
  FORGE_ADD(forge_rt_device_product_bf16_f32);
  FORGE_ADD(forge_rt_device_product_bf16_bf16);
}

SymbolTable forge::rt::runtimeSymbols() {
  SymbolTable table;
  FORGE_ADD(forge_rt_alloc);
  FORGE_ADD(forge_rt_free);
  FORGE_ADD(forge_rt_size_mul);
  FORGE_ADD(forge_rt_parallel_for);
  FORGE_ADD(forge_rt_fail);
  FORGE_ADD(forge_rt_assert);
  FORGE_ADD(forge_rt_shape_mismatch);
  FORGE_ADD(forge_rt_copy);
  FORGE_ADD(forge_rt_fft_f32);
  FORGE_ADD(forge_rt_fft_f64);
  addDevice(table);
  addChecks(table);
  addMath(table);
  return table;
}
