// Texts and sentences are read or refused; what is read has tokens of its vocabulary.
#include "oa/base/error.h"
#include "oa/io/text/characters.h"
#include "oa/io/text/sentences.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void check_tokens(const oa::Sequences& all) {
  for (const std::int32_t id : all.ids) {
    if (id < 0 || id >= all.vocabulary) {
      std::abort();
    }
  }
  for (const oa::Sequences::Place& place : all.places) {
    if (place.length < 1 || place.begin + place.length > std::ssize(all.ids)) {
      std::abort();
    }
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  const auto bytes = std::as_bytes(std::span(data, size));
  for (const Split split : {Split::Train, Split::Test}) {
    try {
      io::Input input = io::Input::memory(bytes, "fuzz");
      check_tokens(io::read_characters(input, {.context = 2, .stride = 1}, split)
                       .data.sequences);
    } catch (const InputError&) {
      // Refusal is the other right answer.
    }
    try {
      io::Input input = io::Input::memory(bytes, "fuzz");
      check_tokens(io::read_sentences(input, {.vocabulary = 3}, split).data.sequences);
    } catch (const InputError&) {
      // Bad sentences are expected.
    }
  }
  return 0;
}
