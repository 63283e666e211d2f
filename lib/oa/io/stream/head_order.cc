#include "oa/io/stream/head_order.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

namespace oa::io {
namespace {

constexpr const char* kLayer = "oa.layer";
constexpr const char* kHead = "oa.head";
constexpr const char* kHeads = "oa.heads";

/// The number under `key` in the metadata.
int number(const Safetensors& frame,
           const char* key,
           int least,
           int most,
           const std::string& where) {
  const auto found = frame.metadata.find(key);
  if (found == frame.metadata.end()) {
    throw InputError(where + ": no '" + key + "' in its metadata");
  }
  const auto value = parse_int(found->second);
  if (!value || *value < least || *value > most) {
    throw InputError(where + ": " + key + " is '" + found->second.substr(0, 20) +
                     "' (expected " + format(least) + " to " + format(most) + ")");
  }
  return static_cast<int>(*value);
}

}  // namespace

qubo::Place head_place(const Safetensors& frame, const std::string& where) {
  qubo::Place place;
  place.layer = number(frame, kLayer, 0, kMaxLayers - 1, where);
  place.heads = number(frame, kHeads, 1, kMaxHeads, where);
  place.head = number(frame, kHead, 0, place.heads - 1, where);
  return place;
}

void put_head_place(const qubo::Place& place, Metadata& metadata) {
  metadata[kLayer] = format(place.layer);
  metadata[kHead] = format(place.head);
  metadata[kHeads] = format(place.heads);
}

void HeadOrder::next(const qubo::Place& place,
                     std::int64_t index,
                     const std::string& where) {
  if (whole()) {
    if (place.head != 0) {
      throw InputError(where + ": head " + format(place.head) + " of example " +
                       format(index) + " (expected its head 0)");
    }
  } else if (index != index_ || place.heads != last_.heads ||
             place.layer != last_.layer || place.head != last_.head + 1) {
    throw InputError(
        where + ": head " + format(place.head) + " of " + format(place.heads) +
        ", layer " + format(place.layer) + ", example " + format(index) +
        " (expected head " + format(last_.head + 1) + " of " + format(last_.heads) +
        ", layer " + format(last_.layer) + ", example " + format(index_) + ")");
  }
  last_ = place;
  index_ = index;
}

std::string HeadOrder::lacks() const {
  return "example " + format(index_) + " has " + format(last_.head + 1) + " of its " +
         format(last_.heads) + " heads";
}

}  // namespace oa::io
