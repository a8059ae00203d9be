// The conversions between float formats that the code generator calls where the processor has no
// instruction. Each is correctly rounded. Their definitions are weak: the compiler's own library
// may have them too. The declarations are not, or no linker would look for them in an archive. No
// MLIR.
#ifndef FORGE_RUNTIME_FLOATCALLS_H
#define FORGE_RUNTIME_FLOATCALLS_H

extern "C" {
_Float16 __truncdfhf2(double value);
_Float16 __truncsfhf2(float value);
float __extendhfsf2(_Float16 value);
__bf16 __truncdfbf2(double value);
__bf16 __truncsfbf2(float value);
}

#endif // FORGE_RUNTIME_FLOATCALLS_H
