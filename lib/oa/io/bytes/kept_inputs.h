#pragma once

#include <stdexcept>
#include <string>

namespace oa::io {

/// The command would replace a file that has to be kept.  This is not an InputError:
/// after one of those a tool may go on with its other files.
class OverwriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While one lives, no file is both read and written: Input refuses a file that is
/// being written, Output and LogFile refuse one that was read, whatever path, symbolic
/// or hard link names it.  They also refuse a path that another of them is writing.
/// Tools have one for all their work; without it nothing is refused, because a program
/// may save a file that it has loaded.
class KeptInputs {
 public:
  KeptInputs();
  KeptInputs(const KeptInputs&) = delete;
  KeptInputs& operator=(const KeptInputs&) = delete;
  ~KeptInputs();

  /// Takes one reading of `path` back: the file was read only to decide whether it may
  /// be replaced, or it is continued in its place.
  static void forget_reading(const std::string& path);
};

// For Input, Output and LogFile.  Only regular files count.  The functions note_...
// throw OverwriteError; `name` is what it calls the file.
void note_reading(const std::string& name, int descriptor);
void note_writing(const std::string& name, int descriptor);
void note_writing(const std::string& name, const std::string& path);
void forget_writing(const std::string& path) noexcept;

}  // namespace oa::io
