#pragma once

#include "oa/num/matrix.h"

#include <span>

namespace oa::attention {

/// Computes unit_i = c_i / length_i with length_i = sqrt(|c_i|^2 + 1e-5).
/// c_i is x_i, or x_i minus the mean of all rows of x.
void make_unit_rows(num::ConstView x,
                    bool centred,
                    num::View unit,
                    std::span<float> length);

/// Converts d, the gradient of `unit`, into the gradient of x.
void make_unit_backward(num::ConstView unit,
                        std::span<const float> length,
                        bool centred,
                        num::View d);

/// Divides rows by their length in each head, a block of columns of x.
/// `lengths` has a row for each row of x.  `unit` may be x.
void make_unit_heads(num::ConstView x, num::View unit, num::View lengths);
void make_unit_heads_backward(num::ConstView unit, num::View lengths, num::View d);

}  // namespace oa::attention
