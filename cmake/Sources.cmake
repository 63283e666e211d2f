# The sources in the folders FOLDERS and below, but for those that a regular expression of
# EXCEPT matches.  A new file needs no list.
function(oa_sources variable)
  cmake_parse_arguments(arg "" "" "FOLDERS;EXCEPT" ${ARGN})
  list(TRANSFORM arg_FOLDERS APPEND "/*.cc")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
    ${arg_FOLDERS})
  foreach(pattern IN LISTS arg_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()
