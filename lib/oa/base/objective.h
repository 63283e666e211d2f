#pragma once

#include "oa/base/field.h"

#include <array>
#include <cstdint>

namespace oa {

/// What a model predicts for an example.
enum class Objective : std::uint8_t {
  Class,      ///< one class
  Positions,  ///< a class at some tokens of a sequence
  Sets,       ///< a set of classes at each token that has a question
  Cells,      ///< for each of several classes, the cell of the picture that holds it
};

template <>
struct EnumNames<Objective> {
  static constexpr std::array kAll{"class", "positions", "sets", "cells"};
};

}  // namespace oa
