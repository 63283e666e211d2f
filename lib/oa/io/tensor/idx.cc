#include "oa/io/tensor/idx.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/io/bytes/unpack.h"
#include "oa/io/tensor/idx_array.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace oa::io {
namespace {

// Magic numbers: two zero bytes, element type (8: unsigned byte), number of extents.
constexpr std::uint32_t kImagesMagic = 0x00000803;
constexpr std::uint32_t kPlanesMagic = 0x00000804;
constexpr std::uint32_t kLabelsMagic = 0x00000801;
constexpr std::uint32_t kMaxSide = 4096;    // oa-formats(5), LIMITS
constexpr std::uint32_t kMaxChannels = 16;  // 2^31 * 2^24 * 2^4 fits 64 bits

void check_magic(Input& input, std::uint32_t magic, std::string_view what) {
  const std::uint32_t found = read_idx_u32(input);
  if (found != magic) {
    throw InputError(input.name() + ": IDX magic " + idx_magic_text(found) +
                     " (expected " + idx_magic_text(magic) + ", " + std::string(what) +
                     ")");
  }
}

std::uint32_t read_count(Input& input) {
  const std::uint32_t count = read_idx_u32(input);
  if (count > static_cast<std::uint32_t>(std::numeric_limits<int>::max())) {
    throw InputError(input.name() + ": claims " + std::to_string(count) + " entries");
  }
  return count;
}

std::vector<std::uint8_t> read_rest(Input& input, std::uint64_t claimed) {
  std::vector<std::uint8_t> values;
  read_idx_rest(input, claimed, [&](std::span<const std::byte> bytes) {
    std::ranges::transform(bytes, std::back_inserter(values), [](std::byte b) {
      return std::to_integer<std::uint8_t>(b);
    });
  });
  return values;
}

/// Reads the pixels of a file, and keeps the pixels of selected images.
class PixelReader {
 public:
  /// `like` describes all images of the file, without their pixels.
  PixelReader(Input& input,
              Images like,
              const PictureForm& form,
              const Selection& selection)
      : input_(input),
        like_(std::move(like)),
        form_(form),
        selection_(selection) {}

  [[nodiscard]] Images read() {
    const int there = selection_.there(like_.count);
    kept_ = selection_.kept(like_.count);
    if (const auto rest = input_.remaining()) {
      check_came(claimed(), std::min(claimed(), *rest));
      passed_ = 0;
    }
    images_ = in_form({0, like_.rows, like_.cols, like_.channels, {}}, form_);
    if (selection_.pass) {
      take(there);
    } else {
      skip(kept_.first);
      take(kept_.last - kept_.first);
    }
    skip(like_.count - next_);
    if (!input_.at_end()) {
      throw InputError(input_.name() + ": goes on after its " +
                       std::to_string(claimed()) + " bytes of data");
    }
    images_.count = kept_.last - kept_.first;
    return std::move(images_);
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 20;

  [[nodiscard]] std::uint64_t claimed() const {
    return static_cast<std::uint64_t>(like_.count) * like_.image_size();
  }

  void check_came(std::uint64_t expected, std::uint64_t came) {
    passed_ += came;
    if (came < expected) {
      throw InputError(input_.name() + ": has " + std::to_string(passed_) +
                       " bytes of data (its header says " + std::to_string(claimed()) +
                       ")");
    }
  }

  void skip(int count) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(count) * like_.image_size();
    check_came(bytes, input_.skip(bytes));
    next_ += count;
  }

  /// Reads the next images' pixels.  Reserves memory only for bytes that arrived.
  [[nodiscard]] std::vector<std::uint8_t> read_pixels(int count) {
    const std::size_t size = at(count) * like_.image_size();
    std::vector<std::uint8_t> pixels;
    while (pixels.size() < size) {
      const std::size_t before = pixels.size();
      const std::size_t step = std::min(size - before, std::max(kBlock, before));
      pixels.resize(before + step);
      check_came(
          step, input_.read(std::as_writable_bytes(std::span(pixels)).subspan(before)));
    }
    return pixels;
  }

  /// Reads `count` images in blocks, converts them, and keeps the selected images.
  void take(int count) {
    const auto most = static_cast<int>(std::max<std::size_t>(
        1, kBlock / std::max(like_.image_size(), images_.image_size())));
    while (count > 0) {
      const int n = std::min(count, most);
      Images block = like_;
      block.count = n;
      block.pixels = read_pixels(n);
      block = in_form(std::move(block), form_);
      if (selection_.pass) {
        selection_.pass(block.pixels);
      }
      keep(block);
      next_ += n;
      count -= n;
    }
  }

  void keep(const Images& block) {
    const std::size_t size = block.image_size();
    const int first = std::max(kept_.first - next_, 0);
    const int last = std::min(kept_.last - next_, block.count);
    if (first >= last) {
      return;
    }
    const std::span some =
        std::span(block.pixels).subspan(at(first) * size, at(last - first) * size);
    std::vector<std::uint8_t>& pixels = images_.pixels;
    if (pixels.capacity() < pixels.size() + some.size()) {
      pixels.reserve(std::max(room(size), pixels.size() + some.size()));
    }
    pixels.insert(pixels.end(), some.begin(), some.end());
  }

  /// Bytes to reserve: all pixels to keep.  If the input's size does not confirm the
  /// header, at most 16 times the bytes read so far.
  [[nodiscard]] std::size_t room(std::size_t size) const {
    constexpr std::uint64_t kMaxRatio = 16;
    const std::uint64_t all = at(kept_.last - kept_.first) * size;
    const bool backed = input_.remaining() >= claimed() - passed_;
    return backed ? all
                  : std::min(all, kMaxRatio * passed_ / like_.image_size() * size);
  }

  Input& input_;
  Images like_;
  const PictureForm& form_;
  const Selection& selection_;
  ExampleRange kept_;
  Images images_;  // images kept so far
  int next_ = 0;   // index of the next image
  std::uint64_t passed_ = 0;
};

SelectedImages read_after_magic(Input& input,
                                bool planes,
                                const PictureForm& form,
                                const Selection& selection) {
  const std::uint32_t count = read_count(input);
  const std::uint32_t channels = planes ? read_idx_u32(input) : 1;
  const std::uint32_t rows = read_idx_u32(input);
  const std::uint32_t cols = read_idx_u32(input);
  if (rows == 0 || cols == 0 || rows > kMaxSide || cols > kMaxSide) {
    throw InputError(input.name() + ": images of " + std::to_string(rows) + "x" +
                     std::to_string(cols) + " pixels (expected 1 to " +
                     std::to_string(kMaxSide) + " a side)");
  }
  if (channels == 0 || channels > kMaxChannels) {
    throw InputError(input.name() + ": images of " + std::to_string(channels) +
                     " planes (expected 1 to " + std::to_string(kMaxChannels) + ")");
  }
  Images like;
  like.count = static_cast<int>(count);
  like.rows = static_cast<int>(rows);
  like.cols = static_cast<int>(cols);
  like.channels = static_cast<int>(channels);
  return {PixelReader(input, like, form, selection).read(), like.count};
}

}  // namespace

std::string find_idx_file(const std::string& folder, const std::string& name) {
  const std::string plain = folder + "/" + name;
  std::string path = plain_or_packed(plain);
  if (path.empty()) {
    throw IoError(plain + ": neither this file nor " + name + ".gz exists");
  }
  return path;
}

bool looks_like_idx(std::span<const std::byte> start) {
  return start.size() >= 4 && start[0] == std::byte{0} && start[1] == std::byte{0} &&
         start[2] == std::byte{8} &&
         (start[3] == std::byte{3} || start[3] == std::byte{1});
}

Images read_idx_images(Input& input) {
  check_magic(input, kImagesMagic, "images");
  return read_after_magic(input, false, {}, {}).images;
}

SelectedImages read_idx_pictures(Input& input,
                                 const PictureForm& form,
                                 const Selection& selection) {
  const std::uint32_t magic = read_idx_u32(input);
  if (magic != kImagesMagic && magic != kPlanesMagic) {
    throw InputError(input.name() + ": IDX magic " + idx_magic_text(magic) +
                     " (expected " + idx_magic_text(kImagesMagic) + " or " +
                     idx_magic_text(kPlanesMagic) + ", images)");
  }
  return read_after_magic(input, magic == kPlanesMagic, form, selection);
}

std::vector<std::uint8_t> read_idx_labels(Input& input) {
  check_magic(input, kLabelsMagic, "labels");
  const std::uint32_t count = read_count(input);
  return read_rest(input, count);
}

std::string idx_labels_name(Split split) {
  return split == Split::Train ? "train-labels-idx1-ubyte" : "t10k-labels-idx1-ubyte";
}

}  // namespace oa::io
