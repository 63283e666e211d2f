// Accepted tables of answers have no more right answers than questions.
#include "oa/io/table/answers_csv.h"

#include "fuzz/fuzz.h"

namespace oa {

void fuzz::one_input(Bytes bytes) {
  read_or_refuse(bytes, [](io::Input& input) {
    (void)io::are_answers(input);
    for (const score::TaskResult& example : io::read_answers(input)) {
      require(example.correct >= 0 && example.index >= 0);
    }
  });
}

}  // namespace oa
