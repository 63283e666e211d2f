// Reads streams of solutions for figures.
#include "app/figure/sources.h"
#include "app/figure/tokens.h"
#include "app/images.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/io/stream/cut.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/tensor/model_io.h"
#include "oa/score/aggregate.h"
#include "oa/score/gaps.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace oa::app {
namespace {

/// Reads the next frame that is a problem or a solution.
std::optional<io::Frame> next_image(io::StreamReader& reader) {
  auto frame = reader.next();
  while (frame && frame->kind == io::FrameKind::Head) {
    frame = reader.next();
  }
  return frame;
}

qubo::SolvedProblem solution_of(const io::Frame& frame) {
  if (frame.kind != io::FrameKind::Solution) {
    throw InputError(frame.where +
                     ": a problem without its solution (expected what oa-anneal "
                     "writes)");
  }
  return io::read_solution(frame);
}

plot::SparsityMap map_of(const qubo::SolvedProblem& s) {
  plot::SparsityMap map;
  map.index = s.problem.index;
  map.label = s.problem.label;
  map.n = s.problem.n;
  map.m = s.problem.m;
  map.sizes = s.problem.sizes;
  map.head = s.problem.place.head;
  map.heads = s.problem.place.heads;
  map.binary = s.problem.coefficients == Coefficients::Binary && s.real_x.empty();
  const num::Matrix x = score::coefficients_of(s);
  for (int i = 0; i < map.n; ++i) {
    map.value.insert(map.value.end(), x.row(i), x.row(i) + map.m);
  }
  map.energy = s.energy;
  map.problems = s.problem.n;
  for (const qubo::Status status : s.status) {
    map.proved_optimal += status == qubo::Status::ProvedOptimal ? 1 : 0;
  }
  return map;
}

/// Adds the picture or the tokens' names from the file `pixels`.
void add_pixels(const std::string& path,
                const std::string& pixels,
                const std::optional<model::Config>& config,
                Context& context,
                plot::SparsityMap& map) {
  if (config) {
    const ExampleSource source({.images = pixels}, *config, context);
    if (map.index >= source.size()) {
      throw InputError(pixels + ": no example " + format(map.index) + " (it has " +
                       format(source.size()) + ")");
    }
    name_tokens(source.data(), *config, source.index(static_cast<int>(map.index)), map);
    return;
  }
  if (!map.sizes.empty()) {
    throw InputError(path +
                     ": queries have unequal numbers of values (expected patches of "
                     "an image)");
  }
  map.picture = read_picture(pixels, map.index, context);
}

}  // namespace

void add_to_mean(const plot::SparsityMap& one,
                 const std::string& where,
                 plot::SparsityMap& sum) {
  if (sum.images == 0) {
    sum = one;
    sum.energy.clear();
    return;
  }
  if (one.n != sum.n || one.m != sum.m) {
    throw InputError(where + ": " + format(one.n) + " queries of " + format(one.m) +
                     " values (expected " + format(sum.n) + " of " + format(sum.m) +
                     ", as in the images before)");
  }
  if (one.sizes != sum.sizes) {
    throw InputError(where +
                     ": its queries have other numbers of values than those of the "
                     "images before");
  }
  for (std::size_t i = 0; i < sum.value.size(); ++i) {
    sum.value[i] += one.value[i];
  }
  ++sum.images;
  sum.binary = sum.binary && one.binary;
  sum.problems += one.problems;
  sum.proved_optimal += one.proved_optimal;
}

void finish_mean(plot::SparsityMap& sum) {
  for (double& value : sum.value) {
    value /= static_cast<double>(sum.images);
  }
}

namespace {

/// The index of an example, and the number of a head.
using HeadKey = std::pair<std::int64_t, int>;

using SolvedImages = std::map<HeadKey, score::SolvedImage>;

SolvedImages read_solved(const std::string& path, Context& context, bool& complete) {
  io::StreamReader reader(io::Input::open(path, context.token()));
  SolvedImages all;
  const auto work = [](const io::Frame& frame, int) {
    qubo::SolvedProblem s = solution_of(frame);
    return std::pair(HeadKey(s.problem.index, s.problem.place.head),
                     score::solved_image(s));
  };
  context.progress().start("images", 0);
  ordered_pipeline(
      context.threads(),
      context.stop(),
      [&] { return next_image(reader); },
      work,
      [&](std::pair<HeadKey, score::SolvedImage> one) {
        all.insert_or_assign(one.first, std::move(one.second));
        context.progress().advance(1);
      });
  context.progress().finish();
  complete = complete && reader.complete();
  return all;
}

/// The solutions of one head of an image in all streams; empty if a stream lacks them.
std::vector<const score::SolvedImage*> in_all(const std::vector<SolvedImages>& streams,
                                              const HeadKey& key,
                                              const std::vector<std::string>& paths) {
  std::vector<const score::SolvedImage*> found;
  for (std::size_t r = 0; r < streams.size(); ++r) {
    const auto at = streams[r].find(key);
    if (at == streams[r].end()) {
      return {};
    }
    if (!found.empty() && (at->second.problem != found.front()->problem ||
                           at->second.energy.size() != found.front()->energy.size())) {
      throw InputError(paths[r] + ": image " + format(key.first) +
                       ": other problems than in " + paths[0] +
                       " (expected solutions of the same)");
    }
    found.push_back(&at->second);
  }
  return found;
}

}  // namespace

plot::SparsityMap read_one_map(const std::string& path,
                               std::optional<std::int64_t> index,
                               int head,
                               const std::string& pixels,
                               Context& context) {
  io::StreamReader reader(io::Input::open(path, context.token()));
  io::Cut cut;
  if (index) {
    cut.select = IndexSet::parse(format(*index));
  } else {
    cut.head = 1;
  }
  std::optional<plot::SparsityMap> map;
  std::optional<model::Config> config;  // the stream's model
  io::visit_cut(reader, cut, [&](const io::Frame& frame) {
    if (frame.kind == io::FrameKind::Head && !map &&
        frame.data.metadata.contains("oa.attention")) {
      config = io::read_config(frame.data, frame.where);
    }
    if (frame.kind != io::FrameKind::Head && frame.place.head == head && !map) {
      map = map_of(solution_of(frame));
    }
  });
  if (!map) {
    throw InputError(reader.name() +
                     (head > 0 ? ": no head " + format(head) + " of " : ": no ") +
                     (index      ? "image " + format(*index)
                      : head > 0 ? "an image"
                                 : "image") +
                     " in the stream");
  }
  if (!pixels.empty()) {
    add_pixels(path, pixels, config, context, *map);
  }
  return *map;
}

plot::SparsityMap read_mean_map(const std::string& path,
                                int head,
                                Context& context,
                                bool& complete) {
  io::StreamReader reader(io::Input::open(path, context.token()));
  plot::SparsityMap sum;
  sum.images = 0;
  const auto read = [&] {
    auto frame = next_image(reader);
    while (frame && frame->place.head != head) {
      frame = next_image(reader);
    }
    return frame;
  };
  const auto work = [](const io::Frame& frame, int) {
    return std::pair(map_of(solution_of(frame)), frame.where);
  };
  context.progress().start("images", 0);
  ordered_pipeline(context.threads(), context.stop(), read, work, [&](const auto& one) {
    add_to_mean(one.first, one.second, sum);
    context.progress().advance(1);
  });
  context.progress().finish();
  if (sum.images == 0 && !context.interrupted()) {
    throw InputError(reader.name() + ": no " +
                     (head > 0 ? "head " + format(head) + " of an image" : "image") +
                     " in the stream");
  }
  finish_mean(sum);
  complete = reader.complete();
  return sum;
}

plot::Gaps read_gaps(const std::vector<std::string>& paths,
                     Context& context,
                     bool& complete) {
  std::vector<SolvedImages> streams;
  for (const std::string& path : paths) {
    streams.push_back(read_solved(path, context, complete));
  }
  score::GapCount count(streams.size());
  std::size_t shared = 0;
  for (const auto& [key, first] : streams.front()) {
    const std::vector<const score::SolvedImage*> runs = in_all(streams, key, paths);
    if (!runs.empty()) {
      ++shared;
      count.add_image(runs);
    }
  }
  for (const SolvedImages& stream : streams) {
    complete = complete && stream.size() == shared;
  }
  plot::Gaps gaps;
  gaps.unproved = count.unproved();
  const std::vector<std::string> names = run_names(paths);
  std::vector<score::Gaps> runs = count.take_gaps();
  for (std::size_t r = 0; r < runs.size(); ++r) {
    gaps.runs.push_back(
        {names[r], runs[r].optimal, std::move(runs[r].above), runs[r].seconds});
  }
  if (gaps.runs.front().problems() == 0 && !context.interrupted()) {
    throw InputError(paths.front() +
                     ": no problem of all streams has a proven optimum (expected one "
                     "stream of the solver exact)");
  }
  return gaps;
}

}  // namespace oa::app
