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
  /// `where` begins messages about all pictures.
  PhotoSet(std::string where, const PictureForm& form)
      : where_(std::move(where)),
        form_(form) {}

  /// `file` begins messages about this picture.  Throws InputError if its size or
  /// colours differ from the first, or if all pictures together are too large.
  void add(std::string name,
           std::string class_name,
           Photo photo,
           const std::string& file);

  [[nodiscard]] bool empty() const { return entries_.empty(); }

  enum class Order {
    Names,  ///< by picture name, then class
    Turns,  ///< classes take turns in proportion to their sizes: any part has all
  };
  /// `more` names classes that may have no pictures here.  Classes are numbered in the
  /// order of their names.  Without any class there are no labels.
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
