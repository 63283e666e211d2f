#include "oa/data/packed_example.h"

#include "oa/base/error.h"

#include <cstring>

namespace oa {
namespace {

template <class T>
void put(std::span<const T> values, std::vector<std::byte>& to) {
  const auto bytes = std::as_bytes(values);
  to.insert(to.end(), bytes.begin(), bytes.end());
}

template <class T>
void take(std::size_t count, std::span<const std::byte>& from, std::vector<T>& to) {
  if (count > from.size() / sizeof(T)) {
    throw InputError("an example from another process is cut short");
  }
  const std::size_t before = to.size();
  to.resize(before + count);
  if (count > 0) {
    std::memcpy(to.data() + before, from.data(), count * sizeof(T));
  }
  from = from.subspan(count * sizeof(T));
}

/// Length and Sequences::room() of a packed sequence.
struct Extent {
  std::int32_t length = 0;
  std::int32_t room = 0;
};

bool has_answers_by_token(const Dataset& data) {
  return data.targets.objective == Objective::Positions;
}

/// The number of targets of an example; 0 if they belong to tokens.
std::size_t answers_of_example(const Targets& targets) {
  return static_cast<std::size_t>(targets.rows) *
         static_cast<std::size_t>(targets.per_row);
}

void pack_sequence(const Dataset& data, int i, std::vector<std::byte>& to) {
  const Sequences& all = data.sequences;
  const Sequences::Place& place = all.places[static_cast<std::size_t>(i)];
  const auto room = static_cast<std::int32_t>(all.room(i));
  const Extent extent{place.length, room};
  put(std::span(&extent, 1), to);
  const auto begin = static_cast<std::size_t>(place.begin);
  const auto tokens = static_cast<std::size_t>(place.length + room);
  const auto width = static_cast<std::size_t>(all.width);
  if (all.vocabulary > 0) {
    put(std::span(all.ids).subspan(begin, tokens), to);
  }
  put(std::span(all.vectors).subspan(begin * width, tokens * width), to);
  if (has_answers_by_token(data)) {
    put(std::span(data.targets.numbers).subspan(begin, tokens), to);
  }
}

void unpack_sequence(std::span<const std::byte>& from, Dataset& to) {
  Sequences& all = to.sequences;
  std::vector<Extent> extent;
  take(1, from, extent);
  const auto [length, room] = extent.front();
  if (length < 0 || room < 0) {
    throw InputError("an example from another process has a negative length");
  }
  const std::int64_t begin =
      all.places.empty()
          ? 0
          : all.places.back().begin + all.places.back().length + all.rooms.back();
  const auto tokens = static_cast<std::size_t>(length) + static_cast<std::size_t>(room);
  if (all.vocabulary > 0) {
    take(tokens, from, all.ids);
  }
  take(tokens * static_cast<std::size_t>(all.width), from, all.vectors);
  if (has_answers_by_token(to)) {
    take(tokens, from, to.targets.numbers);
  }
  all.places.push_back({begin, length});
  all.rooms.push_back(room);
}

}  // namespace

Dataset without_examples(const Dataset& data) {
  Dataset none;
  none.images.rows = data.images.rows;
  none.images.cols = data.images.cols;
  none.images.channels = data.images.channels;
  none.sequences.vocabulary = data.sequences.vocabulary;
  none.sequences.width = data.sequences.width;
  none.sequences.asking = data.sequences.asking;
  none.sequences.alphabet = data.sequences.alphabet;
  none.sequences.longest = data.sequences.longest;
  none.sequences.slack = data.sequences.slack;
  none.targets = {.objective = data.targets.objective,
                  .classes = data.targets.classes,
                  .per_row = data.targets.per_row,
                  .rows = data.targets.rows,
                  .numbers = {}};
  return none;
}

void pack_example(const Dataset& data, int i, std::vector<std::byte>& to) {
  const auto index = static_cast<std::size_t>(i);
  if (data.has_sequences()) {
    pack_sequence(data, i, to);
  } else {
    put(data.images[i], to);
  }
  if (data.targets.objective == Objective::Class) {
    put(std::span(data.labels).subspan(index, 1), to);
  } else if (!has_answers_by_token(data)) {
    const std::size_t size = answers_of_example(data.targets);
    put(std::span(data.targets.numbers).subspan(index * size, size), to);
  }
}

void unpack_example(std::span<const std::byte>& from, Dataset& to) {
  if (to.has_sequences()) {
    unpack_sequence(from, to);
  } else {
    take(to.images.image_size(), from, to.images.pixels);
    ++to.images.count;
  }
  if (to.targets.objective == Objective::Class) {
    take(1, from, to.labels);
  } else if (!has_answers_by_token(to)) {
    take(answers_of_example(to.targets), from, to.targets.numbers);
  }
}

Dataset cut(const Dataset& data, int first, int last) {
  Dataset all = without_examples(data);
  std::vector<std::byte> one;
  for (int i = first; i < last; ++i) {
    one.clear();
    pack_example(data, i, one);
    std::span<const std::byte> from(one);
    unpack_example(from, all);
  }
  return all;
}

}  // namespace oa
