#pragma once

#include <stdexcept>
#include <string>

namespace oa::io {

/// Thrown if the command would replace a file that must be kept.
/// Not an InputError, after which a tool may continue with its next file.
class OverwriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While a KeptInputs lives, no file is both read and written, by any path or link:
/// Input refuses a file that is being written; Output and LogFile refuse a file that
/// was read or is being written.  Each tool has one KeptInputs for its whole run.
/// Other programs may save a file that they have loaded.
class KeptInputs {
 public:
  KeptInputs();
  KeptInputs(const KeptInputs&) = delete;
  KeptInputs& operator=(const KeptInputs&) = delete;
  ~KeptInputs();

  /// Forgets one reading of `path`, so that the file can be written.
  /// For programs that read a file only to decide whether to replace or continue it.
  static void forget_reading(const std::string& path);
};

// The functions note_... of Input, Output and LogFile register a regular file.
// Each throws OverwriteError, whose message begins with `name`.
void note_reading(const std::string& name, int descriptor);
void note_writing(const std::string& name, int descriptor);
void note_writing(const std::string& name, const std::string& path);
void forget_writing(const std::string& path) noexcept;

}  // namespace oa::io
