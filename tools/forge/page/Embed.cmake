# Writes the page's files as string literals: OUTPUT from those in FOLDER.
set(text "")
foreach(name html css js)
  file(READ ${FOLDER}/page.${name} content)
  string(APPEND text "static constexpr char page_${name}[] = R\"forge_page(${content})forge_page\";\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
