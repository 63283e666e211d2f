#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace oa::io {

enum class AnswerKind : std::uint64_t {
  Text,
  Refused,  ///< by an InputError
  Failed,   ///< by an IoError, or no memory
  Late,     ///< too slow, or waiting for itself
  Crashed
};

/// The result of the work: its text, or what is wrong.
struct Answer {
  std::string text;
  AnswerKind kind = AnswerKind::Text;
};

/// Runs `work` in a forked process, for at most `seconds` of processor time (0: no
/// limit).  This process continues whatever happens; the text of Late and Crashed is
/// empty.  Throws IoError if no process can be started.
///
/// The work has one thread and must not wait for another thread's lock.
[[nodiscard]] Answer run_in_child(const std::function<std::string()>& work,
                                  int seconds);

/// Forks: returns true in the child, false here.
[[nodiscard]] bool split(int& process);

/// Sends or receives a whole answer; false if the other end is closed.
bool put_answer(int pipe, std::string_view text, AnswerKind kind = AnswerKind::Text);
bool get_answer(int pipe, Answer& answer);

}  // namespace oa::io
