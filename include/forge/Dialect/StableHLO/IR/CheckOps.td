// The check dialect: a test's expectations, inside the module under test.
#ifndef FORGE_DIALECT_STABLEHLO_CHECKOPS_TD
#define FORGE_DIALECT_STABLEHLO_CHECKOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::forge::check";
  let summary = "expectations inside a module";
  let description = [{
    Ops that make a run fail when a value is not what was expected, as the public StableHLO test
    data writes them. Frameworks print the same as `stablehlo.custom_call @check.expect_eq(...)`.
    Absent: `expect_serialized_eq`, which reads files of a probe.
  }];
}

class Check_Op<string mnemonic, list<Trait> traits = []> 
    : Op<Check_Dialect, mnemonic, [StableHLO_SupportedTypes] # traits>;

def Check_ExpectEqOp : Check_Op<"expect_eq", [SameTypeOperands]> {
  let summary = "two tensors are equal";
  let description = [{
    Fails unless `lhs` and `rhs` are equal element by element; floats by value (0 is -0), and any NaN
    equals any NaN. `lhs`, `rhs`: one type.

    ```mlir
    check.expect_eq %a, %b : tensor<2xi32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}

def Check_ExpectEqConstOp : Check_Op<"expect_eq_const", [AllTypesMatch<["lhs", "value"]>]> {
  let summary = "a tensor equals a constant";
  let description = [{
    `check.expect_eq` against a constant. `lhs`: the type of `value`.

    ```mlir
    check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$lhs, ElementsAttr:$value);
  let assemblyFormat = "$lhs `,` $value attr-dict";
}

def Check_ExpectAlmostEqOp : Check_Op<"expect_almost_eq", [SameTypeOperands]> {
  let summary = "two float tensors differ little";
  let description = [{
    Fails unless elements differ by at most `tolerance` (absolutely), or are the same infinity, or
    both NaN. `lhs`, `rhs`: one float type.

    ```mlir
    check.expect_almost_eq %a, %b, tolerance = 0.001 : tensor<2xf32>
    ```
  }];
  let arguments = (ins StableHLO_FloatTensor:$lhs, StableHLO_FloatTensor:$rhs,
    DefaultValuedOptionalAttr<F64Attr, "1e-4">:$tolerance);
  let assemblyFormat =
    "$lhs `,` $rhs (`,` `tolerance` `=` $tolerance^)? attr-dict `:` type($lhs)";
}

def Check_ExpectAlmostEqConstOp
    : Check_Op<"expect_almost_eq_const", [AllTypesMatch<["lhs", "value"]>]> {
  let summary = "a float tensor differs little from a constant";
  let description = [{
    `check.expect_almost_eq` against a constant. `lhs`: the type of `value`.

    ```mlir
    check.expect_almost_eq_const %a, dense<[0.5, 2.0]> : tensor<2xf32>
    ```
  }];
  let arguments = (ins StableHLO_FloatTensor:$lhs, ElementsAttr:$value,
    DefaultValuedOptionalAttr<F64Attr, "1e-4">:$tolerance);
  let assemblyFormat = "$lhs `,` $value (`,` `tolerance` `=` $tolerance^)? attr-dict";
}

def Check_ExpectCloseOp : Check_Op<"expect_close", [AllTypesMatch<["actual", "expected"]>]> {
  let summary = "two float tensors are a few representable numbers apart";
  let description = [{
    Fails unless between `min_ulp_difference` and `max_ulp_difference` steps from one representable
    number to the next lead from each element of `expected` to that of `actual`. An infinity is
    close only to itself, NaN only to NaN. `actual`, `expected`: one float type.

    ```mlir
    check.expect_close %a, %b, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
    ```
  }];
  let arguments = (ins StableHLO_FloatTensor:$actual, StableHLO_FloatTensor:$expected,
    DefaultValuedAttr<UI64Attr, "1">:$max_ulp_difference,
    DefaultValuedOptionalAttr<UI64Attr, "0">:$min_ulp_difference);
  let assemblyFormat = [{
    $actual `,` $expected `,` `max_ulp_difference` `=` $max_ulp_difference
    (`,` `min_ulp_difference` `=` $min_ulp_difference^)?
    `:` attr-dict type($actual) `,` type($expected)
  }];
}

#endif // FORGE_DIALECT_STABLEHLO_CHECKOPS_TD
