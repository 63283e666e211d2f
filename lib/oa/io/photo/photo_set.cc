#include "oa/io/photo/photo_set.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace oa::io {
namespace {

constexpr std::size_t kMaxClasses = 256;                       // a label is a byte
constexpr std::size_t kMaxPixelBytes = std::size_t{16} << 30;  // oa-formats(5), LIMITS

std::string extents_of(const Images& images) {
  return format(images.channels) + "x" + format(images.rows) + "x" +
         format(images.cols);
}

}  // namespace

void PhotoSet::add(std::string name,
                   std::string class_name,
                   Photo photo,
                   const std::string& file) {
  Images image = in_form(
      {1, photo.rows, photo.cols, photo.channels, std::move(photo.pixels)}, form_);
  if (entries_.empty()) {
    like_ = {0, image.rows, image.cols, image.channels, {}};
  } else if (extents_of(image) != extents_of(like_)) {
    throw InputError(file + ": is " + extents_of(image) + " (expected " +
                     extents_of(like_) + ", as the first picture)");
  }
  if ((entries_.size() + 1) * like_.image_size() > kMaxPixelBytes) {
    throw InputError(where_ + ": more than 16 GiB of pixels");
  }
  entries_.push_back({std::move(name), std::move(class_name), std::move(image.pixels)});
}

void PhotoSet::set_turns() {
  std::ranges::sort(entries_, {}, [](const Entry& entry) {
    return std::tie(entry.class_name, entry.name);
  });
  std::map<std::string, double> sizes;
  for (const Entry& entry : entries_) {
    ++sizes[entry.class_name];
  }
  std::map<std::string, double> seen;
  for (Entry& entry : entries_) {
    entry.turn = (seen[entry.class_name]++ + 0.5) / sizes[entry.class_name];
  }
}

Dataset PhotoSet::take(Order order, std::set<std::string> more) {
  if (order == Order::Turns) {
    set_turns();
  }
  std::ranges::sort(entries_, {}, [&](const Entry& entry) {
    return std::tie(entry.turn, entry.name, entry.class_name);
  });
  std::set<std::string> classes = std::move(more);
  for (const Entry& entry : entries_) {
    classes.insert(entry.class_name);
  }
  if (classes.size() > kMaxClasses) {
    throw InputError(where_ + ": pictures in " + std::to_string(classes.size()) +
                     " folders (expected at most 256 classes)");
  }
  const bool labelled = !classes.contains("");
  Dataset set;
  set.images = like_;
  set.images.count = static_cast<int>(std::ssize(entries_));
  set.images.pixels.reserve(entries_.size() * like_.image_size());
  for (Entry& entry : entries_) {
    set.images.pixels.insert(
        set.images.pixels.end(), entry.pixels.begin(), entry.pixels.end());
    entry.pixels = {};
    if (labelled) {
      const auto number =
          std::distance(classes.begin(), classes.find(entry.class_name));
      set.labels.push_back(static_cast<std::uint8_t>(number));
    }
  }
  set.targets.classes = labelled ? static_cast<int>(classes.size()) : 0;
  return set;
}

}  // namespace oa::io
