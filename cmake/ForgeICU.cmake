# FORGE_ICU: what a library links that uses ICU. A program that runs on another Linux takes the archives,
# as it does MLIR's.
find_package(ICU REQUIRED COMPONENTS uc i18n)
set(FORGE_ICU -l:libicui18n.a -l:libicuuc.a -l:libicudata.a)
if(NOT FORGE_STATIC)
  set(portable "$<BOOL:$<TARGET_PROPERTY:FORGE_PORTABLE>>")
  set(FORGE_ICU "$<${portable}:${FORGE_ICU}>" "$<$<NOT:${portable}>:ICU::i18n;ICU::uc>")
endif()
