#pragma once

#include "oa/data/picture_form.h"
#include "oa/io/photo/photo.h"

#include <set>
#include <string>
#include <vector>

namespace oa::io {

/// Collects pictures of one size into a data set.
class PhotoSet {
 public:
  /// `where` begins error messages about the whole set.
  PhotoSet(std::string where, const PictureForm& form)
      : where_(std::move(where)),
        form_(form) {}

  /// Adds a picture; `file` begins its error messages.  Throws InputError if size or
  /// colours differ from the first picture, or if the set becomes too large.
  void add(std::string name,
           std::string class_name,
           Photo photo,
           const std::string& file);

  [[nodiscard]] bool empty() const { return entries_.empty(); }

  enum class Order {
    Names,  ///< by picture name, then class
    Turns,  ///< classes alternate in proportion to their sizes: any range has all
  };
  /// Returns the data set.  Classes are numbered by name;
  /// `more` names classes without pictures.  Without classes, pictures have no labels.
  [[nodiscard]] Dataset take(Order order, std::set<std::string> more = {});

 private:
  struct Entry {
    std::string name;
    std::string class_name;
    std::vector<std::uint8_t> pixels;
    double turn = 0.0;
  };

  void set_turns();

  std::string where_;
  PictureForm form_;
  Images like_;  // the first picture without its pixels
  std::vector<Entry> entries_;
};

}  // namespace oa::io
