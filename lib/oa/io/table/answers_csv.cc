#include "oa/io/table/answers_csv.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/table/csv.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace oa::io {
namespace {

std::string joined(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) {
    text += (text.empty() ? "" : " ") + format(number);
  }
  return text;
}

/// Indices of the table's columns.
struct AnswerColumns {
  std::size_t index = 0;
  std::size_t correct = 0;
  std::optional<std::size_t> surprise;
  std::size_t count = 0;
};

AnswerColumns read_answer_header(const std::vector<std::string_view>& names,
                                 const std::string& where) {
  const auto place = [&](std::string_view name) -> std::optional<std::size_t> {
    if (std::ranges::count(names, name) > 1) {
      throw InputError(where + ": column '" + std::string(name) + "' appears twice");
    }
    const auto found = std::ranges::find(names, name);
    return found == names.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - names.begin()));
  };
  const auto index = place("idx");
  const auto correct = place("correct");
  if (!place("row") || !index || !correct) {
    throw InputError(where +
                     ": not a table of answers (expected the columns idx, row and "
                     "correct)");
  }
  return {*index, *correct, place("surprise"), names.size()};
}

/// Reads an answer from the cells of a row.
score::TaskResult read_answer(const AnswerColumns& columns,
                              const std::vector<std::string_view>& cells,
                              const std::string& where) {
  const auto fail = [&](std::size_t column, const std::string& expected) {
    throw InputError(where + ": '" + std::string(cells[column].substr(0, 40)) +
                     "' (expected " + expected + ")");
  };
  score::TaskResult one;
  const auto index = parse_int(cells[columns.index]);
  if (!index || *index < 0) {
    fail(columns.index, "idx, a whole number from 0");
  }
  one.index = *index;
  const std::string_view correct = cells[columns.correct];
  if (!correct.empty() && correct != "True" && correct != "False") {
    fail(columns.correct, "True, False or nothing");
  }
  one.asked = correct.empty() ? 0 : 1;
  one.correct = correct == "True" ? 1 : 0;
  if (columns.surprise) {
    one.surprise = parse_double(cells[*columns.surprise]);
    if (!one.surprise) {
      fail(*columns.surprise, "a number");
    }
  }
  return one;
}

}  // namespace

AnswersWriter::AnswersWriter(Output& output, Objective objective)
    : output_(output),
      objective_(objective) {
  output_.write(std::string("idx,row,target,pred,correct") +
                (objective == Objective::Positions ? ",surprise"
                 : objective == Objective::Cells   ? ",present"
                                                   : "") +
                "\n");
}

void AnswersWriter::write(const AnswerRow& row) {
  const auto truth = [](bool value) { return value ? "True" : "False"; };
  // A class without cells has no question.
  const bool has_question = objective_ != Objective::Cells || !row.right.empty();
  std::string line = format(row.index) + "," + format(row.row) + "," +
                     joined(row.right) + "," + joined(row.answer) + "," +
                     (has_question ? truth(row.correct) : "");
  if (objective_ == Objective::Positions) {
    line += "," + format(row.surprise);
  } else if (objective_ == Objective::Cells) {
    line += std::string(",") + truth(row.present);
  }
  output_.write(line + "\n");
}

bool are_answers(Input& input) {
  constexpr std::size_t kLine = 200;  // more than the length of the table's header
  const std::string_view text = as_text(input.peek(kLine)).substr(0, kLine);
  const std::string line =
      "," + std::string(text.substr(0, text.find_first_of("\r\n"))) + ",";
  return line.find(",row,") != std::string::npos &&
         line.find(",correct,") != std::string::npos;
}

std::vector<score::TaskResult> read_answers(Input& input) {
  CsvReader reader(input);
  std::vector<std::string_view> cells;
  if (!reader.next(cells)) {
    throw InputError(input.name() + ": empty (expected a table of answers)");
  }
  const AnswerColumns columns = read_answer_header(cells, reader.where());
  std::vector<score::TaskResult> examples;
  std::map<std::int64_t, std::size_t> place;
  while (reader.next(cells, columns.count)) {
    const score::TaskResult row = read_answer(columns, cells, reader.where());
    const auto [found, is_new] = place.try_emplace(row.index, examples.size());
    if (is_new) {
      examples.push_back(row);
      continue;
    }
    score::TaskResult& example = examples[found->second];
    example.asked += row.asked;
    example.correct += row.correct;
    if (row.surprise) {
      *example.surprise += *row.surprise;
    }
  }
  return examples;
}

}  // namespace oa::io
