# Debian packages from what is installed: make -f Makefile.dist deb.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME oa-tools)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "oa-tools <the project's issue tracker>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL tools dev)
if(OA_MPI)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
if(OA_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_STRIP_FILES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/tools)

# Each package's first line is the project's; this comes below it.
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME oa-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS poppler-utils)
if(OA_CLP)
  string(APPEND CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS ", coinor-libclp1")
endif()
set(CPACK_DEBIAN_TOOLS_DESCRIPTION
"Small tools, joined by pipes.
.
This package has the tools, their manual and completions for bash, zsh and fish.")

set(CPACK_DEBIAN_MPI_PACKAGE_NAME oa-tools-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "oa-tools (= ${PROJECT_VERSION}), openmpi-bin")
set(CPACK_DEBIAN_MPI_DESCRIPTION
"Small tools, joined by pipes.
.
This package has what oa-train needs to train one model by several processes, which mpirun
or srun starts.")

# For Debian's own Python, whose version is in the name of the extension module.
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-oa)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
if(OA_PYTHON)
  math(EXPR next "${OA_PYTHON_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "oa-tools (= ${PROJECT_VERSION}), python3-numpy, python3 (>= 3.${OA_PYTHON_MINOR}), python3 (<< 3.${next})")
endif()
set(CPACK_DEBIAN_PYTHON_DESCRIPTION
"Small tools, joined by pipes.
.
This package has the Python module oa: problems solved, models run and streams read as arrays.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME liboa-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
list(JOIN OA_LINKED_DEBIAN ", " CPACK_DEBIAN_DEV_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_DEV_DESCRIPTION
"Small tools, joined by pipes.
.
This package has the library they are made of: headers and a static library.")

include(CPack)
