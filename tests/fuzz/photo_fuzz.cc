// Pictures are decoded or refused; what is decoded has the size it says.
#include "oa/io/photo/photo.h"

#include "fuzz/fuzz.h"

namespace oa {

void fuzz::one_input(Bytes bytes) {
  try {
    const io::Photo photo = io::decode_photo(text_of(bytes), "fuzz");
    require(std::ssize(photo.pixels) ==
            std::int64_t{photo.channels} * photo.rows * photo.cols);
  } catch (const InputError&) {
    // Refusal is the other right answer.
  } catch (const IoError&) {
    // A build without libjpeg or libpng decodes none of these.
  }
}

}  // namespace oa
