# Most of the time to compile a file goes to headers that its neighbours read, too.
# With OA_UNITY, which the release preset sets, the files of a folder are compiled as one, and
# the headers of the standard library that most of them read are read once for a target: on
# x86-64, as g++ 12 for ARM crashes where Highway includes arm_sve.h behind such headers.
# The other presets compile each file alone: a change rebuilds little, and an include that
# is missing shows.  EXCEPT names files that stay alone: most have a name in their anonymous
# namespace that a neighbour has, too.  Give it a better name, and take the file off the list.
# Folders of TEXT read and write text: with -O1 they are as fast within 5 %, and compile 1.5
# times faster.
set(OA_PRECOMPILE OFF)
if(OA_UNITY AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(OA_PRECOMPILE ON)
endif()

function(oa_unite_folders target)
  cmake_parse_arguments(arg "" "" "EXCEPT;TEXT" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  list(REMOVE_ITEM sources ${arg_EXCEPT})
  foreach(source IN LISTS sources)
    # Highway compiles these once for each instruction set; it can do so for one file only.
    file(STRINGS ${source} highway REGEX "^#include <hwy/foreach_target.h>")
    if(NOT highway)
      get_filename_component(folder ${source} DIRECTORY)
      string(MAKE_C_IDENTIFIER "${folder}" folder)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${folder}")
    endif()
  endforeach()
  foreach(folder IN LISTS arg_TEXT)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    set_source_files_properties(
      ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${folder}_cxx.cxx
      PROPERTIES COMPILE_OPTIONS $<$<CONFIG:RelWithDebInfo,Release>:-O1>)
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${OA_UNITY} UNITY_BUILD_MODE GROUP)
  if(OA_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cassert> <cmath> <cstddef>
      <cstdint> <cstdlib> <functional> <limits> <map> <memory> <numeric> <optional> <set> <span>
      <string> <string_view> <utility> <variant> <vector>)
    # g++ 12 no longer knows then that its own std::string is a header of the system, and
    # warns of impossible overlaps (its bug 105651).
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow -Wno-array-bounds>)
  endif()
endfunction()
