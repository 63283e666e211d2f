#include "cim.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/machine/cim_log.h"
#include "oa/io/machine/manifest.h"
#include "oa/machine/submission.h"

#include <algorithm>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

using Rows =
    nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

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

  /// What the machine would have returned for a task: 0s and 1s, a row for each read.
  [[nodiscard]] std::string log(std::int64_t number, const Rows& rows) const {
    const machine::Submission& all = manifest_.submission;
    const machine::Task* task = all.find(number);
    if (task == nullptr) {
      throw InputError(path_ + ": no task " + format(number));
    }
    const std::size_t n = rows.shape(1);
    if (std::cmp_not_equal(n, task->n + (task->ising ? 1 : 0))) {
      throw InputError("task " + format(number) + ": rows of " +
                       format(static_cast<std::int64_t>(n)) + " spins (expected " +
                       format(task->n + (task->ising ? 1 : 0)) + ")");
    }
    std::vector<machine::Shot> shots(rows.shape(0));
    std::vector<int> ones;
    for (std::size_t k = 0; k < shots.size(); ++k) {
      const std::uint8_t* row = rows.data() + k * n;
      shots[k].x.assign(row, row + n);
      machine::Bits x = shots[k].x;
      if (task->ising) {  // the shared spin is +1
        const std::uint8_t flip = x.back() == 0 ? 1 : 0;
        x.pop_back();
        std::ranges::for_each(x, [flip](std::uint8_t& bit) { bit ^= flip; });
      }
      shots[k].energy = machine::task_energy(all, *task, x, ones);
    }
    std::ranges::stable_sort(shots, {}, &machine::Shot::energy);
    return io::cim_log_text(shots, task->ising);
  }

 private:
  std::string path_;
  io::Manifest manifest_;
};

}  // namespace

void declare_cim(nb::module_& m) {
  nb::class_<Manifest>(m, "Manifest")
      .def(nb::init<const std::string&>())
      .def_prop_ro("name", &Manifest::name)
      .def_prop_ro("tasks", &Manifest::tasks)
      .def("log", &Manifest::log);
}

}  // namespace oa::python
