#pragma once

#include "app/images.h"
#include "oa/io/stream/example_reader.h"
#include "oa/io/stream/stream.h"
#include "oa/qubo/problem.h"
#include "oa/train/source.h"

#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// Poses the problems of one layer of a model.  Each thread needs its own Poser.
class Poser {
 public:
  /// Earlier layers use the optima of their problems.
  /// `head` limits the problems to one head.
  Poser(const model::Model& model, int layer, std::optional<int> head);

  /// Returns the problems of example k, one for each head.
  [[nodiscard]] std::vector<qubo::Problem> pose(const ExampleSource& source,
                                                std::int64_t k);
  /// Poses the problems from solutions of all heads of the previous layer.  Throws
  /// InputError, whose message begins with `where`, if these belong to another example.
  [[nodiscard]] std::vector<qubo::Problem> pose(
      const ExampleSource& source,
      std::int64_t k,
      const std::vector<qubo::SolvedProblem>& answers,
      const std::string& where);

 private:
  [[nodiscard]] train::Source::Example begin(const ExampleSource& source,
                                             std::int64_t k);
  [[nodiscard]] std::vector<qubo::Problem> problems(
      const ExampleSource& source,
      std::int64_t k,
      const train::Source::Example& example);

  parts::Weights weights_;
  model::Network network_;
  int layer_;
  std::optional<int> head_;
  std::optional<train::Source> examples_;
};

/// Reads the solutions of a layer from a stream, example by example.
class AnswerReader {
 public:
  /// Throws InputError unless the stream has solutions of `layer` of such a model.
  AnswerReader(const std::string& path,
               const model::Config& config,
               int layer,
               Context& context);

  struct Answers {
    std::vector<qubo::SolvedProblem> heads;
    std::string where;
  };
  /// The next example's solutions.  Throws InputError at the end of the stream.
  [[nodiscard]] Answers next();

 private:
  std::string path_;
  const model::Config& config_;
  int layer_;
  io::StreamReader reader_;
  io::ExampleReader examples_;
};

}  // namespace oa::app
