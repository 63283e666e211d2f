#include "stops/count.h"

#include <limits>
#include <utility>

namespace oa::stops {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

thread_local std::int64_t done = 0;
thread_local std::int64_t due = kNever;
thread_local std::function<void()> waiting;

}  // namespace

std::int64_t operations() {
  return done;
}

void after(std::int64_t operations, std::function<void()> event) {
  waiting = std::move(event);
  due = done + operations;
}

void forget() {
  due = kNever;
}

}  // namespace oa::stops

// What -fsanitize-coverage=trace-pc calls in every basic block.
extern "C" void __sanitizer_cov_trace_pc();   // NOLINT: its name is the compiler's
extern "C" void __sanitizer_cov_trace_pc() {  // NOLINT
  using namespace oa::stops;
  if (++done >= due) {
    due = kNever;
    // The event may set the next one.
    const auto event = std::exchange(waiting, nullptr);
    event();
  }
}
