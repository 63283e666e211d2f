// The extension module: arrays in, arrays out.  Python code calls it, users do not.
#include "app/context.h"
#include "batch.h"
#include "cim.h"
#include "interrupt.h"
#include "marginals.h"
#include "oa/base/error.h"
#include "oa/base/version.h"
#include "oa/io/bytes/kept_inputs.h"
#include "problem.h"
#include "relax.h"
#include "sample.h"
#include "solve.h"
#include "squares.h"
#include "stream.h"
#include "tools.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

namespace nb = nanobind;

namespace {

/// A message that begins with an option, which Python calls "max_nodes".
std::string as_keyword(std::string message) {
  if (message.starts_with("--")) {
    message.erase(0, 2);
  }
  const auto end = message.begin() + static_cast<std::ptrdiff_t>(std::min(
                                         message.find_first_of(": "), message.size()));
  std::replace(message.begin(), end, '-', '_');
  return message;
}

/// The messages of the tools, as exceptions of Python.
void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const oa::InputError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const oa::app::UsageError& error) {
    PyErr_SetString(PyExc_ValueError, as_keyword(error.what()).c_str());
  } catch (const oa::io::OverwriteError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const oa::IoError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

NB_MODULE(_oa, m) {
  nb::register_exception_translator(translate);
  m.attr("version") = oa::kVersion;
  m.def("stop", oa::python::stop_all);
  oa::python::declare_problem(m);
  oa::python::declare_solve(m);
  oa::python::declare_batch(m);
  oa::python::declare_squares(m);
  oa::python::declare_stream(m);
  oa::python::declare_cim(m);
  oa::python::declare_tools(m);
  oa::python::declare_marginals(m);
  oa::python::declare_relax(m);
  oa::python::declare_sample(m);
}
