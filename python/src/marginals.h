#pragma once

#include <nanobind/nanobind.h>

namespace oa::python {

void declare_marginals(nanobind::module_& m);

}  // namespace oa::python
