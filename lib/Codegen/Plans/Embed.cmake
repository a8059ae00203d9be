# Writes plans as string literals, one for each file: OUTPUT from FILES.
set(text "static constexpr ShippedText shippedTexts[] = {\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} content)
  string(APPEND text "    {\"${name}\", R\"forge_plan(${content})forge_plan\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${text}    {\"\", \"\"}};\n")
