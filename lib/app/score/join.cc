#include "app/score/join.h"

#include "app/images.h"
#include "app/train/initial_model.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/stream/stream.h"

#include <algorithm>
#include <map>

namespace oa::app {
namespace {

constexpr const char* kHistory = "oa.history";
constexpr std::string_view kShard = " --shard=";

/// Consecutive images, first to last.
struct Run {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::size_t part = 0;  ///< index of their file
};

struct Part {
  std::string path;
  std::optional<Shard> shard;
  std::map<std::string, std::string> head;  ///< metadata of the first head frame
  std::vector<Run> runs;
  std::string wrong;  ///< "cut: ..."; empty: complete
};

std::string text_of(const Shard& shard) {
  return format(shard.k) + "/" + format(shard.n);
}

/// Removes " --shard=K/N" from a history.
std::optional<Shard> take_shard(std::string& history) {
  const auto at = history.find(kShard);
  if (at == std::string::npos) {
    return std::nullopt;
  }
  const auto begin = at + kShard.size();
  const auto end = std::min(history.find_first_of(" \n", begin), history.size());
  const auto shard = parse_shard(history.substr(begin, end - begin));
  if (shard) {
    history.erase(at, end - at);
  }
  return shard;
}

void take_head(const io::Frame& frame, Part& part) {
  std::map<std::string, std::string> head = frame.data.metadata;
  if (const auto shard = take_shard(head[kHistory])) {
    part.shard = shard;
  }
  for (const io::TensorView& tensor : frame.data.tensors()) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(tensor.bytes.data());
    head["tensor " + tensor.name] = fingerprint({{bytes, tensor.bytes.size()}});
  }
  part.head = std::move(head);
}

void take_image(const io::Frame& frame, std::size_t number, Part& part) {
  if (frame.place.head > 0) {
    return;  // counts an example once, not once a head
  }
  const auto index = frame.data.get<std::int64_t>("index", {1}, frame.where)[0];
  if (!part.runs.empty() && part.runs.back().last + 1 == index) {
    part.runs.back().last = index;
  } else {
    part.runs.push_back({index, index, number});
  }
}

Part look_at(const std::string& path, std::size_t number, Context& context) {
  Part part{.path = path, .shard = {}, .head = {}, .runs = {}, .wrong = {}};
  io::StreamReader reader(io::Input::open(path, context.token()));
  try {
    io::Frame frame;
    while (reader.next(frame)) {
      if (frame.kind == io::FrameKind::Head) {
        take_head(frame, part);
      } else {
        take_image(frame, number, part);
      }
    }
    if (!reader.complete()) {
      part.wrong = "incomplete: " + path + ": its writer was interrupted";
    }
  } catch (const InputError& error) {
    part.wrong = "cut: " + std::string(error.what());
  }
  return part;
}

/// True if head frames differ at most in their history.
bool of_same_model(const Part& a, const Part& b) {
  auto head = a.head;
  head[kHistory] = b.head.at(kHistory);
  return head == b.head;
}

void compare_heads(const std::vector<Part>& parts,
                   std::vector<std::string>& complaints) {
  const auto like =
      std::ranges::find_if(parts, [](const Part& part) { return !part.head.empty(); });
  if (like == parts.end()) {
    return;
  }
  for (const Part& part : parts) {
    if (part.head.empty() || part.head == like->head) {
      continue;
    }
    complaints.push_back("other: " + part.path +
                         (of_same_model(part, *like)
                              ? " was made by other commands than "
                              : " is not of the model of ") +
                         like->path);
  }
}

/// Checks that every shard named in the heads is there once.
void count_shards(const std::vector<Part>& parts,
                  std::vector<std::string>& complaints) {
  std::map<std::int64_t, std::map<std::int64_t, const Part*>> all;  // by N, by K
  for (const Part& part : parts) {
    if (!part.shard) {
      continue;
    }
    const auto [place, is_new] = all[part.shard->n].emplace(part.shard->k, &part);
    if (!is_new) {
      complaints.push_back("twice: " + part.path + " is shard " + text_of(*part.shard) +
                           ", as is " + place->second->path);
    }
  }
  if (all.size() > 1) {
    std::string counts;
    for (const auto& [n, shards] : all) {
      counts += (counts.empty() ? "" : " and of ") + format(n);
    }
    complaints.push_back("other: there are shards of " + counts);
    return;
  }
  for (const auto& [n, shards] : all) {
    std::int64_t next = 0;
    for (const auto& [k, part] : shards) {
      for (; next < k; ++next) {
        complaints.push_back("missing: shard " + text_of({next, n}));
      }
      next = k + 1;
    }
    for (; next < n; ++next) {
      complaints.push_back("missing: shard " + text_of({next, n}));
    }
  }
}

void find_images_twice(const std::vector<Part>& parts,
                       std::vector<std::string>& complaints) {
  std::vector<Run> runs;
  for (const Part& part : parts) {
    runs.insert(runs.end(), part.runs.begin(), part.runs.end());
  }
  std::ranges::sort(
      runs, {}, [](const Run& run) { return std::pair(run.first, run.part); });
  for (std::size_t i = 1; i < runs.size(); ++i) {
    Run& before = runs[i - 1];
    Run& run = runs[i];
    if (run.first <= before.last) {
      complaints.push_back(
          "twice: image " + format(run.first) + " is in " + parts[before.part].path +
          (run.part == before.part ? "" : " and in " + parts[run.part].path));
      run.last = std::max(run.last, before.last);
    }
  }
}

}  // namespace

Joined look_at_shards(const std::vector<std::string>& paths, Context& context) {
  std::vector<Part> parts;
  Joined joined;
  context.progress().start("shards", std::ssize(paths));
  for (const std::string& path : paths) {
    parts.push_back(look_at(path, parts.size(), context));
    context.progress().advance(1);
  }
  context.progress().finish();
  for (const Part& part : parts) {
    if (!part.wrong.empty()) {
      joined.complaints.push_back(part.wrong);
    }
  }
  compare_heads(parts, joined.complaints);
  count_shards(parts, joined.complaints);
  find_images_twice(parts, joined.complaints);
  std::ranges::stable_sort(parts, {}, [](const Part& part) {
    return std::pair(part.shard ? part.shard->k : 0,
                     part.runs.empty() ? 0 : part.runs.front().first);
  });
  for (Part& part : parts) {
    joined.files.push_back(std::move(part.path));
  }
  return joined;
}

}  // namespace oa::app
