#include "app/pose/posing.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/encode/encode.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/tensor/model_io.h"
#include "oa/score/aggregate.h"

#include <cstddef>

namespace oa::app {
namespace {

/// Lists the last layer's queries whose outputs are used; empty: all queries.
std::vector<int> used_queries(const model::Config& config,
                              const model::Answer& answer) {
  std::vector<int> selected;
  for (int i = 0; i < static_cast<int>(std::ssize(answer.numbers)); ++i) {
    if (config.objective == Objective::Positions && !config.query_positions &&
        answer.numbers[static_cast<std::size_t>(i)] >= 0) {
      selected.push_back(i);
    }
  }
  return selected;
}

/// Copies rows `selected` of an array with `width` columns; all rows if it is empty.
template <class T>
std::vector<T> rows_of(std::span<const T> all,
                       std::size_t width,
                       std::span<const int> selected) {
  if (selected.empty()) {
    return {all.begin(), all.end()};
  }
  std::vector<T> rows;
  rows.reserve(selected.size() * width);
  for (const int i : selected) {
    const auto row = all.subspan(static_cast<std::size_t>(i) * width, width);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

/// Adds the targets of the selected queries.
void add_targets(const model::Config& config,
                 const model::Answer& answer,
                 std::span<const int> selected,
                 qubo::Problem& example) {
  if (config.objective == Objective::Class) {
    return;
  }
  example.targets.per_row = answer.per_row;
  example.targets.numbers = rows_of<std::int32_t>(
      answer.numbers, static_cast<std::size_t>(answer.per_row), selected);
}

void add_residual(num::ConstView residual,
                  std::span<const int> selected,
                  qubo::Problem& example) {
  if (residual.rows == 0) {
    return;
  }
  const int count =
      selected.empty() ? residual.rows : static_cast<int>(selected.size());
  for (int k = 0; k < count; ++k) {
    const int i = selected.empty() ? k : selected[static_cast<std::size_t>(k)];
    example.residual.insert(
        example.residual.end(), residual.row(i), residual.row(i) + residual.cols);
  }
}

}  // namespace

Poser::Poser(const model::Model& model, int layer, std::optional<int> head)
    : weights_(model.layout),
      network_(model.config, solver_of(layer > 0)),
      layer_(layer),
      head_(head) {
  weights_.set(model.values);
}

train::Source::Example Poser::begin(const ExampleSource& source, std::int64_t k) {
  if (!examples_) {
    examples_.emplace(source.data());
  }
  train::Source::Example example = examples_->example(source.place(k));
  network_.begin(weights_, example.input);
  return example;
}

std::vector<qubo::Problem> Poser::pose(const ExampleSource& source, std::int64_t k) {
  const train::Source::Example example = begin(source, k);
  for (int l = 0; l < layer_; ++l) {
    network_.attend(weights_, l);
    network_.finish(weights_, l);
  }
  return problems(source, k, example);
}

std::vector<qubo::Problem> Poser::pose(const ExampleSource& source,
                                       std::int64_t k,
                                       const std::vector<qubo::SolvedProblem>& answers,
                                       const std::string& where) {
  const train::Source::Example example = begin(source, k);
  const num::View o = network_.output(layer_ - 1);
  const qubo::Problem& first = answers.front().problem;
  if (first.index != source.index(k) || first.n != o.rows || first.d != o.cols) {
    throw InputError(where + ": answers of example " + format(first.index) + ", " +
                     format(first.n) + " queries of width " + format(first.d) +
                     " (expected example " + format(source.index(k)) + ", " +
                     format(o.rows) + " of width " + format(o.cols) + ")");
  }
  score::aggregate(answers, model::weights_of(network_.config(), layer_ - 1), o);
  network_.hand_on(weights_, layer_ - 1);
  return problems(source, k, example);
}

std::vector<qubo::Problem> Poser::problems(const ExampleSource& source,
                                           std::int64_t k,
                                           const train::Source::Example& example) {
  qubo::Problem rest;
  rest.index = source.index(k);
  rest.label = source.label(k);
  if (head_) {
    const auto heads = network_.pose(weights_, layer_);
    return encode::encode(
        heads.subspan(static_cast<std::size_t>(*head_), 1), layer_, rest);
  }
  const model::Config& config = network_.config();
  const bool last = layer_ + 1 == config.layers;
  const std::vector<int> selected =
      last ? used_queries(config, example.answer) : std::vector<int>{};
  std::optional<attention::QueryRows> rows;
  if (!selected.empty()) {
    rows = {selected.front(), selected.back() + 1};
  }
  add_residual(network_.residual(layer_), selected, rest);
  if (last) {
    add_targets(config, example.answer, selected, rest);
  }
  return encode::encode(network_.pose(weights_, layer_, rows), layer_, rest, selected);
}

AnswerReader::AnswerReader(const std::string& path,
                           const model::Config& config,
                           int layer,
                           Context& context)
    : path_(path),
      config_(config),
      layer_(layer),
      reader_(io::Input::open(path, context.token())),
      examples_(reader_) {}

AnswerReader::Answers AnswerReader::next() {
  for (;;) {
    const std::vector<io::Frame> frames = examples_.next();
    if (frames.empty()) {
      throw InputError(path_ + ": too few examples");
    }
    const std::string& where = frames.front().where;
    if (frames.front().kind == io::FrameKind::Head) {
      if (!(io::read_config(frames.front().data, where) == config_)) {
        throw InputError(where + ": answers for another model");
      }
      continue;
    }
    Answers answers;
    answers.where = where;
    for (const io::Frame& frame : frames) {
      answers.heads.push_back(io::read_solution(frame));
    }
    const qubo::Problem& first = answers.heads.front().problem;
    if (first.place.layer != layer_ ||
        std::ssize(answers.heads) != model::heads_of(config_, layer_)) {
      throw InputError(where + ": answers of layer " + format(first.place.layer) +
                       ", " + format(int(std::ssize(answers.heads))) +
                       " heads (expected layer " + format(layer_) + ", " +
                       format(model::heads_of(config_, layer_)) + ")");
    }
    return answers;
  }
}

}  // namespace oa::app
