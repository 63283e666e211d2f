// Accepted tables of answers have no more right answers than questions.
#include "oa/io/table/answers_csv.h"

#include "oa/base/error.h"

#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  try {
    io::Input input = io::Input::memory(std::as_bytes(std::span(data, size)), "fuzz");
    (void)io::are_answers(input);
    for (const score::TaskResult& example : io::read_answers(input)) {
      if (example.correct < 0 || example.index < 0) {
        std::abort();
      }
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  }
  return 0;
}
