# Reference pages: the target forge-docs-update writes them, the test `docs` fails where they are stale. The test
# `constraints` fails where a numbered constraint has no verifier line or no test, the test `operations` where an
# operation is not whole: its documentation, its example as a test, its row in the matrix, its gradient.
list(JOIN MLIR_INCLUDE_DIRS ":" FORGE_TABLEGEN_INCLUDES)
set(FORGE_TABLEGEN_COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${CMAKE_SOURCE_DIR} -DTBLGEN=$<TARGET_FILE:mlir-tblgen>
  -DINCLUDES=${FORGE_TABLEGEN_INCLUDES}:${CMAKE_SOURCE_DIR}/include)
set(FORGE_DOCS_COMMAND ${FORGE_TABLEGEN_COMMAND} -DWORK_DIR=${CMAKE_BINARY_DIR}/docs)
set(FORGE_DOCS_SCRIPT -P ${CMAKE_SOURCE_DIR}/cmake/ReferencePages.cmake)

add_custom_target(forge-docs-update COMMAND ${FORGE_DOCS_COMMAND} -DMODE=update ${FORGE_DOCS_SCRIPT}
  COMMENT "Writing docs/reference" VERBATIM)
if(FORGE_TESTS)
  add_test(NAME constraints COMMAND ${FORGE_TABLEGEN_COMMAND}
    -P ${CMAKE_SOURCE_DIR}/cmake/CheckConstraints.cmake)
  add_test(NAME operations COMMAND ${FORGE_TABLEGEN_COMMAND}
    -P ${CMAKE_SOURCE_DIR}/cmake/CheckOperations.cmake)
  add_test(NAME docs COMMAND ${FORGE_DOCS_COMMAND} -DMODE=check ${FORGE_DOCS_SCRIPT})
endif()

# All that checks an operation of the transformer dialect, built and run: FORGE_OP=rms_norm runs the rows of one
# operation in the matrix.
if(FORGE_TESTS)
  add_custom_target(check-operations
    COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${CMAKE_BINARY_DIR} -R "^(constraints|operations|docs)$" --output-on-failure
    COMMAND ${FORGE_LIT} -q ${CMAKE_BINARY_DIR}/test/Dialect/Transformer ${CMAKE_BINARY_DIR}/test/Conversion/TransformerToLinalg
      ${CMAKE_BINARY_DIR}/test/Execution/Transformer
    COMMAND $<TARGET_FILE:ReferenceTest> --gtest_brief=1
    COMMAND sh -c "$<TARGET_FILE:VerifyTest> --gtest_brief=1 --gtest_filter=\"*TransformerMatrix*$FORGE_OP*\""
    DEPENDS forge forge-opt forge-interpret ReferenceTest VerifyTest
    USES_TERMINAL VERBATIM COMMENT "Checking the operations of the transformer dialect")
endif()
