#include "forge/Codegen/TargetInfo.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

#include <unistd.h>

using namespace forge;

/// What the C library knows about a cache, or `otherwise`.
static int64_t cacheBytes(int name, int64_t otherwise) {
  long bytes = sysconf(name);
  return bytes > 0 ? bytes : otherwise;
}

std::optional<TargetInfo> TargetInfo::byName(llvm::StringRef name) {
  if (name == "host")
    return host();
  if (name == "generic")
    return TargetInfo();
  TargetInfo info;
  info.l1Bytes = 48 << 10;
  info.l2Bytes = 1 << 20;
  info.l3Bytes = 32 << 20;
  info.vectorBits = 256;
  if (name == "avx2")
    return info;
  info.vectorBits = 512;
  info.vectorRegisters = 32;
  if (name == "avx512")
    return info;
  info.bf16Dot = true;
  if (name == "avx512-bf16")
    return info;
  return std::nullopt;
}

TargetInfo TargetInfo::host() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  TargetInfo info;
  if (features.lookup("avx512f") && features.lookup("avx512vl") && features.lookup("avx512bw")) {
    info.vectorBits = 512;
    info.vectorRegisters = 32;
    info.bf16Dot = features.lookup("avx512bf16");
  } else if (features.lookup("avx2") && features.lookup("fma")) {
    info.vectorBits = 256;
  }
#ifdef _SC_LEVEL1_DCACHE_SIZE
  info.l1Bytes = cacheBytes(_SC_LEVEL1_DCACHE_SIZE, info.l1Bytes);
  info.l2Bytes = cacheBytes(_SC_LEVEL2_CACHE_SIZE, info.l2Bytes);
  info.l3Bytes = cacheBytes(_SC_LEVEL3_CACHE_SIZE, info.l3Bytes);
#endif
  return info;
}
