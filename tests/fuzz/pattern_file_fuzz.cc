// Files of patterns are read or refused; what is read are keys, ranges and separators.
#include "oa/io/table/pattern_file.h"

#include "fuzz/fuzz.h"

namespace oa {

void fuzz::one_input(Bytes bytes) {
  read_or_refuse(bytes, [](io::Input& input) {
    const std::string rows = io::read_pattern(input);
    require(rows.find_first_not_of("0123456789-+;") == std::string::npos);
  });
}

}  // namespace oa
