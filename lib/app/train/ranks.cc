#include "app/train/ranks.h"

#include "app/train/recipe.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/version.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <span>
#include <system_error>

#include <dlfcn.h>

namespace oa::app {
namespace {

constexpr const char* kModule = "liboa-mpi.so";

/// True in the environment of mpirun (Open MPI), or of srun with PMIx or PMI-2.
bool started_by_launcher() {
  if (const char* size = std::getenv("OMPI_COMM_WORLD_SIZE")) {  // NOLINT
    return std::string(size) != "1";
  }
  constexpr std::array kNames{"PMIX_RANK", "PMI_RANK"};
  return std::ranges::any_of(
      kNames, [](const char* name) { return std::getenv(name) != nullptr; });  // NOLINT
}

/// Warns if srun has started several tasks that are not connected.
void warn_of_strangers(Context& context) {
  const auto value = [](const char* name) {
    const char* text = std::getenv(name);  // NOLINT
    return std::string(text == nullptr ? "" : text);
  };
  const std::string tasks = value("SLURM_STEP_NUM_TASKS");
  if (tasks.empty() || tasks == "1" || value("SLURM_PROCID") != "0") {
    return;
  }
  context.warn("srun has started " + tasks +
               " tasks that are not connected: each trains a model of its own (srun "
               "--mpi=pmix connects them)");
}

/// The path of the module: beside the program in a build tree, otherwise installed.
std::string module_path() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    throw IoError("started as one of several ranks, but cannot find " +
                      std::string(kModule) +
                      ", because /proc does not name the folder of this program",
                  error.value());
  }
  const auto folder = program.parent_path();
  for (const auto& place : {folder, folder / OA_MODULES}) {
    const auto path = place / kModule;
    if (std::filesystem::exists(path)) {
      return path.string();
    }
  }
  throw IoError("started as one of several ranks, but " +
                (folder / OA_MODULES / kModule).lexically_normal().string() +
                " is missing (install oa-tools-mpi, or build with libopenmpi-dev)");
}

template <class Function>
Function* function_in(void* module, const char* name, const std::string& path) {
  auto* function = reinterpret_cast<Function*>(::dlsym(module, name));
  if (function == nullptr) {
    throw IoError(path + ": no function " + name + " (expected that of oa-train " +
                  std::string(kVersion) + ")");
  }
  return function;
}

/// Throws IoError if the module has another version.
void check_version(void* module, const std::string& path) {
  const char* version = function_in<RanksVersion>(module, kRanksVersion, path)();
  if (version != kVersion) {
    throw IoError(path + " is of version " + version + " (expected " +
                  std::string(kVersion) + ", that of oa-train)");
  }
}

/// The result of a rank's preparation: facts, or an exit status and a message.
struct Answer {
  std::int32_t status = 0;
  std::map<std::string, std::string> says;  // facts, or {"", message}
};

Answer answer_of(const std::function<std::map<std::string, std::string>()>& prepare) {
  const auto failed = [](Exit status, const std::string& why) {
    return Answer{static_cast<std::int32_t>(status), {{"", why}}};
  };
  try {
    return {0, prepare()};
  } catch (const UsageError& error) {
    return failed(Exit::Usage, error.what());
  } catch (const InputError& error) {
    return failed(Exit::Input, error.what());
  } catch (const IoError& error) {
    return failed(Exit::System, error.what());
  } catch (const std::bad_alloc&) {
    return failed(Exit::System, "out of memory");
  }
}

void put(const void* data, std::size_t size, train::Bytes& to) {
  const auto* bytes = static_cast<const std::byte*>(data);
  to.insert(to.end(), bytes, bytes + size);
}

void put(const std::string& text, train::Bytes& to) {
  put(text.c_str(), text.size() + 1, to);
}

train::Bytes bytes_of(const Answer& answer) {
  train::Bytes bytes;
  put(&answer.status, sizeof answer.status, bytes);
  for (const auto& [name, value] : answer.says) {
    put(name, bytes);
    put(value, bytes);
  }
  return bytes;
}

Answer read_answer(const train::Bytes& bytes) {
  Answer answer;
  if (bytes.size() < sizeof answer.status) {
    throw InputError("a rank does not answer (expected the same version of oa-train)");
  }
  std::memcpy(&answer.status, bytes.data(), sizeof answer.status);
  std::string rest(reinterpret_cast<const char*>(bytes.data()) + sizeof answer.status,
                   bytes.size() - sizeof answer.status);
  const auto next = [&] {
    const auto end = std::min(rest.find('\0'), rest.size());
    std::string text = rest.substr(0, end);
    rest.erase(0, end + 1);
    return text;
  };
  while (!rest.empty()) {
    std::string name = next();
    answer.says[std::move(name)] = next();
  }
  return answer;
}

/// A message about the first difference; empty if the facts agree.
std::string difference(const std::map<std::string, std::string>& there,
                       const std::map<std::string, std::string>& here) {
  const auto text_in = [](const auto& all, const std::string& name) {
    const auto found = all.find(name);
    return found == all.end() ? "missing" : found->second;
  };
  std::map<std::string, std::string> names = there;
  names.insert(here.begin(), here.end());
  for (const auto& [name, value] : names) {
    if (text_in(there, name) != text_in(here, name)) {
      return setting_of(name) + " is " + text_in(there, name) + " (rank 0 has " +
             text_in(here, name) + ")";
    }
  }
  return "";
}

std::string name_of_rank(std::size_t r) {
  return "rank " + format(static_cast<std::int64_t>(r));
}

struct Failure {
  std::int32_t status = 0;
  std::string why;
};

Failure judge(std::span<const Answer> answers) {
  for (std::size_t r = 0; r < answers.size(); ++r) {
    if (answers[r].status != 0) {
      const std::string& why = answers[r].says.at("");
      return {answers[r].status, r == 0 ? why : name_of_rank(r) + ": " + why};
    }
  }
  for (std::size_t r = 1; r < answers.size(); ++r) {
    const std::string differs = difference(answers[r].says, answers[0].says);
    if (!differs.empty()) {
      return {static_cast<std::int32_t>(Exit::Input), name_of_rank(r) + ": " + differs};
    }
  }
  return {};
}

[[noreturn]] void throw_as(const Failure& failure) {
  switch (static_cast<Exit>(failure.status)) {
    case Exit::Usage: throw UsageError(failure.why);
    case Exit::Input: throw InputError(failure.why);
    default: throw IoError(failure.why);
  }
}

}  // namespace

std::unique_ptr<train::Ranks> join_ranks(Context& context) {
  if (!started_by_launcher()) {
    warn_of_strangers(context);
    return nullptr;
  }
  const std::string path = module_path();
  // Open MPI's plugins look for its functions in the global scope: RTLD_GLOBAL.
  void* module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (module == nullptr) {
    throw IoError(std::string("cannot load MPI: ") + ::dlerror());
  }
  check_version(module, path);
  auto* join = function_in<JoinRanks>(module, kJoinRanks, path);
  std::unique_ptr<train::Ranks> ranks(join(
      {context.token(), [&context](const std::string& text) { context.warn(text); }}));
  if (ranks->count() == 1) {
    return nullptr;
  }
  return ranks;
}

std::optional<Exit> agree(
    train::Ranks& ranks,
    const std::function<std::map<std::string, std::string>()>& prepare) {
  std::vector<Answer> answers;
  for (const train::Bytes& bytes : train::gather(ranks, bytes_of(answer_of(prepare)))) {
    answers.push_back(read_answer(bytes));
  }
  const Failure failure = judge(answers);
  if (failure.status == 0) {
    return std::nullopt;
  }
  if (ranks.rank() == 0) {
    throw_as(failure);
  }
  return static_cast<Exit>(failure.status);
}

}  // namespace oa::app
