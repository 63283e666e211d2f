#include "app/processor.h"

#include "oa/base/number.h"
#include "oa/base/printable.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <limits>
#include <optional>

#include <sched.h>
#include <unistd.h>

namespace oa::app {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

/// Returns the text after "name:" in the first line of a file that begins with it.
std::optional<std::string> line_of(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with(name) && colon != std::string::npos) {
      const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
      return begin == std::string::npos ? "" : line.substr(begin);
    }
  }
  return std::nullopt;
}

/// Reads the first number in a file.
std::optional<std::size_t> number_in(const char* path) {
  std::ifstream file(path);
  std::string word;
  if (!(file >> word)) {
    return std::nullopt;
  }
  const auto number = parse_int(word);
  return number && *number >= 0 ? std::optional(static_cast<std::size_t>(*number))
                                : std::nullopt;
}

/// Free memory within the limit of the control group.
std::size_t left_to_group() {
  const auto most = number_in("/sys/fs/cgroup/memory.max");
  const auto now = number_in("/sys/fs/cgroup/memory.current");
  return most && now ? *most - std::min(*most, *now) : kNoLimit;
}

}  // namespace

std::string processor_name() {
  for (const char* name : {"model name", "Model", "CPU part"}) {
    if (const auto line = line_of("/proc/cpuinfo", name); line && !line->empty()) {
      return printable(*line);
    }
  }
  return "unknown";
}

std::size_t available_memory() {
  std::size_t left = left_to_group();
  if (const auto line = line_of("/proc/meminfo", "MemAvailable")) {
    const auto kibibytes = parse_int(line->substr(0, line->find(' ')));
    if (kibibytes && *kibibytes >= 0) {
      left = std::min(left, 1024 * static_cast<std::size_t>(*kibibytes));
    }
  }
  return left;
}

std::size_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  std::size_t resident = 0;
  if (!(file >> pages >> resident)) {
    return 0;
  }
  return resident * static_cast<std::size_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
}

void stay_on_this_processor() {
  const int processor = sched_getcpu();
  if (processor < 0 || processor >= CPU_SETSIZE) {
    return;
  }
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(static_cast<std::size_t>(processor), &only);
  // Without pinning to a core, times only vary more.
  (void)sched_setaffinity(0, sizeof only, &only);
}

WorkClock::WorkClock(int threads) : processor_time_(threads == 1), begin_(now()) {}

double WorkClock::seconds() const {
  return now() - begin_;
}

double WorkClock::now() const {
  if (processor_time_) {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  }
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace oa::app
