#pragma once

#include <nanobind/nanobind.h>

namespace oa::python {

void declare_model(nanobind::module_& m);

}  // namespace oa::python
