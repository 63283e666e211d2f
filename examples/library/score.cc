// Counts how often a classifier is right.
#include "oa/score/score.h"

#include <iostream>

int main() {
  oa::score::Accuracy accuracy;
  accuracy.add({.index = 0, .label = 1, .predicted = 1, .probabilities = {0.2, 0.8}});
  accuracy.add({.index = 1, .label = 0, .predicted = 1, .probabilities = {0.4, 0.6}});
  const oa::score::Share right = accuracy.overall();
  std::cout << right.count << " of " << right.total << ", 95 % interval " << right.low()
            << " to " << right.high() << '\n';
  return right.count == 1 && right.total == 2 ? 0 : 1;
}
