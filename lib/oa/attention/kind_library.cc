#include "oa/attention/kind_library.h"

#include "oa/attention/kinds.h"
#include "oa/base/error.h"
#include "oa/base/version.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <vector>

#include <dlfcn.h>

namespace oa::attention {
namespace {

constexpr const char* kSurvey = "liboa-survey.so";
constexpr const char* kVariable = "OA_KINDS";

/// All known kinds in the order of the manual: kinds of libraries are in the middle.
class KnownKinds {
 public:
  /// Opens the survey and the libraries that OA_KINDS names, unless this was done.
  void complete() {
    if (complete_) {
      return;
    }
    complete_ = true;
    const std::filesystem::path survey = folder_of_this_library() / kSurvey;
    if (std::filesystem::exists(survey)) {
      open(survey.string());
    } else {
      missing_ = survey.string();
    }
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment
    const char* paths = std::getenv(kVariable);
    std::string_view rest = paths == nullptr ? "" : paths;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      open(std::string(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  void open(const std::string& path) {
    // The system would look for a path without a slash in its own folders.
    const std::string file = std::filesystem::absolute(path).string();
    void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      throw InputError(std::string("cannot open a library of kinds: ") + ::dlerror());
    }
    if (!libraries_.insert(library).second) {
      return;
    }
    const auto* added = static_cast<const KindLibrary*>(::dlsym(library, "oa_kinds"));
    if (added == nullptr) {
      throw InputError(path + ": no library of kinds of attention (expected oa_kinds)");
    }
    if (added->version != kVersion) {
      throw InputError(path + " is of version " + std::string(added->version) +
                       " (expected " + std::string(kVersion) + ")");
    }
    for (const Kind* kind : added->kinds) {
      if (find(kind->name) != nullptr) {
        throw InputError(path + ": attention '" + std::string(kind->name) +
                         "' is known already");
      }
      kinds_.insert(kinds_.end() - kLast, kind);
    }
  }

  [[nodiscard]] const Kind* find(std::string_view name) const {
    const auto found = std::ranges::find(kinds_, name, &Kind::name);
    return found == kinds_.end() ? nullptr : *found;
  }
  [[nodiscard]] const std::vector<const Kind*>& kinds() const { return kinds_; }
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  /// Returns the folder of this library, or of the program if the library is static.
  static std::filesystem::path folder_of_this_library() {
    Dl_info info{};
    return ::dladdr(kVariable, &info) == 0
               ? std::filesystem::path{}
               : std::filesystem::path(info.dli_fname).parent_path();
  }

  static constexpr int kLast = 3;  // kinds of the core after other kinds
  std::vector<const Kind*> kinds_{&kOptimizing, &kSoftmax, &kUniform, &kMlp, &kQuery};
  std::set<void*> libraries_;
  std::string missing_;
  bool complete_ = false;
};

/// Gives the known kinds to one thread at a time.
class LockedKinds {
 public:
  KnownKinds* operator->() const { return &known(); }

 private:
  static KnownKinds& known() {
    static KnownKinds all;
    return all;
  }
  static std::mutex& mutex() {
    static std::mutex all;
    return all;
  }

  std::lock_guard<std::mutex> lock_{mutex()};
};

}  // namespace

std::vector<const Kind*> all_kinds() {
  const LockedKinds known;
  known->complete();
  return known->kinds();
}

const Kind* find_kind(std::string_view name) {
  const LockedKinds known;
  if (const Kind* found = known->find(name)) {
    return found;
  }
  known->complete();
  return known->find(name);
}

void open_kind_library(const std::string& path) {
  const LockedKinds known;
  known->complete();
  known->open(path);
}

std::string missing_survey() {
  const LockedKinds known;
  known->complete();
  return known->missing();
}

}  // namespace oa::attention
