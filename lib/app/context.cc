#include "app/context.h"

#include "app/screen.h"
#include "oa/base/printable.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <unistd.h>

namespace oa::app {

void write_to_stderr(const std::string& text) {
  [[maybe_unused]] const auto n = ::write(STDERR_FILENO, text.data(), text.size());
}

Context::Context(std::string_view tool,
                 const Common& common,
                 std::stop_source stop,
                 const std::atomic<bool>& interrupted,
                 std::string history,
                 std::unique_ptr<Progress> progress,
                 std::function<void(const std::string&)> write)
    : tool_(tool),
      common_(common),
      stop_(std::move(stop)),
      interrupted_(interrupted),
      history_(std::move(history)),
      progress_(std::move(progress)),
      write_(std::move(write)) {}

void Context::warn(std::string_view text) {
  say(std::string(tool_) + ": warning: " + printable(text) + "\n");
}

void Context::say(const std::string& lines) {
  if (!common_.quiet) {
    progress_->finish();
    write_(lines);
  }
}

void Context::summarise(const std::string& text) {
  if (common_.json_file.empty() && !common_.json) {
    say(text);
    return;
  }
  progress_->finish();
  if (common_.json_file.empty()) {
    write_(text);
    return;
  }
  io::Output output(common_.json_file);
  output.write(text);
  output.commit();
}

void Context::leave_out(Exit status, std::string_view why) {
  progress_->finish();
  write_(std::string(tool_) + ": " + printable(why) + "\n");
  worst_ = std::max(worst_, status);
  ++left_out_;
}

Exit Context::status(bool complete) const {
  if (interrupted()) {
    return Exit::Interrupted;
  }
  return left_out_ > 0 ? worst_ : complete ? Exit::Ok : Exit::Negative;
}

bool use_color(const Common& common, const io::Output& output) {
  if (common.color != "auto") {
    return common.color == "always";
  }
  const char* no = std::getenv("NO_COLOR");  // NOLINT: read once, before threads
  return (no == nullptr || *no == '\0') && output.is_terminal() && !is_dumb_terminal();
}

io::Output binary_output(const Common& common) {
  io::Output output(common.output);
  if (output.is_terminal()) {
    throw UsageError(
        "the output is binary and would go to a terminal (name a file with -o, or pipe "
        "it to the next tool or to oa-view)");
  }
  return output;
}

}  // namespace oa::app
