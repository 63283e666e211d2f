#include "oa/train/source.h"

#include "oa/model/embedding.h"

#include <cstddef>

namespace oa::train {

model::Answer Source::answer(int i) const {
  const Targets& targets = data_.targets;
  const auto index = static_cast<std::size_t>(i);
  if (targets.objective == Objective::Class) {
    return {.label = data_.labels.empty() ? -1 : int{data_.labels[index]},
            .numbers = {}};
  }
  const auto size = static_cast<std::size_t>(targets.rows) *
                    static_cast<std::size_t>(targets.per_row);
  return {.numbers = std::span(targets.numbers).subspan(index * size, size),
          .per_row = targets.per_row};
}

Source::Example Source::sequence(int i, std::int64_t later) const {
  const Sequences& all = data_.sequences;
  const Sequences::Place& place = all.places[static_cast<std::size_t>(i)];
  const auto begin = static_cast<std::size_t>(place.begin + later);
  const auto length = static_cast<std::size_t>(place.length);
  const auto width = static_cast<std::size_t>(all.width);
  std::span<const std::int32_t> ids;
  if (all.vocabulary > 0) {
    ids = std::span(all.ids).subspan(begin, length);
  }
  const auto vectors = std::span(all.vectors).subspan(begin * width, length * width);
  return {.input = model::Input(ids, vectors, place.length),
          .answer = data_.targets.objective == Objective::Positions
                        ? model::Answer{.numbers = std::span(data_.targets.numbers)
                                                       .subspan(begin, length)}
                        : answer(i)};
}

Source::Example Source::example(int i) {
  if (!data_.sequences.places.empty()) {
    return sequence(i, 0);
  }
  picture_.resize(data_.images.image_size());
  model::normalize_pixels(data_.images[i], picture_);
  return {.input = picture_, .answer = answer(i)};
}

Source::Example Source::varied(int i, const Augmentation& limits, Rng rng) {
  if (!data_.sequences.places.empty()) {
    const std::int64_t room = data_.sequences.room(i);
    const auto later =
        room > 0
            ? static_cast<std::int64_t>(rng.below(static_cast<std::uint32_t>(room + 1)))
            : 0;
    return sequence(i, later);
  }
  if (!limits.any()) {
    return example(i);
  }
  const Images& images = data_.images;
  picture_.resize(images.image_size());
  const Affine map = draw_affine(limits, rng);
  const std::size_t plane =
      images.image_size() / static_cast<std::size_t>(images.channels);
  for (std::size_t begin = 0; begin < picture_.size(); begin += plane) {
    warp(images[i].subspan(begin, plane),
         images.rows,
         images.cols,
         map,
         std::span(picture_).subspan(begin, plane));
  }
  return {.input = picture_, .answer = answer(i)};
}

}  // namespace oa::train
