# What the checks of the transformer dialect's operations share: their documentation, and the report at the end.
# Needs SOURCE_DIR, TBLGEN and INCLUDES.

# plain(OUT TEXT): without what CMake would take for a list.
function(plain out text)
  string(REPLACE "[" "{" text "${text}")
  string(REPLACE "]" "}" text "${text}")
  string(REPLACE ";" " " text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

string(REPLACE ":" ";" include_flags "${INCLUDES}")
list(TRANSFORM include_flags PREPEND -I)
execute_process(COMMAND ${TBLGEN} -gen-dialect-doc -dialect=transformer ${include_flags}
    ${SOURCE_DIR}/include/forge/Dialect/Transformer/IR/TransformerOps.td
  OUTPUT_VARIABLE documentation RESULT_VARIABLE status ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${errors}")
endif()
plain(documentation "${documentation}")

# report(COUNT WHAT MISSING HELD): fails with what is missing of COUNT things, or if there were none.
function(report count what missing held)
  if(count EQUAL 0)
    message(FATAL_ERROR "no ${what} found")
  endif()
  if(missing)
    message(FATAL_ERROR "of ${count} ${what}:${missing}")
  endif()
  message(STATUS "${count} ${what}, ${held}")
endfunction()
