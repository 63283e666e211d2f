#include "cim.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/machine/manifest.h"
#include "oa/machine/submission.h"

#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

/// What was submitted to a machine.
class Manifest {
 public:
  explicit Manifest(const std::string& path)
      : path_(path),
        manifest_(io::read_manifest(path, {})) {}

  [[nodiscard]] const std::string& name() const { return manifest_.submission.name; }

  [[nodiscard]] std::vector<std::int64_t> tasks() const {
    std::vector<std::int64_t> numbers;
    for (const machine::Task& task : manifest_.submission.tasks) {
      numbers.push_back(task.number);
    }
    return numbers;
  }

  /// The spins of a task, and whether a matrix of it has one more, as reference.
  [[nodiscard]] std::pair<int, bool> spins(std::int64_t number) const {
    const machine::Task* task = manifest_.submission.find(number);
    if (task == nullptr) {
      throw InputError(path_ + ": no task " + format(number));
    }
    return {task->n, task->ising};
  }

 private:
  std::string path_;
  io::Manifest manifest_;
};

}  // namespace

void declare_cim(nb::module_& m) {
  nb::class_<Manifest>(m, "Manifest")
      .def(nb::init<const std::string&>(), nb::arg("path"))
      .def_prop_ro("name", &Manifest::name)
      .def_prop_ro("tasks", &Manifest::tasks)
      .def("spins", &Manifest::spins, nb::arg("task"));
}

}  // namespace oa::python
