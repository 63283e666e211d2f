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

/// Thrown for settings that contradict each other or the input.  The message may begin
/// with the name of a setting, which the command line turns into an option.
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
  Negative = 1,  ///< the work is done, but its result is negative or incomplete
  Usage = 2,
  Input = 3,
  System = 4,
  Bug = 5,
  Interrupted = 130,
};

/// Options with one meaning in all tools.
struct Common {
  std::string output = "-";
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  std::string json_file;  ///< file for the summary; empty: stderr
  int threads = 0;        ///< at least 1 once work begins
  std::uint64_t seed = 1;
  std::string color = "auto";
};

/// Writes lines to stderr in one call.  Ignores errors.
void write_to_stderr(const std::string& text);

/// The environment of a tool's work.
class Context {
 public:
  /// `common` and `interrupted` must outlive the context.  `interrupted` becomes true
  /// after a signal.  `write` receives the lines for a person.
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

  /// The stop source that SIGINT, SIGTERM and a failing pipeline trigger.
  /// Long work polls this source; waiting reads end.
  [[nodiscard]] std::stop_source stop() const { return stop_; }
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  /// True if a signal has requested the end.
  [[nodiscard]] bool interrupted() const { return interrupted_; }

  /// The command line as oa-stream(5) records it.
  [[nodiscard]] const std::string& history() const { return history_; }

  /// The progress line, which only a terminal shows.
  [[nodiscard]] Progress& progress() { return *progress_; }

  /// Writes "tool: warning: text" to stderr, unless quiet.
  void warn(std::string_view text);

  /// Writes lines to stderr, unless quiet.
  void say(const std::string& lines);

  /// Writes the summary to Common::json_file, or to stderr if that name is empty.
  /// If quiet, omits a summary that is text for a person.
  void summarise(const std::string& text);

  /// Skips one of several inputs: writes "tool: why" to stderr, also if quiet.
  void leave_out(Exit status, std::string_view why);
  [[nodiscard]] int left_out() const { return left_out_; }  ///< number of skips

  /// Returns the worst status of skipped inputs.  Without skipped inputs, returns Ok
  /// if `complete`, and Negative if not.
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

/// True if Common::color and NO_COLOR allow colours on `output`.
[[nodiscard]] bool use_color(const Common& common, const io::Output& output);

/// Opens Common::output for binary data.  Throws UsageError if it is a terminal.
[[nodiscard]] io::Output binary_output(const Common& common);

}  // namespace oa::app
