#pragma once

#include <cstdint>
#include <string_view>

namespace oa {

/// Receives progress of long work; the library prints nothing.  Calls come from one
/// thread at a time.
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  /// Starts a phase of `total` units of work; 0 if unknown.
  virtual void start(std::string_view what, std::int64_t total) = 0;
  virtual void advance(std::int64_t units) = 0;
  /// Shows a short remark beside the progress bar, such as the loss.
  virtual void note(std::string_view text) = 0;
  virtual void finish() = 0;
};

}  // namespace oa
