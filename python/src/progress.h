#pragma once

#include "oa/base/progress.h"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include <nanobind/nanobind.h>

namespace oa::python {

/// Is told (what, done, total).
using ProgressFunction = std::optional<
    nanobind::typed<nanobind::callable, void(std::string, std::int64_t, std::int64_t)>>;

/// Calls function(what, done, total) while work goes on: not before half a second, and
/// then five times a second.  Any thread may advance it.
class PythonProgress : public Progress {
 public:
  /// `function` must outlive it.
  explicit PythonProgress(const ProgressFunction& function) : function_(function) {}

  void start(std::string_view what, std::int64_t total) override;
  void advance(std::int64_t units) override;
  void note(std::string_view /*text*/) override {}
  void finish() override;

 private:
  using Clock = std::chrono::steady_clock;

  void tell(const std::string& what, std::int64_t done, std::int64_t total) const;

  const ProgressFunction& function_;
  std::mutex mutex_;
  std::string what_;
  std::int64_t done_ = 0;
  std::int64_t total_ = 0;
  bool told_ = false;
  Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(500);
};

}  // namespace oa::python
