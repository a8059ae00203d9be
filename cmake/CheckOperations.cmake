# Every operation of the transformer dialect is whole: it has a summary, a formula, its accumulation, a sentence for every
# operand, attribute and result, no memory effects, reified shapes, an example that is a test, a test of its reified
# shapes, a row of the matrix that compares it with the reference, and a gradient or a reason why there is none.
# Run as a script: cmake -DSOURCE_DIR=... -DTBLGEN=... -DINCLUDES=... -P CheckOperations.cmake
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/OperationChecks.cmake)
set(tests_dir ${SOURCE_DIR}/test/Dialect/Transformer)

# words(OUT TEXT): as plain, with single spaces.
function(words out text)
  plain(text "${text}")
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# 1. The tests: files that print operations in both forms and send them through bytecode; those of reified shapes.
set(round_trips "")
file(GLOB files ${tests_dir}/*.mlir)
foreach(file IN LISTS files)
  file(READ ${file} text)
  if(text MATCHES "RUN: forge-opt --mlir-print-op-generic %s . forge-opt" AND text MATCHES "RUN: forge-opt --emit-bytecode %s . forge-opt")
    string(REGEX REPLACE "\n *//[^\n]*" "" text "${text}")
    words(text "${text}")
    string(APPEND round_trips "${text}")
  endif()
endforeach()
set(shapes "")
file(GLOB files ${tests_dir}/*shapes.mlir)
foreach(file IN LISTS files)
  file(READ ${file} text)
  string(APPEND shapes "${text}")
endforeach()
file(READ ${SOURCE_DIR}/unittests/Verify/TransformerRows.h rows)
file(READ ${SOURCE_DIR}/docs/gradients.md gradients)

# 2. The documentation, one operation at a time.
string(REGEX REPLACE "\n## [^O].*" "" documentation "${documentation}")
string(REPLACE "\n### `transformer." ";" documentation "${documentation}")
list(POP_FRONT documentation)

set(missing "")
set(count 0)

# expect(TEXT REGEX WHAT): notes that the operation WHAT, unless TEXT matches.
function(expect text regex what)
  if(NOT text MATCHES "${regex}")
    set(missing "${missing}\n  ${op} ${what}" PARENT_SCOPE)
  endif()
endfunction()

foreach(section IN LISTS documentation)
  string(REGEX MATCH "^[a-z_0-9]+" op "${section}")
  math(EXPR count "${count} + 1")
  string(REGEX REPLACE "Traits: .*" "" description "${section}")

  expect("${section}" "\n_[^\n]+_\n" "has no summary")
  # An equation, a table, or what an element of the result is, in words; not the example or the syntax.
  string(REGEX REPLACE "\nExample:.*|operation ::= [^\n]+" "" prose "${description}")
  if(NOT op STREQUAL "yield" AND NOT prose MATCHES "= |[|] formula [|]|}` is the ")
    string(APPEND missing "\n  ${op} has no formula")
  endif()
  expect("${description}" "Accumulation: |Bit-exact" "does not say what it accumulates in")

  # Operands and results: "| `name` | a sentence, [a shape]: a type |"; attributes: "<td>a sentence: a type</td>".
  string(REGEX MATCH "\n#### (Operands|Results):.*" tables "${section}")
  string(REGEX MATCHALL "\n[|] `[a-z_0-9]+` [|] [^\n]+" values "${tables}")
  foreach(value IN LISTS values)
    if(value MATCHES "` [|] (variadic of )?tensor of" OR NOT value MATCHES ": [^:]+ [|]$")
      string(APPEND missing "\n  ${op} has no sentence for${value}")
    elseif(value MATCHES ": tensor of" AND NOT value MATCHES "shape|rank|{[^}]*}|number")
      string(APPEND missing "\n  ${op} does not say the shape of${value}")
    endif()
  endforeach()
  string(REGEX MATCHALL "<tr><td><code>[^\n]+" attributes "${section}")
  foreach(attribute IN LISTS attributes)
    if(NOT attribute MATCHES "<td>[^<]+: [^<]+</td></tr>")
      string(APPEND missing "\n  ${op} has no sentence for: ${attribute}")
    endif()
  endforeach()

  # The example: every statement of it is in a test, word by word.
  string(REGEX MATCH "```mlir\n(.*)\n```" example "${description}")
  set(example "${CMAKE_MATCH_1}")
  expect("${example}" "transformer\\.${op} " "has no example")
  string(REGEX REPLACE "\n(%[a-z0-9_]+[, %a-z0-9_]* = )" ";\\1" statements "${example}")
  foreach(statement IN LISTS statements)
    words(statement "${statement}")
    string(FIND "${round_trips}" "${statement}" place)
    if(place EQUAL -1)
      string(APPEND missing "\n  ${op} has an example that is no test: ${statement}")
    endif()
  endforeach()

  expect("${section}" "NoMemoryEffect" "does not say what its memory effects are")
  # A terminator has no result, computes nothing, and has no gradient.
  if(op STREQUAL "yield")
    continue()
  endif()
  expect("${section}" "Transformer_ReifyShapes|ReifyRankedShapedTypeOpInterface" "does not reify its results' shapes")
  expect("${shapes}" "transformer\\.${op} " "has no test of its reified shapes in test/Dialect/Transformer/*shapes.mlir")
  expect("${rows}" "{\"${op}\", " "has no row in unittests/Verify/TransformerRows.h")
  expect("${gradients}" "`${op}`" "has neither a gradient in docs/gradients.md nor a reason why not")
endforeach()

report(${count} operations "${missing}" "each whole")
