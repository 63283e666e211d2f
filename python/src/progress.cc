#include "progress.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace oa::python {

void PythonProgress::start(std::string_view what, std::int64_t total) {
  const std::lock_guard lock(mutex_);
  what_ = what;
  total_ = total;
  done_ = 0;
}

void PythonProgress::advance(std::int64_t units) {
  std::unique_lock lock(mutex_);
  done_ += units;
  const Clock::time_point now = Clock::now();
  if (!function_ || now < next_) {
    return;
  }
  next_ = now + std::chrono::milliseconds(200);
  told_ = true;
  const auto [what, done, total] = std::tuple(what_, done_, total_);
  lock.unlock();  // the interpreter's lock may be long in coming
  tell(what, done, total);
}

void PythonProgress::finish() {
  std::unique_lock lock(mutex_);
  if (!told_) {
    return;
  }
  told_ = false;
  const auto [what, done, total] = std::tuple(what_, done_, total_);
  lock.unlock();
  tell(what, done, total);
}

void PythonProgress::tell(const std::string& what,
                          std::int64_t done,
                          std::int64_t total) const {
  const nb::gil_scoped_acquire interpreter;
  try {
    (*function_)(what, done, total);
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("progress of oa");
  }
}

}  // namespace oa::python
