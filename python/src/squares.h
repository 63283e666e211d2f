#pragma once

#include <nanobind/nanobind.h>

namespace oa::python {

void declare_squares(nanobind::module_& m);

}  // namespace oa::python
