#pragma once

#include <stdexcept>
#include <string>

namespace oa {

/// The input is wrong: malformed, truncated or inconsistent.  The message names the
/// place: "file:place: what is wrong (what was expected)".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A system call failed: a file that cannot be opened, a full disk, a failed read.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// "what: <the text of errno value `error`>".
  IoError(const std::string& what, int error);
};

/// Thrown if the reader of an output pipe has exited.
/// A tool cleans up, then ends as if by SIGPIPE.
class ClosedPipe : public IoError {
 public:
  using IoError::IoError;
};

}  // namespace oa
