// Pictures are decoded or refused; what is decoded has the size it says.
#include "oa/io/photo/photo.h"

#include "oa/base/error.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oa;
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT
    const io::Photo photo = io::decode_photo(bytes, "fuzz");
    if (std::ssize(photo.pixels) !=
        std::int64_t{photo.channels} * photo.rows * photo.cols) {
      std::abort();
    }
  } catch (const InputError&) {
    // Refusal is the other right answer.
  } catch (const IoError&) {
    // A build without libjpeg or libpng decodes none of these.
  }
  return 0;
}
