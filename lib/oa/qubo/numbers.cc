#include "oa/qubo/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace oa::qubo {
namespace {

template <class T>
bool holds(double number) {
  if constexpr (std::numeric_limits<T>::is_integer) {
    return number >= std::numeric_limits<T>::min() &&
           number <= std::numeric_limits<T>::max() &&
           static_cast<double>(static_cast<T>(number)) == number;
  } else {
    return static_cast<double>(static_cast<T>(number)) == number;
  }
}

}  // namespace

Width width_of(double number) {
  if (holds<std::int8_t>(number)) {
    return Width::Int8;
  }
  if (holds<std::int16_t>(number)) {
    return Width::Int16;
  }
  // Converting a double beyond the largest float is undefined behaviour.
  constexpr double kMax = std::numeric_limits<float>::max();
  return std::abs(number) <= kMax && holds<float>(number) ? Width::Float
                                                          : Width::Double;
}

std::size_t bytes_of(Width width) {
  switch (width) {
    case Width::Int8: return 1;
    case Width::Int16: return 2;
    case Width::Float: return 4;
    case Width::Double: break;
  }
  return 8;
}

Numbers::Numbers(Width width, std::size_t count) : width_(width) {
  memory_.assign(count * bytes_of(width), std::byte{0});
}

double Numbers::operator[](std::size_t k) const {
  return visit([&](const auto& all) { return static_cast<double>(all[k]); });
}

void Numbers::set(std::size_t k, double number) {
  if (const Width needed = width_of(number); needed > width_) {
    convert(needed);
  }
  visit([&]<class T>(std::span<T> all) { all[k] = static_cast<T>(number); });
}

void Numbers::push_back(double number) {
  own();
  const std::size_t count = size();
  if (memory_.capacity() < (count + 1) * bytes_of(width_)) {
    memory_.reserve(2 * memory_.capacity() + 64);
  }
  resize(count + 1);
  set(count, number);
}

void Numbers::resize(std::size_t count) {
  own();
  memory_.resize(count * bytes_of(width_));
}

void Numbers::own() {
  if (is_borrowed()) {
    memory_.assign(borrowed_.begin(), borrowed_.end());
    borrowed_ = {};
    owner_ = nullptr;
  }
}

void Numbers::convert(Width width) {
  if (width == width_) {
    return;
  }
  const std::size_t count = size();
  Numbers to(width, Memory{});
  to.resize(count);
  std::as_const(*this).visit([&](const auto& from) {
    to.visit([&]<class T>(std::span<T> all) {
      for (std::size_t k = 0; k < count; ++k) {
        all[k] = static_cast<T>(from[k]);
      }
    });
  });
  *this = std::move(to);
}

void Numbers::narrow() {
  Width needed = Width::Int8;
  std::as_const(*this).visit([&](const auto& all) {
    for (std::size_t k = 0; k < all.size() && needed < width_; ++k) {
      needed = std::max(needed, width_of(static_cast<double>(all[k])));
    }
  });
  convert(std::min(needed, width_));
}

}  // namespace oa::qubo
