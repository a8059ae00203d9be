// Passes of lib/Codegen/Math: math functions and small floats.
#ifndef FORGE_CODEGEN_MATHPASSES
#define FORGE_CODEGEN_MATHPASSES

include "mlir/Pass/PassBase.td"

def CallDeviceMathPass : Pass<"forge-call-device-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Calls lib/DeviceMath for math on f64, remainders and special functions";
  let description = [{
    What no processor has as an instruction and forge-expand-math does not expand: transcendental functions of f64,
    arith.remf, and calls of the runtime's special functions (`forge_rt_lgamma_f64`). They become calls of private
    functions `forge_math_NAME_f64`, which device code is linked with; no vendor's library is needed.

    ```mlir
    %0 = math.exp %x : f64
    // becomes
    %0 = func.call @forge_math_exp_f64(%x) : (f64) -> f64
    ```

    Numerics: greatest error found in units of the last place (unittests/DeviceMath): exp, exp2, log, log2, log10,
    log1p, sin, cos, atan, cbrt, pow, acos 1; expm1, tanh, sinh, cosh, asinh, acosh, atanh, tan, asin, atan2, erf 2.3;
    erfc 8, lgamma 7 of the result where it is above 1/2; remainders are exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def ExpandMathPass : Pass<"forge-expand-math"> {
  let summary = "Rewrites math functions on f32 into arithmetic without branches or calls";
  let description = [{
    Replaces the transcendental operations of the math dialect on f32 (scalars and vectors; f16 and bf16 through f32) by
    straight-line arith and math.fma operations, so that the loop around them becomes vector code. Results at 0, -0,
    infinities, NaN and denormals are those of IEEE 754. Square roots, rounding, signs and f64 stay.

    ```mlir
    %0 = math.exp %x : vector<8xf32>
    // becomes clamp, reduction by ln 2, a polynomial in math.fma, and a scale by exponent bits
    ```

    Numerics: greatest error in units of the last place, measured against the C library in double over every 257th f32
    and around all edges (unittests/Codegen/MathAccuracyTest): exp 0.85, exp2 0.81, expm1 1.43, tanh 1.34, erf 1.15, log
    0.82, log1p 1.41, rsqrt 1.49; acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, cos, cosh, erfc, log2, log10,
    powf, sin, sinh, tan 0.51. On f16 and bf16 one rounding of that. With hardware-exp2, exp, tanh and erfc whose result
    is only rounded to f16 or bf16, or that have fastmath<afn>, are within 2^-15 of the value; with forge.normal too,
    math.exp is within 2 + |x| units in the last place, and 0 for subnormal results.
  }];
  let options = [
    Option<"hardwareExp2", "hardware-exp2", "bool", "false",
           "exp by the processor's instruction for 2^x, left as math.exp2 fastmath<afn>">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def ExpandSmallFloatsPass : Pass<"forge-expand-small-floats"> {
  let summary = "Rewrites conversions from and to f8E4M3FN and f8E5M2 into integer operations";
  let description = [{
    Replaces arith.extf from, and arith.truncf to, the two 8-bit floating-point formats, and conversions between them
    and integers, on scalars and vectors, by operations on their bits. Rounding is to nearest, ties to even, and directly from the type of the operand. What is
    too large becomes infinity in f8E5M2 and NaN in f8E4M3FN, which has no infinity.

    Numerics: exact.
  }];
  let options = [
    Option<"instructions", "instructions", "bool", "false",
           "Use instructions that convert two numbers, of sm_89 and newer">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::vector::VectorDialect"];
}

#endif // FORGE_CODEGEN_MATHPASSES
