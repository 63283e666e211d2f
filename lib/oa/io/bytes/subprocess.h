#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace oa::io {

enum class AnswerKind : std::uint64_t {
  Text,
  Refused,  ///< an InputError
  Failed,   ///< an IoError, or no memory
  Late,     ///< took too long, or waited for itself
  Crashed
};

/// What came of work: its text, or what is wrong.
struct Answer {
  std::string text;
  AnswerKind kind = AnswerKind::Text;
};

/// Does work in a process split off ours, for at most so many `seconds` of the
/// processor (0: any number).  Whatever becomes of it, ours goes on; the text of Late
/// and Crashed is empty.  Throws IoError where there can be no process.
///
/// The work has one thread, whatever we have, and must not wait for another one's.
[[nodiscard]] Answer work_apart(const std::function<std::string()>& work, int seconds);

/// A second process like ours that goes on here; there, it returns true.
[[nodiscard]] bool split(int& process);

/// Through a pipe, whole; false where nobody is at its other end.
bool put_answer(int pipe, std::string_view text, AnswerKind kind = AnswerKind::Text);
bool get_answer(int pipe, Answer& answer);

}  // namespace oa::io
