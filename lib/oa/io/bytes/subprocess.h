#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

enum class AnswerKind : std::uint64_t {
  Text,
  Refused,  ///< by InputError, or by a program that wrote a message
  Failed,   ///< by IoError or lack of memory
  Late,     ///< too slow, or deadlocked
  Crashed
};

/// The result of the work: its text, or an error message.
struct Answer {
  std::string text;
  AnswerKind kind = AnswerKind::Text;
};

/// Runs `work` in a forked process.
/// The calling process continues whatever happens in the forked process;
/// the text of Late and Crashed is empty.  Throws IoError if no process can be started.
///
/// `work` has one thread, and must not wait for another thread's lock.
[[nodiscard]] Answer run_in_child(const std::function<std::string()>& work);

/// A program that reads its standard input and writes text.
struct Program {
  std::vector<const char*> words;  ///< the path of the program, then its arguments
  int most_seconds = 60;           ///< limit of processor time
  std::size_t most_bytes = 0;      ///< limit of its output
};

/// Runs a program without environment variables and terminal signals, from any thread.
/// Returns the program's output, or Refused with its messages if the status is not 0 or
/// the output is too long.  Throws IoError if the program cannot be started.
[[nodiscard]] Answer run_program(const Program& program, std::string_view input);

}  // namespace oa::io
