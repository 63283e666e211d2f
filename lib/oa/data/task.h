#pragma once

#include "oa/base/field_table.h"
#include "oa/data/dataset.h"
#include "oa/data/pictures.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace oa {

/// Generated tasks, which models without attention cannot solve; see oa-tasks(1).
enum class Task : std::uint8_t { Recall, Induction, Copy, Superposed, Scenes };

template <>
struct EnumNames<Task> {
  static constexpr std::array kAll{
      "recall", "induction", "copy", "superposed", "scenes"};
};

/// The options of all tasks; uses_option() tells which task has which option.
struct TaskOptions {
  int pairs = 8;
  int keys = 32;

  int length = 32;
  int period_min = 8;
  int period_max = 13;
  int vocabulary = 32;

  int tokens = 8;
  int places = 24;

  int memory = 24;
  int sum = 4;
  int amounts = 1;
  int width = 16;
  double noise = 0.05;
  int labels = 64;
  int asking = 8;
  bool pictures = false;

  int cells = 7;
  int digits_min = 3;
  int digits_max = 5;
  int clutter = 6;
};

[[nodiscard]] const FieldTable<TaskOptions>& task_fields();

/// True if `task` has the option of the field `name`.
[[nodiscard]] bool uses_option(Task task, std::string_view name);

/// Explains how options contradict each other ("sum 30 is above memory 24"); else
/// empty.  Each number must be in its range.
[[nodiscard]] std::string refusal_of(Task task,
                                     const TaskOptions& options,
                                     const Pictures& pictures);

/// True if examples contain pictures of digits.
[[nodiscard]] bool takes_pictures(Task task, const TaskOptions& options);

/// Draws examples first, ..., first + count - 1 of an endless split, all of one size.
/// Example i depends only on (options, pictures, seed, split, i), so ranges can be
/// drawn separately.  Splits share no random numbers.  Requires an empty refusal_of().
[[nodiscard]] Dataset draw_task(Task task,
                                const TaskOptions& options,
                                const Pictures& pictures,
                                std::uint64_t seed,
                                Split split,
                                int first,
                                int count);

}  // namespace oa
