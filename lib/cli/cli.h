#pragma once

#include "cli/options.h"
#include "cli/signals.h"
#include "oa/base/progress.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace oa::cli {

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

/// What a tool's work gets beside its options.
class Context {
 public:
  Context(std::string_view tool,
          const Common& common,
          std::stop_source stop,
          const Signals& signals,
          std::string history);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  /// Requested by SIGINT and SIGTERM, and by a pipeline that fails; long work looks at
  /// it, reads that wait end by it.
  [[nodiscard]] std::stop_source stop() const { return stop_; }
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  /// A signal has asked for the end.
  [[nodiscard]] bool interrupted() const { return signals_.received(); }

  /// What was asked for, as oa-stream(5) keeps it.
  [[nodiscard]] const std::string& history() const { return history_; }

  /// A bar on a terminal, nothing elsewhere.
  [[nodiscard]] Progress& progress() { return *progress_; }

  /// "tool: warning: text" on stderr, unless quiet.
  void warn(std::string_view text);

  /// Lines on stderr, a summary of what was done, unless quiet.
  void say(const std::string& lines);

  /// The status of a tool that has done what it could: `complete` if nothing is
  /// missing.
  [[nodiscard]] Exit status(bool complete) const;

 private:
  std::string_view tool_;
  bool quiet_;
  std::stop_source stop_;
  const Signals& signals_;
  std::string history_;
  std::unique_ptr<Progress> progress_;
};

struct Tool {
  std::string_view name;
  std::string_view summary;   ///< one sentence, for --help
  void (*begin)() = nullptr;  ///< what wants to be done while there is one thread
};

/// The whole life of a tool: parses, works, reports, and turns every way to fail into
/// one line on stderr and a status.  The only place that catches.
[[nodiscard]] int run_tool(const Tool& tool,
                           int argc,
                           char** argv,
                           Common& common,
                           const std::function<void(App&)>& declare,
                           const std::function<Exit(Context&)>& work);

/// `Options` has a member `common`, of type Common.
template <class Options>
[[nodiscard]] int run(const Tool& tool,
                      int argc,
                      char** argv,
                      void (*declare)(App&, Options&),
                      Exit (*work)(const Options&, Context&)) {
  Options options;
  return run_tool(
      tool,
      argc,
      argv,
      options.common,
      [&](App& app) { declare(app, options); },
      [&](Context& context) { return work(options, context); });
}

}  // namespace oa::cli
