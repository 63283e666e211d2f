# Installed components: "tools" for users, "mpi" for training on several machines, "dev"
# for programs that use the library.  The Debian packages are the same.
include(CMakePackageConfigHelpers)

# -- tools: the manual is in man/CMakeLists.txt
get_property(tools DIRECTORY tools PROPERTY BUILDSYSTEM_TARGETS)
list(REMOVE_ITEM tools completions)
install(TARGETS ${tools} COMPONENT tools)
install(TARGETS oa_tools oa_survey COMPONENT tools DESTINATION ${OA_MODULE_FOLDER})

# Debian's zsh keeps site-functions for the administrator.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version)
  set(zsh_folder vendor-completions)
else()
  set(zsh_folder site-functions)
endif()
foreach(tool IN LISTS tools)
  set(made ${PROJECT_BINARY_DIR}/tools/${tool})
  install(FILES ${made}.bash COMPONENT tools RENAME ${tool}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${made}.zsh COMPONENT tools RENAME _${tool}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh_folder})
  install(FILES ${made}.fish COMPONENT tools
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endforeach()
# Pages name some files that only the sources have: installed pages keep the name, not the link.
foreach(page IN ITEMS README.md README.zh.md CHANGES.md SECURITY.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  file(READ ${page} text)
  string(REGEX REPLACE "\\[([^]]*)\\]\\((CONTRIBUTING|HACKING|STYLE|LICENSE|tests/|packaging/)[^)]*\\)" "\\1"
    text "${text}")
  file(WRITE ${PROJECT_BINARY_DIR}/pages/${page} "${text}")
  install(FILES ${PROJECT_BINARY_DIR}/pages/${page} COMPONENT tools
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/oa-tools)
endforeach()
# The files of the examples, without the output of their runs.
file(GLOB examples CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} examples/*.sh
  examples/*/Makefile examples/*/*.md examples/*/*.sh examples/*/expected.txt
  examples/*/published.txt examples/*/*.png examples/*/*.svg examples/*/*.py
  examples/*/*.cc)
list(FILTER examples EXCLUDE REGEX "^examples/library/")
foreach(example IN LISTS examples)
  get_filename_component(folder ${example} DIRECTORY)
  install(FILES ${example} COMPONENT tools
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/oa-tools/${folder})
endforeach()
file(GLOB examples CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  examples/library/*.cc examples/library/*.md examples/library/CMakeLists.txt)
install(FILES ${examples} COMPONENT dev
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/liboa-dev/examples)
foreach(package IN ITEMS oa-tools liboa-dev)
  string(REGEX REPLACE ".*-" "" component ${package})
  install(FILES LICENSE COMPONENT ${component} RENAME copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package})
endforeach()

# -- mpi: the module of oa-train for several processes
if(OA_MPI)
  install(TARGETS oa-mpi COMPONENT mpi DESTINATION ${OA_MODULE_FOLDER})
  install(FILES LICENSE COMPONENT mpi RENAME copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/oa-tools-mpi)
endif()

# -- dev: headers that name packages are for the library's own sources
install(TARGETS oa oa_io EXPORT oaTargets COMPONENT dev)
# Stripping, as CMake does it, leaves archives as they are.
foreach(archive IN ITEMS liboa.a liboa-io.a)
  install(CODE "if(CMAKE_INSTALL_DO_STRIP)
  execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-debug
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/${archive}\")
endif()" COMPONENT dev)
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS lib/HEADERS)
file(STRINGS lib/HEADERS headers REGEX "^oa/")
foreach(header IN LISTS headers)
  set(from ${PROJECT_SOURCE_DIR}/lib)
  if(EXISTS ${PROJECT_BINARY_DIR}/lib/include/${header})
    set(from ${PROJECT_BINARY_DIR}/lib/include)  # version.h is generated
  endif()
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${from}/${header} COMPONENT dev
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/oa)
configure_package_config_file(lib/oaConfig.cmake.in oaConfig.cmake
  INSTALL_DESTINATION ${config_folder})
# Before 1.0 a minor version may change anything.
write_basic_package_version_file(oaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/oaConfig.cmake ${PROJECT_BINARY_DIR}/oaConfigVersion.cmake
  COMPONENT dev DESTINATION ${config_folder})
install(EXPORT oaTargets NAMESPACE oa:: COMPONENT dev DESTINATION ${config_folder})

# Relative to themselves, oa.pc and oa-io.pc are right wherever the prefix goes.
file(RELATIVE_PATH oa_pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" oa_pc_prefix ${oa_pc_prefix})
list(TRANSFORM OA_LINKED PREPEND -l OUTPUT_VARIABLE oa_pc_libs)
list(JOIN oa_pc_libs " " oa_pc_libs)
list(TRANSFORM OA_IO_LINKED PREPEND -l OUTPUT_VARIABLE oa_io_pc_libs)
list(JOIN oa_io_pc_libs " " oa_io_pc_libs)
foreach(module IN ITEMS oa oa-io)
  configure_file(lib/${module}.pc.in ${module}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${module}.pc COMPONENT dev
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
