#pragma once

#include <cstdint>
#include <string_view>

namespace oa {

/// Receives reports of long work; the library prints nothing.  Only one thread at a
/// time calls it.
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  /// `total` units of work begin; 0 if unknown.
  virtual void start(std::string_view what, std::int64_t total) = 0;
  virtual void advance(std::int64_t units) = 0;
  /// A short remark shown beside the bar, such as the loss.
  virtual void note(std::string_view text) = 0;
  virtual void finish() = 0;
};

}  // namespace oa
