// Schedules.
#ifndef FORGE_DIALECT_FORGE_ATTRIBUTES_TD
#define FORGE_DIALECT_FORGE_ATTRIBUTES_TD

include "forge/Dialect/Forge/IR/ForgeDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Forge_ScheduleAttr : AttrDef<Forge_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "how an operation or a kernel is computed";
  let description = [{
    Named fields, each at most once, in any order:

    ```mlir
    forge.schedule = #forge.schedule<strategy = wgmma, n = 256, stages = 4>
    ```

    `strategy` names the way of computing; the other fields are its own, and one that it does not know is an error, as is
    an unknown name, a value of another kind, or one out of range. What is left out is chosen, the strategy too; a pass
    that has chosen writes all fields.

    Values are integers (`n = 256`), words (`library = never`), truth values (`swap = true`) and lists of integers
    (`tile = [8, 0]`).
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$fields);
  let extraClassDeclaration = [{
    /// One without fields: everything is chosen.
    static ScheduleAttr empty(::mlir::MLIRContext *context);

    bool has(::llvm::StringRef field) const { return bool(getFields().get(field)); }
    /// Values of fields, of the kind that they have; nothing where the field is left out.
    std::optional<int64_t> findSize(::llvm::StringRef field) const;
    ::llvm::StringRef findWord(::llvm::StringRef field) const;
    std::optional<bool> findFlag(::llvm::StringRef field) const;
    std::optional<::llvm::ArrayRef<int64_t>> findSizes(::llvm::StringRef field) const;
    /// The value of a field that is there.
    int64_t size(::llvm::StringRef field) const { return *findSize(field); }
    /// Empty if it is left out.
    ::llvm::StringRef strategy() const;

    /// With a field that was left out; one that is there stays as it is.
    ScheduleAttr orSize(::llvm::StringRef field, int64_t value) const;
    ScheduleAttr orWord(::llvm::StringRef field, ::llvm::StringRef value) const;
    ScheduleAttr orFlag(::llvm::StringRef field, bool value) const;
    ScheduleAttr orSizes(::llvm::StringRef field, ::llvm::ArrayRef<int64_t> value) const;

    /// "wgmma; m 128, n 256, k 64, stages 4": for launches and statistics.
    std::string describe() const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // FORGE_DIALECT_FORGE_ATTRIBUTES_TD
