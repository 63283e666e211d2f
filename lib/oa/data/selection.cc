#include "oa/data/selection.h"

#include "oa/base/index.h"
#include "oa/data/packed_example.h"

#include <algorithm>
#include <utility>

namespace oa {
namespace {

template <class T>
void show(const std::vector<T>& values, const Selection& selection) {
  if (selection.pass) {
    selection.pass({reinterpret_cast<const std::uint8_t*>(values.data()),
                    values.size() * sizeof(T)});
  }
}

/// Keeps the values of the examples in `kept`; each example has `size` values.
template <class T>
void keep(ExampleRange kept, std::size_t size, std::vector<T>& values) {
  const std::size_t begin = at(kept.first) * size;
  const std::size_t count = at(kept.last - kept.first) * size;
  if (count < values.size()) {
    values =
        std::vector<T>(values.begin() + static_cast<std::ptrdiff_t>(begin),
                       values.begin() + static_cast<std::ptrdiff_t>(begin + count));
  }
}

void learn_classes(const std::vector<std::uint8_t>& labels, Targets& targets) {
  if (!labels.empty()) {
    targets.classes =
        std::max(targets.classes, 1 + int{*std::ranges::max_element(labels)});
  }
}

int longest(const Sequences& all) {
  int length = all.longest;
  for (const Sequences::Place& place : all.places) {
    length = std::max(length, place.length);
  }
  return length;
}

Dataset select_sequences(Dataset all, const Selection& selection) {
  learn_classes(all.labels, all.targets);
  const int there = selection.there(all.count());
  all.sequences.places.resize(at(there));
  if (!all.labels.empty()) {
    all.labels.resize(at(there));
  }
  show(all.labels, selection);
  show(all.sequences.ids, selection);
  show(all.sequences.vectors, selection);
  show(all.targets.numbers, selection);
  const ExampleRange kept = selection.kept(there);
  if (kept.last - kept.first == there) {
    return all;
  }
  Dataset some = cut(all, kept.first, kept.last);
  some.sequences.longest = longest(all.sequences);
  return some;
}

}  // namespace

int Selection::there(int count) const {
  return static_cast<int>(std::min<std::int64_t>(count, first));
}

ExampleRange Selection::kept(int count) const {
  return keep ? keep(there(count)) : ExampleRange{0, there(count)};
}

void drop_behind(int count, Dataset& data) {
  const auto drop = [&](auto& values) {
    if (!values.empty()) {
      values.resize(values.size() / at(data.count()) * at(count));
    }
  };
  drop(data.labels);
  if (data.has_sequences()) {
    data.sequences.places.resize(at(count));
    return;
  }
  drop(data.targets.numbers);
  drop(data.images.pixels);
  data.images.count = count;
}

Dataset select(Dataset all, const Selection& selection) {
  if (all.has_sequences()) {
    return select_sequences(std::move(all), selection);
  }
  const int count = all.images.count;
  all.images = select_images(std::move(all.images), selection);
  if (!all.labels.empty()) {
    all.labels = select_labels(std::move(all.labels), selection, all.targets);
  }
  select_numbers(count, selection, all.targets);
  return all;
}

Images select_images(Images all, const Selection& selection) {
  const int there = selection.there(all.count);
  if (there < all.count) {
    keep({0, there}, all.image_size(), all.pixels);
  }
  show(all.pixels, selection);
  const ExampleRange kept = selection.kept(all.count);
  keep(kept, all.image_size(), all.pixels);
  all.count = kept.last - kept.first;
  return all;
}

std::vector<std::uint8_t> select_labels(std::vector<std::uint8_t> all,
                                        const Selection& selection,
                                        Targets& targets) {
  learn_classes(all, targets);
  const auto count = static_cast<int>(std::ssize(all));
  const ExampleRange kept = selection.kept(count);
  all.resize(at(selection.there(count)));
  show(all, selection);
  keep(kept, 1, all);
  return all;
}

void select_numbers(int count, const Selection& selection, Targets& targets) {
  show(targets.numbers, selection);
  if (!targets.numbers.empty()) {
    keep(selection.kept(count), targets.numbers.size() / at(count), targets.numbers);
  }
}

}  // namespace oa
