// The conversions between float formats that the code generator calls where the processor has no
// instruction. Each is correctly rounded. Weak: the compiler's own library wins where it has them.
// No MLIR.
#ifndef FORGE_RUNTIME_FLOATCALLS_H
#define FORGE_RUNTIME_FLOATCALLS_H

extern "C" {
__attribute__((weak)) _Float16 __truncdfhf2(double value);
__attribute__((weak)) _Float16 __truncsfhf2(float value);
__attribute__((weak)) float __extendhfsf2(_Float16 value);
__attribute__((weak)) __bf16 __truncdfbf2(double value);
__attribute__((weak)) __bf16 __truncsfbf2(float value);
}

#endif // FORGE_RUNTIME_FLOATCALLS_H
