// RUN: forge-opt %s -split-input-file -verify-diagnostics --forge-drop-references

// expected-error @below {{expected the name of a function for forge.reference, but got "linalg"}}
func.func private @a(%x: memref<8xf32>) attributes {forge.kernel, forge.reference = "linalg"} {
  return
}

// -----
// expected-error @below {{expected a function with a body for forge.reference, but got @nothing}}
func.func private @a(%x: memref<8xf32>) attributes {forge.kernel, forge.reference = @nothing} {
  return
}

// -----
// expected-error @below {{expected a function with a body for forge.reference, but got @outside}}
func.func private @a(%x: memref<8xf32>) attributes {forge.kernel, forge.reference = @outside} {
  return
}
func.func private @outside(%x: memref<8xf32>)

// -----
// expected-error @below {{expected a reference of type '(memref<8xf32>) -> ()', but got '(memref<9xf32>) -> ()'}}
func.func private @a(%x: memref<8xf32>) attributes {forge.kernel, forge.reference = @other} {
  return
}
func.func private @other(%x: memref<9xf32>) {
  return
}
