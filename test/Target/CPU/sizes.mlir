// RUN: forge-opt %s --split-input-file --forge-convert-to-llvm --verify-diagnostics
// RUN: forge-opt %s --split-input-file --forge-convert-host-to-llvm --verify-diagnostics

// The product of the sizes is 2^64, which wraps around to no memory at all.
func.func @square() -> memref<4294967296x4294967296xf32> {
  // expected-error @below {{unsupported size: 'memref<4294967296x4294967296xf32>' does not fit in 63 bits}}
  %0 = memref.alloc() : memref<4294967296x4294967296xf32>
  return %0 : memref<4294967296x4294967296xf32>
}

// -----

func.func @dynamic(%n: index) -> memref<?x4294967296x4294967296xf32> {
  // expected-error @below {{unsupported size: 'memref<?x4294967296x4294967296xf32>' does not fit in 63 bits}}
  %0 = memref.alloc(%n) : memref<?x4294967296x4294967296xf32>
  return %0 : memref<?x4294967296x4294967296xf32>
}
