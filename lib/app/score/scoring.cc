#include "app/score/scoring.h"

#include "app/images.h"
#include "app/score/evaluate.h"
#include "app/train/initial_model.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/output.h"
#include "oa/io/stream/stream.h"
#include "oa/io/table/scores_csv.h"
#include "oa/report/comparison_report.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace oa::app {
namespace {

/// Streams that should be all shards of one data set.
struct Joined {
  std::vector<std::string> files;  ///< sorted by shard, or by images
  /// The reasons why the streams are not all shards, such as "missing: shard 3/8".
  std::vector<std::string> complaints;
};

constexpr const char* kHistory = "oa.history";
constexpr std::string_view kShard = " --shard=";

/// A range of consecutive images.
struct Run {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::size_t part = 0;  ///< index of the range's file
};

struct Part {
  std::string path;
  std::optional<Shard> shard;
  std::map<std::string, std::string> head;  ///< metadata of the first head
  std::vector<Run> runs;
  std::string wrong;  ///< error message "cut: ..."; empty: complete
};

std::string text_of(const Shard& shard) {
  return format(shard.k) + "/" + format(shard.n);
}

/// Removes " --shard=K/N" from a history, and returns it.
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

/// True if head frames differ only in their history.
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

/// Checks that each shard named in the heads occurs once.
void count_shards(const std::vector<Part>& parts,
                  std::vector<std::string>& complaints) {
  // all[N][K] is the part that is shard K of N.
  std::map<std::int64_t, std::map<std::int64_t, const Part*>> all;
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

/// Reads all files.  Checks that heads agree, no image is in two files,
/// all streams are complete and no shard is missing.
/// Reports bad files as complaints; throws only IoError.
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

template <class Comparison>
ScoreReport compared(const Comparison& result,
                     const std::string& a,
                     const std::string& b,
                     bool json) {
  return {
      json ? report::comparison_json(result) : report::comparison_text(result, a, b),
      result.only_a + result.only_b == 0};
}

/// Makes writers for the table of predictions or of answers.
Takers tables(io::Output& csv) {
  Takers takers;
  takers.prediction = [table = io::ScoresWriter(csv)](
                          const score::Prediction& p) mutable { table.write(p); };
  takers.answer = [&csv, table = std::optional<io::AnswersWriter>()](
                      Objective objective, const io::AnswerRow& row) mutable {
    if (!table) {
      table.emplace(csv, objective);
    }
    table->write(row);
  };
  return takers;
}

std::string complaints_text(const std::vector<std::string>& complaints, bool json) {
  std::string text;
  JsonArray list;
  for (const std::string& complaint : complaints) {
    text += printable(complaint) + "\n";
    list.element(JsonValue(complaint));
  }
  return json ? JsonObject{{"whole", false}}.member("complaints", list).text() + "\n"
              : text;
}

void score_model(const ScoringOptions& o,
                 Context& context,
                 score::Run& run,
                 const Takers& takers) {
  ImageOptions images = o.images;
  images.images = o.model_is_operand() ? o.files[1] : the_file(o.files);
  const std::string& model = o.model_is_operand() ? o.files[0] : o.model;
  evaluate_model(model, images, o.exact, context, run, takers);
}

void warn_of_gaps(const score::Run& run, Context& context) {
  if (!run.complete) {
    context.warn("the stream is marked incomplete: images are missing");
  }
  if (!run.task && !run.least_squares && run.accuracy.images() > 1 &&
      run.accuracy.overall().total == 0) {
    context.warn("no labels: the accuracy is not known");
  }
}

std::string report_of(const ScoringOptions& o, const score::Run& run, bool json) {
  report::ReportSettings settings = o.report;
  if (o.asks_model()) {
    settings.classes = class_names_of(o.model_is_operand() ? o.files.front() : o.model);
  }
  return json ? report::report_json(run, settings) : report::report_text(run, settings);
}

}  // namespace

std::string the_file(const std::vector<std::string>& files) {
  if (files.size() > 1) {
    throw UsageError(files.back() +
                     " is one file too many (only a join takes several)");
  }
  return files.empty() ? "-" : files.front();
}

ScoreReport score(const ScoringOptions& o, Context& context) {
  const bool json = context.json();
  std::optional<io::Output> csv;
  if (!o.csv.empty()) {
    csv.emplace(o.csv);
  }
  score::Run run;
  const Takers takers = csv ? tables(*csv) : Takers{};
  const std::optional<Truth> truth =
      o.truth.empty() ? std::nullopt : std::optional<Truth>(o.truth);
  const StreamScoring how{truth ? &*truth : nullptr, o.marginals};
  if (o.asks_model()) {
    if (truth) {
      throw UsageError("truth", " is for a stream of least squares problems");
    }
    score_model(o, context, run, takers);
  } else if (o.join) {
    if (o.files.empty()) {
      throw UsageError("join", " needs files");
    }
    const Joined joined = look_at_shards(o.files, context);
    if (!joined.complaints.empty()) {
      return {complaints_text(joined.complaints, json), false};
    }
    for (const std::string& file : joined.files) {
      evaluate_stream(file, context, run, takers, how);
    }
  } else {
    evaluate_stream(the_file(o.files), context, run, takers, how);
  }
  if (context.interrupted()) {
    return {};
  }
  if (run.task && o.report.top_k > 0) {
    throw UsageError("top-k",
                     " needs a model of classes (this one predicts " +
                         field_text(run.task->objective) + ")");
  }
  if (run.least_squares && (csv || o.report.top_k > 0 || o.report.wrong)) {
    throw UsageError(csv                  ? "csv"
                     : o.report.top_k > 0 ? "top-k"
                                          : "wrong",
                     " is for models (these are least squares problems)");
  }
  warn_of_gaps(run, context);
  if (csv) {
    csv->commit();
  }
  return {o.only_table ? "" : report_of(o, run, json), run.complete};
}

ScoreReport compare_runs(const std::string& a, const std::string& b, Context& context) {
  const bool json = context.json();
  const RunResults run_a = read_results(a, context);
  const RunResults run_b = read_results(b, context);
  if (run_a.index() != run_b.index()) {
    throw InputError((run_a.index() == 0 ? b : a) +
                     ": answers of a task (the other run has predictions of classes)");
  }
  if (run_a.index() == 1) {
    return compared(score::compare(std::get<1>(run_a), std::get<1>(run_b)), a, b, json);
  }
  const score::Comparison result =
      score::compare(std::get<0>(run_a), std::get<0>(run_b));
  if (result.images > 0 && result.labelled == 0) {
    context.warn("no labels: accuracies are not compared");
  }
  return compared(result, a, b, json);
}

}  // namespace oa::app
