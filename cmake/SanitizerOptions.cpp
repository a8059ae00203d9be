// What every program of a sanitizer build asks of the sanitizers; ASAN_OPTIONS and UBSAN_OPTIONS
// may say otherwise.

extern "C" const char *__asan_default_options() {
  // detect_container_overflow: vectors that Debian's libMLIR and libLLVM fill, which are built
  //   without, say nothing of where they end.
  // allow_user_poisoning: llvm::BumpPtrAllocator, inlined here, marks what it has not yet handed
  //   out, and the same allocator in libMLIR hands it out without a word.
  // allocator_may_return_null: running out of memory is tested, and is an error message.
  // detect_leaks: what a parser of MLIR's held when it crashed is lost, and loadModule goes on.
  return "detect_container_overflow=0:allow_user_poisoning=0:allocator_may_return_null=1:"
         "detect_leaks=0";
}

extern "C" const char *__ubsan_default_options() { return "halt_on_error=1:print_stacktrace=1"; }
