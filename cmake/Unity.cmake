# Most of what it costs to compile a file is to read headers that its neighbours read, too.
# With OA_UNITY, which the release preset sets, the files of a folder are compiled as one.
# The other presets compile each file alone: a change rebuilds little, and an include that
# is missing shows.  EXCEPT names files that stay alone: most have a name in their anonymous
# namespace that a neighbour has, too.  Give it a better name, and take the file off the list.
# LIGHT names folders whose loops do not decide how long a tool takes: with -O1 they compile
# in two thirds of the time.
function(oa_unite_folders target)
  cmake_parse_arguments(arg "" "" "EXCEPT;LIGHT" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  list(REMOVE_ITEM sources ${arg_EXCEPT})
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    # Highway reads these once for each instruction set: they are united among themselves.
    file(STRINGS ${source} highway REGEX "^#include <hwy/foreach_target.h>")
    if(highway)
      string(APPEND folder "/highway")
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${folder}")
  endforeach()
  foreach(folder IN LISTS arg_LIGHT)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    set_source_files_properties(
      ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${folder}_cxx.cxx
      PROPERTIES COMPILE_OPTIONS $<$<CONFIG:RelWithDebInfo,Release>:-O1>)
  endforeach()
  # g++ takes a source that another includes for a header, whose anonymous types are suspect.
  target_compile_options(${target} PRIVATE
    $<$<AND:$<BOOL:${OA_UNITY}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${OA_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()
