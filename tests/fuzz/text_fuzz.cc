// Texts and sentences are read or refused; what is read has tokens of its vocabulary.
#include "fuzz/fuzz.h"
#include "oa/io/text/characters.h"
#include "oa/io/text/sentences.h"

namespace oa {
namespace {

void check(const Sequences& all) {
  for (const std::int32_t id : all.ids) {
    fuzz::require(id >= 0 && id < all.vocabulary);
  }
  for (const Sequences::Place& place : all.places) {
    fuzz::require(place.length >= 1);
    fuzz::require(place.begin + place.length <= std::ssize(all.ids));
  }
}

}  // namespace

void fuzz::one_input(Bytes bytes) {
  for (const Split split : {Split::Train, Split::Test}) {
    read_or_refuse(bytes, [&](io::Input& input) {
      const io::CharacterOptions options{.context = 2, .stride = 1};
      check(io::read_characters(input, options, split).data.sequences);
    });
    read_or_refuse(bytes, [&](io::Input& input) {
      check(io::read_sentences(input, {.vocabulary = 3}, split).data.sequences);
    });
  }
}

}  // namespace oa
