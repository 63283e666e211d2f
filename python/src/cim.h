#pragma once

#include <nanobind/nanobind.h>

namespace oa::python {

void declare_cim(nanobind::module_& m);

}  // namespace oa::python
