#pragma once

#include <stdexcept>
#include <string>

namespace oa::io {

/// The command would replace a file that must be kept.  Not an InputError, after which
/// a tool may go on with its other files.
class OverwriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While a KeptInputs lives, no file is both read and written, by whatever path or
/// link: Input refuses a file that is being written; Output and LogFile refuse one that
/// was read or is being written.  Each tool has one for its whole run.  Other programs
/// may save a file that they have loaded.
class KeptInputs {
 public:
  KeptInputs();
  KeptInputs(const KeptInputs&) = delete;
  KeptInputs& operator=(const KeptInputs&) = delete;
  ~KeptInputs();

  /// Forgets one reading of `path`, so that the file can be written: the program read
  /// it only to decide whether to replace or continue it.
  static void forget_reading(const std::string& path);
};

// For Input, Output and LogFile: register a regular file.  The note_... functions throw
// OverwriteError, whose message begins with `name`.
void note_reading(const std::string& name, int descriptor);
void note_writing(const std::string& name, int descriptor);
void note_writing(const std::string& name, const std::string& path);
void forget_writing(const std::string& path) noexcept;

}  // namespace oa::io
