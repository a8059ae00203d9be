// Operations that a library computes.
#ifndef FORGE_DIALECT_FORGE_OPS_TD
#define FORGE_DIALECT_FORGE_OPS_TD

include "forge/Dialect/Forge/IR/ForgeAttributes.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Forge_FftKind : I32EnumAttr<"FftKind", "what a Fourier transform takes and gives", [
    I32EnumAttrCase<"fft", 0>, I32EnumAttrCase<"ifft", 1>, I32EnumAttrCase<"rfft", 2>,
    I32EnumAttrCase<"irfft", 3>]> {
  let cppNamespace = "::forge";
}

def Forge_FloatsInMemory : AnyTypeOf<[RankedTensorOf<[F32, F64]>, StridedMemRefOf<[F32, F64]>]>;

def Forge_FftOp : Op<Forge_Dialect, "fft", [
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues", "bufferize"]>]> {
  let summary = "a Fourier transform by the library on the host";
  let description = [{
    Of the last `dims` dimensions, on tensors or memrefs: forward (`fft`), backward with the factor 1 / product of the
    lengths (`ifft`), forward of real numbers (`rfft`, whose result has the first half of the last dimension) and
    backward to real numbers (`irfft`). Complex numbers are a last dimension of 2, real and imaginary part. The runtime
    computes it with FFTW (`forge_rt_fft_f32`).

    - `input`: numbers of f32 or f64
    - `output`: where the result is written
    - `result`: of tensors, the transform

    Example:
    ```mlir
    %r = forge.fft rfft 1 ins(%x : tensor<4x16xf32>) outs(%y : tensor<4x9x2xf32>) -> tensor<4x9x2xf32>
    ```
  }];
  let arguments = (ins Forge_FftKind:$kind, I64Attr:$dims,
                       Forge_FloatsInMemory:$input, Forge_FloatsInMemory:$output);
  let results = (outs Optional<RankedTensorOf<[F32, F64]>>:$result);
  let assemblyFormat = [{
    $kind $dims `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)`
    attr-dict (`->` type($result)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
  }];
}

def Forge_FftLinesOp : Op<Forge_Dialect, "fft_lines", [Pure]> {
  let summary = "Fourier transforms along one dimension, which blocks of a GPU compute in their memory";
  let description = [{
    Of every line along dimension `dim`, X[k] = scale * sum over j of x[j] e^(s 2 pi i j k / length), with s = 1 if
    `backward`, else -1. Real and imaginary parts are tensors of their own. Without the second operand x is real; with one
    result only the real parts of X are wanted.

    A line of the operands may be shorter than `length`: zeros are behind it. With `hermitian` it has the first
    length / 2 + 1 numbers, and the others are their conjugates. Of X the first numbers are kept, as many as the
    results have. The prime factors of `length` are at most 13.

    - `parts`: the real parts, and the imaginary ones
    - `results`: likewise

    Example:
    ```mlir
    %re, %im = forge.fft_lines %x {dim = 1 : i64, length = 16 : i64} : (tensor<4x16xf32>) -> (tensor<4x9xf32>, tensor<4x9xf32>)
    ```
  }];
  let arguments = (ins Variadic<RankedTensorOf<[F32, F64]>>:$parts, I64Attr:$dim, I64Attr:$length,
                       UnitAttr:$backward, UnitAttr:$hermitian,
                       DefaultValuedAttr<F64Attr, "1.0">:$scale);
  let results = (outs Variadic<RankedTensorOf<[F32, F64]>>:$transformed);
  let assemblyFormat = "$parts attr-dict `:` functional-type($parts, $transformed)";
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_FORGE_OPS_TD
