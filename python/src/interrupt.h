#pragma once

#include <functional>
#include <stop_token>

namespace oa::python {

/// Runs `work` on a thread of its own, without the interpreter's lock, while the
/// calling thread looks for signals.  A signal whose handler raises, as Ctrl-C does,
/// requests the stop; the exception is raised when `work` has returned.  The end of the
/// interpreter requests it, too.
void run_interruptible(const std::function<void(const std::stop_source&)>& work);

/// Runs work of less than some milliseconds on the calling thread.
void run_briefly(const std::function<void(const std::stop_source&)>& work);

/// Requests that all work of run_interruptible() that has begun stops, in all threads.
void stop_all();

}  // namespace oa::python
