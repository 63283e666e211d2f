#pragma once

#include "oa/base/progress.h"
#include "oa/io/bytes/output.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>

namespace oa::app {

/// Settings that contradict each other or the input.  The message may begin with the
/// name of a setting, which the command line writes as an option.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  UsageError(const std::string& setting, const std::string& why)
      : std::runtime_error(setting + why),
        names_setting_(true) {}

  /// True if the message begins with a setting, as "max-nodes has no effect".
  [[nodiscard]] bool names_setting() const { return names_setting_; }

 private:
  bool names_setting_ = false;
};

/// The exit status of a tool; oa(7), EXIT STATUS.
enum class Exit {
  Ok = 0,
  Negative = 1,  ///< done, but the result is negative or incomplete
  Usage = 2,
  Input = 3,
  System = 4,
  Bug = 5,
  Interrupted = 130,
};

/// Options with the same meaning in every tool.
struct Common {
  std::string output = "-";
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  std::string json_file;  ///< file for the summary, if named
  int threads = 0;        ///< at least 1 when work begins
  std::uint64_t seed = 1;
  std::string color = "auto";
};

/// Writes lines to stderr in one piece.  Errors are ignored.
void write_to_stderr(const std::string& text);

/// The environment of a tool's work.
class Context {
 public:
  /// `common` must outlive the context.  So must `interrupted`, which becomes true
  /// after a signal.  `write` takes the lines for a person.
  Context(std::string_view tool,
          const Common& common,
          std::stop_source stop,
          const std::atomic<bool>& interrupted,
          std::string history,
          std::unique_ptr<Progress> progress,
          std::function<void(const std::string&)> write = write_to_stderr);

  [[nodiscard]] const Common& common() const { return common_; }
  [[nodiscard]] int threads() const { return common_.threads; }
  [[nodiscard]] bool json() const { return common_.json; }

  /// Requested by SIGINT, SIGTERM and a failing pipeline.  Long work polls it; it ends
  /// waiting reads.
  [[nodiscard]] std::stop_source stop() const { return stop_; }
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  /// A signal has requested the end.
  [[nodiscard]] bool interrupted() const { return interrupted_; }

  /// The command line as oa-stream(5) records it.
  [[nodiscard]] const std::string& history() const { return history_; }

  /// A progress line on a terminal, nothing elsewhere.
  [[nodiscard]] Progress& progress() { return *progress_; }

  /// Writes "tool: warning: text" for a person, unless quiet.
  void warn(std::string_view text);

  /// Writes lines for a person, unless quiet.
  void say(const std::string& lines);

  /// Writes the summary to Common::json_file, or to stderr if that is empty.  Text for
  /// a person is not written if quiet.
  void summarise(const std::string& text);

  /// Leaves out one of several inputs: writes "tool: why" to stderr, also if quiet.
  void leave_out(Exit status, std::string_view why);
  [[nodiscard]] int left_out() const { return left_out_; }  ///< how many inputs

  /// The status of a tool at its end: Ok if `complete`, else Negative; the worst status
  /// of inputs that were left out.
  [[nodiscard]] Exit status(bool complete) const;

 private:
  std::string_view tool_;
  const Common& common_;
  std::stop_source stop_;
  const std::atomic<bool>& interrupted_;
  std::string history_;
  std::unique_ptr<Progress> progress_;
  std::function<void(const std::string&)> write_;
  int left_out_ = 0;
  Exit worst_ = Exit::Ok;
};

/// True if text is coloured on `output`, by Common::color and NO_COLOR.
[[nodiscard]] bool use_color(const Common& common, const io::Output& output);

/// Opens Common::output for data that are not text.  Throws UsageError if
/// that is a terminal.
[[nodiscard]] io::Output binary_output(const Common& common);

}  // namespace oa::app
