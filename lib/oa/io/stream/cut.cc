#include "oa/io/stream/cut.h"

#include <set>

namespace oa::io {

CutResult visit_cut(StreamReader& reader,
                    const Cut& cut,
                    const std::function<void(Frame&)>& visit) {
  CutResult result;
  std::set<std::int64_t> found;
  bool has_head = false;
  bool whole = true;  // the last example has all its heads
  Frame frame;
  // Reads a head of the stream even if no image is wanted.
  while (!has_head || !whole || !cut.head || result.images < *cut.head) {
    if (!reader.next(frame)) {
      break;
    }
    has_head = true;
    if (frame.kind != FrameKind::Head) {
      if (cut.select) {
        const auto index = frame.data.get<std::int64_t>("index", {1}, frame.where)[0];
        if (!cut.select->contains(index)) {
          continue;
        }
        found.insert(index);
      }
      result.images += frame.place.head == 0 ? 1 : 0;
    }
    whole = frame.place.head + 1 == frame.place.heads;
    visit(frame);
  }
  const bool cut_short = cut.head && result.images >= *cut.head;
  if (cut.select && !cut_short) {
    result.missing = cut.select->size() - std::ssize(found);
  }
  result.complete = reader.complete();
  return result;
}

CutResult write_cut(StreamReader& reader, const Cut& cut, Output& output) {
  StreamWriter writer(output);
  bool open = false;
  const CutResult result = visit_cut(reader, cut, [&](Frame& frame) {
    if (frame.kind == FrameKind::Head) {
      if (open) {
        writer.finish(frame.complete_before);
      }
      open = true;
    }
    writer.copy(frame);
  });
  if (open) {  // false if a stop came before the first head
    writer.finish(result.ok());
  }
  return result;
}

}  // namespace oa::io
