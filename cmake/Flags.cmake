# oa_flags: compiler flags of every target of ours.  Nothing here reaches a consumer.
add_library(oa_flags INTERFACE)
set(released $<CONFIG:RelWithDebInfo,Release>)

# Who builds a release does not need warnings, which take a twentieth of its time.
add_library(oa_warnings INTERFACE)
target_compile_options(oa_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast -Wcast-align -Wcast-qual -Wformat=2
  -Wundef -Wmissing-declarations -Wextra-semi
  # clang's -Wdouble-promotion complains of double{x}, which makes the conversion explicit.
  $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op -Wduplicated-cond -Wredundant-decls -Wdouble-promotion>
  # g++ 12 warns of impossible overlaps in std::string (its bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${OA_WERROR}>:-Werror>)

target_link_libraries(oa_flags INTERFACE $<$<OR:$<NOT:${released}>,$<BOOL:${OA_WERROR}>>:oa_warnings>)
target_compile_options(oa_flags INTERFACE
  # Loops over floats are what the library does; -O2 of g++ 12 does not vectorise most.
  # The rest is command lines and tests, whose optimisation is 1/3 of the build.
  # Files are at -O2: at -O1 an allocator that initialises nothing still loops over bytes.
  $<${released}:$<IF:$<OR:$<STREQUAL:$<TARGET_PROPERTY:NAME>,oa>,$<STREQUAL:$<TARGET_PROPERTY:NAME>,oa_survey>>,-O3,$<IF:$<STREQUAL:$<TARGET_PROPERTY:NAME>,oa_io>,-O2,-O1>>>
  # g++ collects its garbage less often: 5 % of its time for some hundred megabytes.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>
  # Names and lines in the preset `profile`; variables would be 1/4 of its build.
  $<$<CONFIG:RelWithDebInfo>:-g1>
  # Contraction to fused multiply-add differs between machines; kernels that want it
  # call it by name.
  -ffp-contract=off)

# Executables may be loaded anywhere, and the library may go into a shared one; still no
# function of ours is to be replaced at run time, so calls may be inlined.
include(CheckPIESupported)
check_pie_supported()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
target_compile_options(oa_flags INTERFACE -fno-semantic-interposition)

if(OA_SANITIZE)
  target_compile_options(oa_flags INTERFACE
    -fsanitize=${OA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(oa_flags INTERFACE -fsanitize=${OA_SANITIZE})
else()
  # Hardening of the programs of users.  Sanitizers check more, and glibc's checks hide it.
  target_compile_options(oa_flags INTERFACE
    "$<${released}:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2;-fstack-protector-strong>")
  target_link_options(oa_flags INTERFACE "$<${released}:-Wl,-z,relro,-z,now>")
endif()
if(OA_FUZZ)
  target_compile_options(oa_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(OA_ARCH)
  target_compile_options(oa_flags INTERFACE -march=${OA_ARCH})
endif()
