#include "oa/io/stream/example_reader.h"

#include <utility>

namespace oa::io {

std::optional<Frame> ExampleReader::take() {
  return held_ ? std::exchange(held_, std::nullopt) : stream_.next();
}

std::vector<Frame> ExampleReader::next() {
  std::vector<Frame> frames;
  while (auto frame = take()) {
    if (frame->kind == FrameKind::Head && !frames.empty()) {
      held_ = std::move(frame);
      break;
    }
    frames.push_back(std::move(*frame));
    const qubo::Place& place = frames.back().place;
    if (place.head + 1 == place.heads) {
      break;
    }
  }
  return frames;
}

}  // namespace oa::io
