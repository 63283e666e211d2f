#include "oa/data/task.h"

#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/data/generators.h"

#include <algorithm>
#include <cassert>
#include <initializer_list>
#include <vector>

namespace oa {
namespace {

constexpr std::array kOptionFields{
    field<&TaskOptions::pairs>(
        "pairs", "recall: number of pairs of a key and a value", {.range = {1, 4096}}),
    field<&TaskOptions::keys>(
        "keys", "recall: number of different keys and values", {.range = {1, 65536}}),
    field<&TaskOptions::length>(
        "length", "induction: tokens in a sequence", {.range = {2, 65536}}),
    field<&TaskOptions::period_min>(
        "period_min", "induction: shortest period", {.range = {1, 65536}}),
    field<&TaskOptions::period_max>(
        "period_max", "induction: longest period", {.range = {1, 65536}}),
    field<&TaskOptions::vocabulary>("vocabulary",
                                    "induction, copy: number of different tokens",
                                    {.range = {1, 65536}}),
    field<&TaskOptions::tokens>(
        "tokens", "copy: tokens to copy", {.range = {1, 32768}}),
    field<&TaskOptions::places>(
        "places", "copy: positions for tokens and noise", {.range = {1, 32768}}),
    field<&TaskOptions::memory>(
        "memory", "superposed: number of labelled vectors", {.range = {1, 4096}}),
    field<&TaskOptions::sum>("sum",
                             "superposed: number of vectors that a query is the sum of",
                             {.range = {1, 4096}}),
    field<&TaskOptions::amounts>("amounts",
                                 "superposed: each vector is added 1 to N times",
                                 {.range = {1, 16}, .later = true}),
    field<&TaskOptions::width>(
        "width", "superposed: width of a vector", {.range = {1, 4096}}),
    field<&TaskOptions::noise>("noise",
                               "superposed: standard deviation of the noise of a query",
                               {.range = {0, 1000}}),
    field<&TaskOptions::labels>(
        "labels", "superposed: number of different labels", {.range = {1, 65536}}),
    field<&TaskOptions::asking>(
        "asking", "superposed: queries in an example", {.range = {1, 4096}}),
    field<&TaskOptions::pictures>(
        "pictures",
        "superposed: overlay images of digits instead of adding vectors",
        {.no_option = "pictures is a flag"}),
    field<&TaskOptions::cells>(
        "cells", "scenes: cells in each row and column", {.range = {1, 64}}),
    field<&TaskOptions::digits_min>(
        "digits_min", "scenes: fewest digits", {.range = {0, 10}}),
    field<&TaskOptions::digits_max>(
        "digits_max", "scenes: most digits", {.range = {0, 10}}),
    field<&TaskOptions::clutter>("clutter",
                                 "scenes: cells with strokes that are not digits",
                                 {.range = {0, 4096}}),
};

struct TaskEntry {
  Task task;
  std::vector<std::string_view> options;
  Dataset (*draw)(const Draw& draw);
};

const TaskEntry& entry_of(Task task) {
  static const std::array kEntries{
      TaskEntry{Task::Recall, {"pairs", "keys"}, draw_recall},
      TaskEntry{Task::Induction,
                {"length", "period_min", "period_max", "vocabulary"},
                draw_induction},
      TaskEntry{Task::Copy, {"vocabulary", "tokens", "places"}, draw_copy},
      TaskEntry{Task::Superposed,
                {"memory",
                 "sum",
                 "amounts",
                 "width",
                 "noise",
                 "labels",
                 "asking",
                 "pictures"},
                draw_superposed},
      TaskEntry{
          Task::Scenes, {"cells", "digits_min", "digits_max", "clutter"}, draw_scenes},
  };
  const TaskEntry& entry = kEntries[at(static_cast<int>(task))];
  assert(entry.task == task);
  return entry;
}

struct Above {
  std::string_view name;
  int value;
  std::string_view limit_name;
  int limit;

  [[nodiscard]] bool holds() const { return value > limit; }
  [[nodiscard]] std::string text() const {
    return std::string(name) + " " + format(value) + " is above " +
           std::string(limit_name) + " " + format(limit);
  }
};

std::string first_of(std::initializer_list<Above> all) {
  const auto* found = std::ranges::find_if(all, &Above::holds);
  return found == all.end() ? std::string{} : found->text();
}

std::string refusal_of_scenes(const TaskOptions& o, const Pictures& pictures) {
  constexpr int kMinSide = 10;
  const std::string refused =
      first_of({{"digits-min", o.digits_min, "digits-max", o.digits_max},
                {"digits-max and clutter, together",
                 o.digits_max + o.clutter,
                 "the number of cells,",
                 o.cells * o.cells}});
  if (!refused.empty()) {
    return refused;
  }
  if (std::min(pictures.rows(), pictures.cols()) < kMinSide) {
    return format(pictures.rows()) + "x" + format(pictures.cols()) +
           " pixels are too few for scenes (expected 10 each way)";
  }
  for (const Split split : {Split::Train, Split::Test}) {
    for (int digit = 0; digit < 10; ++digit) {
      if (pictures.count_of(split, digit) == 0) {
        return "no picture of a " + format(digit) + " among those for " +
               (split == Split::Train ? "training" : "test") + " examples";
      }
    }
  }
  return {};
}

std::string refusal_of_superposed(const TaskOptions& o, const Pictures& pictures) {
  std::string refused = first_of(
      {{"sum", o.sum, "memory", o.memory},
       {"memory", o.memory, "labels", o.labels},
       {"labels times amounts", o.labels * o.amounts, "the most classes,", 65536}});
  if (refused.empty() && o.pictures) {
    refused = first_of(
        {{"memory",
          o.memory,
          "the number of images for test examples,",
          std::min(pictures.count(Split::Train), pictures.count(Split::Test))}});
  }
  return refused;
}

}  // namespace

const FieldTable<TaskOptions>& task_fields() {
  static constexpr FieldTable<TaskOptions> kTable{"", kOptionFields};
  return kTable;
}

bool uses_option(Task task, std::string_view name) {
  const auto& names = entry_of(task).options;
  return std::ranges::find(names, name) != names.end();
}

std::string refusal_of(Task task, const TaskOptions& o, const Pictures& pictures) {
  switch (task) {
    case Task::Recall: return first_of({{"pairs", o.pairs, "keys", o.keys}});
    case Task::Induction:
      return first_of(
          {{"period-min", o.period_min, "period-max", o.period_max},
           {"period-max", o.period_max, "vocabulary", o.vocabulary},
           {"period-max", o.period_max, "length minus one,", o.length - 1}});
    case Task::Copy: return first_of({{"tokens", o.tokens, "places", o.places}});
    case Task::Superposed: return refusal_of_superposed(o, pictures);
    case Task::Scenes: return refusal_of_scenes(o, pictures);
  }
  return {};
}

bool takes_pictures(Task task, const TaskOptions& o) {
  return task == Task::Scenes || (task == Task::Superposed && o.pictures);
}

Dataset draw_task(Task task,
                  const TaskOptions& options,
                  const Pictures& pictures,
                  std::uint64_t seed,
                  Split split,
                  int first,
                  int count) {
  const Rng stream = Rng(seed).fork(static_cast<std::uint64_t>(split));
  return entry_of(task).draw({options, pictures, stream, split, first, count});
}

Dataset make_sequences(int count, int length, int vocabulary, int classes) {
  Dataset set;
  set.sequences.vocabulary = vocabulary;
  set.sequences.ids.assign(at(count) * at(length), -1);
  for (int i = 0; i < count; ++i) {
    set.sequences.places.push_back({std::int64_t{i} * length, length});
  }
  set.targets.objective = Objective::Positions;
  set.targets.classes = classes;
  set.targets.numbers.assign(at(count) * at(length), -1);
  return set;
}

}  // namespace oa
