# oa_flags: what every target of ours is compiled with.  Nothing here reaches a consumer.
add_library(oa_flags INTERFACE)

target_compile_options(oa_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast -Wcast-align -Wcast-qual -Wformat=2
  -Wdouble-promotion -Wundef -Wmissing-declarations -Wextra-semi
  $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op -Wduplicated-cond -Wredundant-decls>
  # g++ 12 warns of overlaps in std::string that cannot be (its bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${OA_WERROR}>:-Werror>
  # Loops over floats are what these programs do; -O2 of g++ 12 does not vectorise most.
  $<$<CONFIG:RelWithDebInfo,Release>:-O3>
  # Contraction to fused multiply-add differs between machines; kernels that want it
  # call it by name.
  -ffp-contract=off)

if(OA_SANITIZE)
  target_compile_options(oa_flags INTERFACE
    -fsanitize=${OA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(oa_flags INTERFACE -fsanitize=${OA_SANITIZE})
endif()
if(OA_ARCH)
  target_compile_options(oa_flags INTERFACE -march=${OA_ARCH})
endif()
