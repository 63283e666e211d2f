#include "cli/progress.h"

#include "oa/base/number.h"
#include "oa/base/stopwatch.h"

#include <algorithm>

#include <sys/ioctl.h>
#include <unistd.h>

namespace oa::cli {
namespace {

/// Formats a time as "1:02:03" or "2:03".
std::string duration(double seconds) {
  const auto total = static_cast<std::int64_t>(seconds + 0.5);
  const auto two = [](std::int64_t n) { return (n < 10 ? "0" : "") + format(n); };
  const std::int64_t hours = total / 3600;
  const std::int64_t minutes = total / 60 % 60;
  return hours > 0 ? format(hours) + ":" + two(minutes) + ":" + two(total % 60)
                   : format(minutes) + ":" + two(total % 60);
}

class Silent : public Progress {
 public:
  void start(std::string_view, std::int64_t) override {}
  void advance(std::int64_t) override {}
  void note(std::string_view) override {}
  void finish() override {}
};

class Bar : public Progress {
 public:
  explicit Bar(std::string_view tool) : tool_(tool) {}
  ~Bar() override { clear_line(); }

  void start(std::string_view what, std::int64_t total) override {
    clear_line();
    what_ = tool_ + ": " + std::string(what);
    note_.clear();
    total_ = total;
    done_ = 0;
    since_start_ = since_drawn_ = Stopwatch();
    active_ = true;
  }
  void advance(std::int64_t units) override {
    done_ += units;
    if (active_ && since_drawn_.seconds() >= 0.1) {
      since_drawn_ = Stopwatch();
      draw();
    }
  }
  void note(std::string_view text) override { note_ = text; }
  void finish() override { clear_line(); }  // the next advance() redraws it

 private:
  void draw() {
    winsize size{};
    const bool known =
        ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    const std::string line =
        progress_line(what_, done_, total_, since_start_.seconds(), note_);
    write_terminal("\r" + whole_fields(line, known ? size.ws_col - 1U : 79U) +
                   "\x1b[K");
    visible_ = true;
  }
  void clear_line() {
    if (visible_) {
      write_terminal("\r\x1b[K");
    }
    visible_ = false;
  }
  static void write_terminal(const std::string& text) {
    [[maybe_unused]] const auto n = ::write(STDERR_FILENO, text.data(), text.size());
  }

  std::string tool_;
  std::string what_;
  std::string note_;
  std::int64_t total_ = 0;
  std::int64_t done_ = 0;
  bool active_ = false;
  bool visible_ = false;
  Stopwatch since_start_;
  Stopwatch since_drawn_;
};

}  // namespace

std::string progress_line(std::string_view what,
                          std::int64_t done,
                          std::int64_t total,
                          double seconds,
                          std::string_view note) {
  const double rate = seconds > 0.0 ? static_cast<double>(done) / seconds : 0.0;
  std::string line = std::string(what) + "  " + format_grouped(done);
  if (total > 0) {
    const double share = static_cast<double>(done) / static_cast<double>(total);
    line += "/" + format_grouped(total) + "  " +
            format(static_cast<int>(100.0 * std::min(share, 1.0))) + "%";
  }
  line += "  " +
          (rate < 10 ? format_fixed(rate, 2)
                     : format_grouped(static_cast<std::int64_t>(rate))) +
          "/s";
  if (total > 0 && rate > 0.0) {
    line += "  " + duration(static_cast<double>(total - done) / rate) + " left";
  }
  if (!note.empty()) {
    line += "  " + std::string(note);
  }
  return line;
}

std::string whole_fields(const std::string& line, std::size_t columns) {
  if (line.size() <= columns) {
    return line;
  }
  // Two spaces separate fields.
  const auto end = line.rfind("  ", columns);
  return line.substr(0, end == line.npos || end == 0 ? columns : end);
}

std::unique_ptr<Progress> make_progress(std::string_view tool, bool shown) {
  if (shown) {
    return std::make_unique<Bar>(tool);
  }
  return std::make_unique<Silent>();
}

}  // namespace oa::cli
