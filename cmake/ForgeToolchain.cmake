# Compiler flags, and the optional accelerators of a build: ccache and lld are used when present.

find_program(FORGE_CCACHE ccache)
if(FORGE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # pch_defines,time_macros: what ccache asks for before it caches units that use a precompiled header. The others: paths below
  # the checkout are relative and the header is known by its sum (cmake/compile-pch), so that all checkouts share objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_ABSSTDERR=1 CCACHE_PCH_EXTSUM=1 ${FORGE_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

find_program(FORGE_LLD NAMES ld.lld-22 ld.lld PATHS /usr/lib/llvm-22/bin)
if(FORGE_LLD AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_link_options(--ld-path=${FORGE_LLD})
endif()

# -O1 for code that only builds and walks IR: a third of the compile time of -O2, and the time of a
# compilation is spent inside libMLIR and libLLVM. Runtime and Reference ask for -O2 themselves.
set(CMAKE_CXX_FLAGS_RELEASE "-O1")
# -fPIC for all, executables too: units that share a precompiled header must agree on it.
add_compile_options(-fPIC -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare -fno-semantic-interposition)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-nullability-completeness>)
endif()

if(FORGE_SANITIZE)
  # function reads what is before a function that is called: before one that was compiled a moment ago stands
  # nothing.
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize=vptr,function -g1)
  # Relative, so that ccache finds units of other checkouts.
  file(RELATIVE_PATH ignored ${CMAKE_BINARY_DIR} ${CMAKE_CURRENT_LIST_DIR}/sanitizer-ignore.txt)
  add_compile_options(-fsanitize-ignorelist=${ignored})
  add_link_options(-fsanitize=address,undefined)
endif()
if(FORGE_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
