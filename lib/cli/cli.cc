#include "cli/cli.h"

#include "app/screen.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/history.h"
#include "cli/progress.h"
#include "oa/base/error.h"
#include "oa/base/parallel.h"
#include "oa/base/printable.h"
#include "oa/base/version.h"
#include "oa/io/bytes/input.h"
#include "oa/io/bytes/kept_inputs.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <new>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace oa::cli {
namespace {

/// Prints "tool: why" to stderr; works even if memory is exhausted.
void complain(std::string_view tool, std::initializer_list<std::string_view> why) {
  try {
    std::string all;
    for (const std::string_view part : why) {
      all += part;
    }
    app::write_to_stderr(std::string(tool) + ": " + printable(all) + "\n");
  } catch (const std::bad_alloc&) {
    for (const std::string_view part : {tool, std::string_view(": out of memory\n")}) {
      [[maybe_unused]] const auto n = ::write(STDERR_FILENO, part.data(), part.size());
    }
  }
}

std::string_view running;  // the tool's name, for end_uncaught()

/// Handles exceptions that no handler can catch: from a thread, or from a destructor of
/// nlohmann::json, which allocates memory.  Cleans up and reports the error.
[[noreturn]] void end_uncaught() {
  io::remove_temporaries();
  const auto end = [](app::Exit status, std::string_view why) {
    complain(running, {why});
    std::_Exit(static_cast<int>(status));
  };
  try {
    if (const auto error = std::current_exception()) {
      std::rethrow_exception(error);
    }
  } catch (const std::bad_alloc&) {
    end(app::Exit::System, "out of memory");
  } catch (const IoError& error) {
    end(app::Exit::System, error.what());
  } catch (...) {
    // Any other exception is a bug.
  }
  end(app::Exit::Bug, "internal error");
  std::abort();  // not reached
}

/// Marks that a tool is working, as long as the object lives.
class AtWork {
 public:
  AtWork() { alive = true; }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;
  ~AtWork() { alive = false; }

  static inline bool alive = false;
};

/// Cleans up if a library calls exit(), as libarchive does when memory runs out.
void end_of_package() {
  if (AtWork::alive) {
    io::remove_temporaries();
    std::_Exit(static_cast<int>(app::Exit::System));
  }
}

/// Opens /dev/null for each closed standard stream.
/// Otherwise a file opened later would get the stream's number.
void occupy_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) < 0) {
      [[maybe_unused]] const int taken =
          ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

app::Exit print(const std::string& text) {
  io::Output out("-");
  out.write(text);
  out.commit();
  return app::Exit::Ok;
}

struct Requests {
  Option* help = nullptr;
  Option* version = nullptr;
  bool brief = false;  // -h instead of --help
  std::string completion;
};

void declare_common(App& app, app::Common& common, Requests& requests) {
  app.add_flag("-q,--quiet", common.quiet, "No progress, warnings or summary");
  requests.help = app.add_flag("-h,--help", "Print this help (-h: a short form)");
  requests.version = app.add_flag("-V,--version", "Print the version");
  // The build installs completions by this hidden option.
  app.add_option("--completion", requests.completion)
      ->check(one_of({"bash", "zsh", "fish"}))
      ->hide();
}

/// Prints help, version or completion if requested, despite errors in other options.
/// Counts flags, because flags have no values after an error.
std::optional<app::Exit> answer(const Tool& tool,
                                const App& app,
                                const Requests& requests) {
  if (requests.help->count() > 0) {
    return print(requests.brief ? short_help(tool, app) : help(tool, app));
  }
  if (requests.version->count() > 0) {
    return print(std::string(tool.name) + " " + std::string(kVersion) + "\n" +
                 std::string(kFeatures) + "\n");
  }
  if (!requests.completion.empty()) {
    return print(completion(tool.name, requests.completion, app));
  }
  return std::nullopt;
}

/// Parses the command line.  Returns an error, or nothing.
std::optional<app::UsageError> parse(int argc, char** argv, App& app) {
  try {
    app.parse(argc > 0 ? std::vector<std::string>(argv + 1, argv + argc)
                       : std::vector<std::string>{});
  } catch (const app::UsageError& error) {
    return error;
  }
  return std::nullopt;
}

/// True if stderr is a terminal that can redraw a line.
bool can_redraw() {
  return ::isatty(STDERR_FILENO) != 0 && !app::is_dumb_terminal();
}

app::Exit parse_and_work(const Tool& tool,
                         int argc,
                         char** argv,
                         app::Common& common,
                         const std::function<void(App&)>& declare,
                         const std::function<app::Exit(app::Context&)>& work,
                         const std::stop_source& stop,
                         const Signals& signals) {
  App app(tool.name);
  declare(app);
  Requests requests;
  declare_common(app, common, requests);
  requests.brief = std::none_of(argv, argv + argc, [](const char* word) {
    return std::string_view(word) == "--help";
  });
  const auto wrong = parse(argc, argv, app);
  if (const auto done = answer(tool, app, requests)) {
    return *done;
  }
  if (wrong && tool.refuse == nullptr) {
    throw app::UsageError(*wrong);
  }
  if (!wrong && app.input_operand != nullptr && app.input_operand->count() == 0 &&
      ::isatty(STDIN_FILENO) != 0) {
    app::write_to_stderr(short_help(tool, app));
    return app::Exit::Usage;
  }
  if (common.json_file == "-" && common.output == "-") {
    throw app::UsageError("--json=-: the data go to standard output (name a file)");
  }
  if (!common.json_file.empty() && common.json_file == common.output) {
    throw app::UsageError("--json=" + common.json_file +
                          ": --output writes this file (name another)");
  }
  if (common.threads == 0) {
    common.threads = usable_threads();
  }
  app::Context context(tool.name,
                       common,
                       stop,
                       signals.received(),
                       history(tool.name, app),
                       make_progress(tool.name, !common.quiet && can_redraw()));
  return wrong ? tool.refuse(*wrong, context) : work(context);
}

app::Exit heed_signals(const Tool& tool,
                       int argc,
                       char** argv,
                       app::Common& common,
                       const std::function<void(App&)>& declare,
                       const std::function<app::Exit(app::Context&)>& work) {
  const std::stop_source stop;
  const Signals signals(stop);
  try {
    return parse_and_work(tool, argc, argv, common, declare, work, stop, signals);
  } catch (const InputError&) {
    if (signals.received()) {
      return app::Exit::Interrupted;  // the signal may have truncated the input
    }
    throw;
  }
}

}  // namespace

int run_tool(const Tool& tool,
             int argc,
             char** argv,
             app::Common& common,
             const std::function<void(App&)>& declare,
             const std::function<app::Exit(app::Context&)>& work) {
  occupy_closed_streams();
  ignore_write_signals();
  clean_up_on_crash();
  running = tool.name;
  std::set_terminate(end_uncaught);
  std::atexit(end_of_package);
  const AtWork at_work;
  const io::KeptInputs kept_inputs;
  const auto fail = [&](app::Exit status, std::initializer_list<std::string_view> why) {
    complain(tool.name, why);
    return static_cast<int>(status);
  };
  try {
    return static_cast<int>(heed_signals(tool, argc, argv, common, declare, work));
  } catch (const app::UsageError& error) {
    return fail(app::Exit::Usage,
                {error.names_setting() ? "--" : "",
                 error.what(),
                 " (see ",
                 tool.name,
                 " --help)"});
  } catch (const io::OverwriteError& error) {
    return fail(app::Exit::Usage, {error.what()});
  } catch (const io::CauseReported&) {
    return static_cast<int>(app::Exit::Input);
  } catch (const InputError& error) {
    return fail(app::Exit::Input, {error.what()});
  } catch (const ClosedPipe&) {
    end_by_sigpipe();
  } catch (const IoError& error) {
    return fail(app::Exit::System, {error.what()});
  } catch (const std::bad_alloc&) {
    return fail(app::Exit::System, {"out of memory"});
  } catch (const std::exception& error) {
    return fail(app::Exit::Bug, {"internal error: ", error.what()});
  }
}

}  // namespace oa::cli
