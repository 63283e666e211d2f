#pragma once

#include "oa/data/picture_form.h"
#include "oa/io/photo/photo.h"

#include <set>
#include <string>
#include <vector>

namespace oa::io {

/// Pictures as they are read, and the data set that they make: all of one size.
class PhotoSet {
 public:
  /// `where` begins messages about all of them.
  PhotoSet(std::string where, const PictureForm& form)
      : where_(std::move(where)),
        form_(form) {}

  /// `file` begins messages about this picture.  Throws InputError where it is not like
  /// the first, and where all are too large to be held.
  void add(std::string name,
           std::string class_name,
           Photo photo,
           const std::string& file);

  [[nodiscard]] bool empty() const { return entries_.empty(); }

  enum class Order {
    Names,  ///< of the pictures, then of their classes
    Turns,  ///< classes take turns, as often as they have pictures: any part has all
  };
  /// `more` names classes that may have no pictures here.  Classes are numbered in the
  /// order of their names; pictures without a class have no labels.
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
  Images like_;  // the first, without its pixels
  std::vector<Entry> entries_;
};

}  // namespace oa::io
