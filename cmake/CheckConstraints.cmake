# Every numbered constraint of a transformer operation has a verifier line and a test: for (C3) of `matmul` a comment
# with matmul_c3 in lib/Dialect/Transformer/IR, or with the trait that checks it next to the definition, and a function
# @matmul_c3... in test/Dialect/Transformer.
# Run as a script: cmake -DSOURCE_DIR=... -DTBLGEN=... -DINCLUDES=... -P CheckConstraints.cmake
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/OperationChecks.cmake)

# concatenated(OUT PATTERN): the text of all files that match, without what CMake would take for a list.
function(concatenated out pattern)
  file(GLOB files ${SOURCE_DIR}/${pattern})
  set(all "")
  foreach(file IN LISTS files)
    file(READ ${file} text)
    plain(text "${text}")
    string(APPEND all "${text}")
  endforeach()
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

concatenated(definitions include/forge/Dialect/Transformer/IR/*.td)
concatenated(verifiers lib/Dialect/Transformer/IR/*.cpp)
concatenated(shared_verifiers lib/Dialect/Transformer/IR/*.h)
string(APPEND verifiers "${shared_verifiers}")
concatenated(tests test/Dialect/Transformer/*.mlir)

# The operations and their constraint numbers, in order: a number belongs to the operation before it.
string(REGEX MATCHALL "\n### `transformer\\.[a-z_0-9]+`|\n *- .C[0-9]+. " found "${documentation}")
set(missing "")
set(count 0)
foreach(item IN LISTS found)
  if(item MATCHES "`transformer\\.([a-z_0-9]+)`")
    set(op ${CMAKE_MATCH_1})
    continue()
  endif()
  string(REGEX MATCH "[0-9]+" number "${item}")
  set(name ${op}_c${number})
  # What a trait of the definition checks has its line there.
  if(NOT verifiers MATCHES "${name}[^0-9]" AND NOT definitions MATCHES "// ${name}[^0-9]")
    string(APPEND missing "\n  ${name} has no verifier line")
  endif()
  math(EXPR count "${count} + 1")
  if(NOT tests MATCHES "@${name}[^0-9]")
    string(APPEND missing "\n  ${name} has no test")
  endif()
endforeach()
report(${count} constraints "${missing}" "each with a verifier line and a test")
