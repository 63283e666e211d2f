#pragma once

#include "oa/base/progress.h"
#include "oa/io/bytes/output.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>

namespace oa::app {

/// Settings that make no sense.  The message may begin with the name of one, which a
/// command line writes as an option.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  UsageError(const std::string& setting, const std::string& why)
      : std::runtime_error(setting + why),
        names_setting_(true) {}

  /// "max-nodes has no effect", which begins with the setting "max-nodes".
  [[nodiscard]] bool names_setting() const { return names_setting_; }

 private:
  bool names_setting_ = false;
};

/// What a tool's status says; oa(7), EXIT STATUS.
enum class Exit {
  Ok = 0,
  Negative = 1,  ///< done, but the answer is no or incomplete
  Usage = 2,
  Input = 3,
  System = 4,
  Bug = 5,
  Interrupted = 130,
};

/// Options that mean the same in every tool.
struct Common {
  std::string output = "-";
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  std::string json_file;  ///< where it goes, if it was named
  int threads = 0;        ///< when work begins: at least 1
  std::uint64_t seed = 1;
  std::string color = "auto";
};

/// Lines to stderr in one piece.  If that fails there is nobody left to tell.
void write_to_stderr(const std::string& text);

/// What a tool's work gets beside its options.
class Context {
 public:
  /// `interrupted` becomes true when a signal has asked for the end; it must outlive
  /// the context.
  Context(std::string_view tool,
          bool quiet,
          std::stop_source stop,
          const std::atomic<bool>& interrupted,
          std::string history,
          std::unique_ptr<Progress> progress);

  /// Requested by SIGINT and SIGTERM, and by a pipeline that fails; long work looks at
  /// it, reads that wait end by it.
  [[nodiscard]] std::stop_source stop() const { return stop_; }
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  /// A signal has asked for the end.
  [[nodiscard]] bool interrupted() const { return interrupted_; }

  /// What was asked for, as oa-stream(5) keeps it.
  [[nodiscard]] const std::string& history() const { return history_; }

  /// A bar on a terminal, nothing elsewhere.
  [[nodiscard]] Progress& progress() { return *progress_; }

  /// "tool: warning: text" on stderr, unless quiet.
  void warn(std::string_view text);

  /// Lines on stderr, a summary of what was done, unless quiet.
  void say(const std::string& lines);

  /// Writes the summary to Common::json_file, or to stderr if that is empty.  Text for
  /// a person is not written if quiet.
  void summarise(const Common& common, const std::string& text);

  /// One of several inputs is left out: "tool: why" on stderr, also if quiet.
  void leave_out(Exit status, std::string_view why);
  [[nodiscard]] int left_out() const { return left_out_; }  ///< how many inputs

  /// The status of a tool that has done what it could: `complete` if nothing is
  /// missing.  If an input was left out, the status of the worst reason.
  [[nodiscard]] Exit status(bool complete) const;

 private:
  std::string_view tool_;
  bool quiet_;
  std::stop_source stop_;
  const std::atomic<bool>& interrupted_;
  std::string history_;
  std::unique_ptr<Progress> progress_;
  int left_out_ = 0;
  Exit worst_ = Exit::Ok;
};

/// Whether text on `output` is to be coloured, by Common::color and NO_COLOR.
[[nodiscard]] bool use_color(const Common& common, const io::Output& output);

/// Opens Common::output for data that are not text.  Throws UsageError if
/// that is a terminal.
[[nodiscard]] io::Output binary_output(const Common& common);

}  // namespace oa::app
