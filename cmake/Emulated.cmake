# OA_RUN_TOOLS, OA_RUN_TESTS: where scripts find the tools and the programs of the tests.
# CMake itself starts what is built for another processor in the emulator.  Scripts start
# programs by name, and the system may not know of the emulator; for them the folder "run"
# has a starter for each program.
if(CMAKE_CROSSCOMPILING_EMULATOR)
  set(OA_RUN_TOOLS ${PROJECT_BINARY_DIR}/run)
  set(OA_RUN_TESTS ${PROJECT_BINARY_DIR}/run)
else()
  set(OA_RUN_TOOLS ${PROJECT_BINARY_DIR}/tools)
  set(OA_RUN_TESTS ${PROJECT_BINARY_DIR}/tests)
endif()

# Writes the starters of all programs of the given folders, where an emulator is needed.
# OA_EMULATOR_OPTIONS are for runs by hand.
function(oa_write_starters)
  if(NOT CMAKE_CROSSCOMPILING_EMULATOR)
    return()
  endif()
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
  foreach(folder IN LISTS ARGN)
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      if(type STREQUAL "EXECUTABLE")
        file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/run/${target}
          CONTENT "#!/bin/sh\nexec ${emulator} $OA_EMULATOR_OPTIONS '$<TARGET_FILE:${target}>' \"$@\"\n"
          FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
            WORLD_READ WORLD_EXECUTE)
      endif()
    endforeach()
  endforeach()
endfunction()
