#include "oa/io/machine/pdf_text.h"

#include "oa/base/error.h"
#include "oa/base/number.h"

#include <cerrno>
#include <exception>
#include <limits>
#include <memory>
#include <new>

#include <iconv.h>
#include <poppler-document.h>
#include <poppler-global.h>
#include <poppler-page.h>

namespace oa::io {
namespace {

void say_nothing(const std::string& /*message*/, void* /*closure*/) {}

/// Keeps a converter of iconv() loaded.  Poppler uses iconv(), which loads converters
/// on demand, and returns no text if memory is short for that.
class Converter {
 public:
  Converter(const char* to, const char* from) : converter_(::iconv_open(to, from)) {
    if (converter_ == iconv_t(-1)) {  // NOLINT: its way to say so
      throw IoError("cannot convert from " + std::string(from), errno);
    }
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;
  ~Converter() { ::iconv_close(converter_); }

 private:
  iconv_t converter_;
};

std::string text_of(std::string_view bytes, const std::string& where) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw InputError(where + ": a PDF of over 2 GiB");
  }
  const std::unique_ptr<poppler::document> document(
      poppler::document::load_from_raw_data(bytes.data(),
                                            static_cast<int>(bytes.size())));
  if (!document) {
    throw InputError(where + ": damaged PDF");
  }
  if (document->is_locked()) {
    throw InputError(where + ": encrypted PDF");
  }
  if (document->pages() > kMaxPdfPages) {
    throw InputError(where + ": a PDF of over " + format(kMaxPdfPages) + " pages");
  }
  std::string text;
  for (int i = 0; i < document->pages(); ++i) {
    const std::unique_ptr<poppler::page> page(document->create_page(i));
    if (page) {
      const poppler::byte_array part = page->text().to_utf8();
      text.append(part.begin(), part.end());
      text += '\n';
    }
  }
  if (text.find_first_not_of(" \n\f\r\t") == text.npos) {
    throw InputError(where + ": a PDF without text");
  }
  return text;
}

}  // namespace

bool reads_pdf() {
  return true;
}

std::string pdf_text(std::string_view bytes, const std::string& where) {
  poppler::set_debug_error_function(say_nothing, nullptr);
  // If memory is short, poppler may leave out content.
  const auto check_memory = [] {
    if (errno == ENOMEM) {
      throw std::bad_alloc();
    }
  };
  const Converter in("UTF-16", "UTF-8");
  const Converter out("UTF-8", "UTF-16");
  errno = 0;
  try {
    std::string text = text_of(bytes, where);
    check_memory();
    return text;
  } catch (const InputError&) {
    check_memory();
    throw;
  } catch (const std::bad_alloc&) {
    // Poppler (22.12) leaves its mutex locked: its next caller would wait forever.
    std::terminate();
  }
}

}  // namespace oa::io
