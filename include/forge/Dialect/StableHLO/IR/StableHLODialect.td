// The stablehlo dialect itself.
#ifndef FORGE_STABLEHLO_DIALECT_TD
#define FORGE_STABLEHLO_DIALECT_TD

include "mlir/IR/OpBase.td"

def StableHLO_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::forge::stablehlo";
  let summary = "The tensor programs that JAX, torch-xla and others hand to compilers";
  let description = [{
    Forge's own implementation of the public StableHLO operation set: the text format of
    the public dialect, with the ops, types and constraints that Forge compiles.

    Constraints carry the numbers of the public specification: `(C2)` in an op's
    documentation, `slice_c2` in its verifier and in the name of the test that breaks it.

    What is absent, and why:
    - quantized element types: no transformer program needs them; an op that uses one is
      refused with `unsupported stablehlo op ...`;
    - infeed, outfeed, and collectives of several devices: Forge compiles for one, and what
      a collective gives on that is its own value;
    - unranked tensors and bounded dynamic dimensions: a dimension is a number or `?`.

    Dynamic dimensions are compatible with every size when types are compared; sizes that
    only show at run time are checked at run time.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  // Ops of unknown name are let in by the parser and refused in our own words: see SupportedOps.cpp.
  let hasOperationInterfaceFallback = 1;
  let extraClassDeclaration = [{
    /// Parses an op of unknown name far enough to refuse it at its location.
    std::optional<ParseOpHook> getParseOperationHook(llvm::StringRef opName) const override;

  private:
    void registerElementwiseOps();
    void registerShapeOps();
    void registerDynamicOps();
    void registerControlFlowOps();
    void registerContractionOps();
    void registerIndexingOps();
    void registerLibraryOps();
    void registerReductionOps();
  public:
  }];
}

#endif
