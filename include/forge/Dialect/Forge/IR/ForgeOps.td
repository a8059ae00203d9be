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

#endif // FORGE_DIALECT_FORGE_OPS_TD
