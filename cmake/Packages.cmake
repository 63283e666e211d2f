# Everything we build on, from the distribution.  Nothing is downloaded.  Each miss is
# collected so that one configure run names every package to install.
set(oa_missing "")

macro(oa_need name debian)
  if(NOT ${name})
    list(APPEND oa_missing "${debian}")
  endif()
endmacro()

find_package(Threads REQUIRED)

find_package(Eigen3 3.4 QUIET NO_MODULE)
oa_need(Eigen3_FOUND libeigen3-dev)
find_package(CLI11 2.1 QUIET)
oa_need(CLI11_FOUND libcli11-dev)
find_package(nlohmann_json 3.11 QUIET)
oa_need(nlohmann_json_FOUND nlohmann-json3-dev)
find_path(OA_FCCP_INCLUDE csv.h PATH_SUFFIXES libfccp fast-cpp-csv-parser)
oa_need(OA_FCCP_INCLUDE libfccp-dev)
find_package(ZLIB QUIET)
oa_need(ZLIB_FOUND zlib1g-dev)
find_package(LibArchive 3.4 QUIET)
oa_need(LibArchive_FOUND libarchive-dev)
find_path(OA_DEFLATE_INCLUDE libdeflate.h)
find_library(OA_DEFLATE_LIBRARY deflate)
oa_need(OA_DEFLATE_INCLUDE libdeflate-dev)
oa_need(OA_DEFLATE_LIBRARY libdeflate-dev)
find_path(OA_HWY_INCLUDE hwy/highway.h)
find_library(OA_HWY_LIBRARY hwy)
oa_need(OA_HWY_INCLUDE libhwy-dev)
oa_need(OA_HWY_LIBRARY libhwy-dev)
find_path(OA_POPPLER_INCLUDE poppler-document.h PATH_SUFFIXES poppler/cpp)
find_library(OA_POPPLER_LIBRARY poppler-cpp)
if(OA_POPPLER_INCLUDE AND OA_POPPLER_LIBRARY)
  set(OA_POPPLER ON)
else()
  set(OA_POPPLER OFF)
  message(STATUS "no libpoppler-cpp-dev: oa-cim-ingest will read logs, but no PDF reports")
endif()
find_path(OA_CAIRO_INCLUDE cairo/cairo.h)
find_library(OA_CAIRO_LIBRARY cairo)
oa_need(OA_CAIRO_INCLUDE libcairo2-dev)
oa_need(OA_CAIRO_LIBRARY libcairo2-dev)
if(OA_TESTS)
  find_package(doctest 2.4 QUIET)
  oa_need(doctest_FOUND doctest-dev)
endif()

if(oa_missing)
  list(REMOVE_DUPLICATES oa_missing)
  list(JOIN oa_missing " " oa_missing)
  message(FATAL_ERROR "missing packages; on Debian or Ubuntu:\n"
    "  apt-get install ${oa_missing}\n"
    "or, for everything at once:  make -f Makefile.dist deps")
endif()

# Headers of packages are SYSTEM: their warnings are not ours.
add_library(oa_fccp INTERFACE)
target_include_directories(oa_fccp SYSTEM INTERFACE ${OA_FCCP_INCLUDE})
add_library(oa_cairo INTERFACE)
target_include_directories(oa_cairo SYSTEM INTERFACE ${OA_CAIRO_INCLUDE})
target_link_libraries(oa_cairo INTERFACE ${OA_CAIRO_LIBRARY})
add_library(oa_hwy INTERFACE)
target_include_directories(oa_hwy SYSTEM INTERFACE ${OA_HWY_INCLUDE})
target_link_libraries(oa_hwy INTERFACE ${OA_HWY_LIBRARY})
# Three instruction sets on x86 (baseline, AVX2, AVX-512) and NEON elsewhere: what lies
# between them is not worth the compile time.
target_compile_definitions(oa_hwy INTERFACE
  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
if(OA_POPPLER)
  add_library(oa_poppler INTERFACE)
  target_include_directories(oa_poppler SYSTEM INTERFACE ${OA_POPPLER_INCLUDE})
  target_link_libraries(oa_poppler INTERFACE ${OA_POPPLER_LIBRARY})
endif()
add_library(oa_deflate INTERFACE)
target_include_directories(oa_deflate SYSTEM INTERFACE ${OA_DEFLATE_INCLUDE})
target_link_libraries(oa_deflate INTERFACE ${OA_DEFLATE_LIBRARY})

# What a program that links our static library must link as well: as the linker calls it,
# and Debian.
set(OA_LINKED archive z deflate hwy cairo)
set(OA_LINKED_DEBIAN libarchive-dev zlib1g-dev libdeflate-dev libhwy-dev libcairo2-dev)
