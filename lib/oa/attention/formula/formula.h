#pragma once

#include "oa/attention/formula/operation.h"
#include "oa/attention/site.h"
#include "oa/parts/params.h"

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace oa::attention {

/// Data of a layer that all its formulas share, such as random directions.
using Constants = std::map<std::string, std::shared_ptr<const void>>;

/// The graph of a layer for a sequence of one length.  Functions such as linear() add
/// operations to it, each after those of its inputs.
class Formula {
 public:
  enum class Purpose {
    Refusal,      ///< of a site: makes neither constants nor patterns
    Declaration,  ///< of tensors and constants
    Sequence,     ///< all tokens at once
    Decoder,      ///< token by token
  };

  /// Adds new tensors to `layout`; tensors that it has are used again.
  Formula(const Site& site,
          int tokens,
          Purpose purpose,
          int threads,
          parts::Layout& layout,
          Constants& constants);

  [[nodiscard]] const Site& site() const { return site_; }
  [[nodiscard]] int dim() const { return site_.dim; }
  [[nodiscard]] bool causal() const { return site_.causal; }
  [[nodiscard]] int threads() const { return threads_; }
  /// True if the operations will run, or if their cost is counted.
  [[nodiscard]] bool works() const {
    return purpose_ == Purpose::Sequence || purpose_ == Purpose::Decoder;
  }
  [[nodiscard]] bool decodes() const { return purpose_ == Purpose::Decoder; }
  /// The largest number of tokens in the sequence.
  [[nodiscard]] int tokens_of_sequence() const { return tokens_; }

  /// Refuses the site if `holds` is false and the formula's purpose is Refusal.
  void require(bool holds, const std::string& why) const;
  /// Refuses the site unless `why` is empty.
  void refuse(const std::string& why) const { require(why.empty(), why); }
  struct Refused {
    std::string why;
  };

  /// The tokens x.
  [[nodiscard]] Value tokens();
  /// Returns a tensor as a value, or the number of a tensor of the next operation.
  [[nodiscard]] Value parameter(const std::string& name,
                                std::vector<std::int64_t> shape,
                                const parts::Init& init);
  int tensor(const std::string& name,
             std::vector<std::int64_t> shape,
             const parts::Init& init);
  /// Puts a tensor into the model file before the operation that has it.
  void place(const std::string& name,
             std::vector<std::int64_t> shape,
             const parts::Init& init) {
    (void)layout_.declare(full(name), std::move(shape), init);
  }
  /// Makes a part such as parts::Linear; its tensors belong to the next operation.
  template <class Part, class... Arguments>
  [[nodiscard]] Part part(const std::string& name, Arguments&&... arguments) {
    Part made(layout_, full(name), std::forward<Arguments>(arguments)...);
    const std::vector<int> tensors = made.tensors();
    tensors_.insert(tensors_.end(), tensors.begin(), tensors.end());
    return made;
  }
  /// A tensor's name in the layout.
  [[nodiscard]] std::string full(const std::string& name) const {
    return site_.prefix + name;
  }

  /// Data computed by `make()` once for a layer; null for the purpose Refusal.
  template <class Data, class Make>
  [[nodiscard]] std::shared_ptr<const Data> constant(const std::string& name,
                                                     Make&& make) {
    std::shared_ptr<const void>& found = constants_[name];
    if (!found && purpose_ != Purpose::Refusal) {
      found = std::make_shared<const Data>(std::forward<Make>(make)());
    }
    return std::static_pointer_cast<const Data>(found);
  }

  template <class Op, class... Arguments>
  [[nodiscard]] Value apply(Arguments&&... arguments) {
    return add(std::make_unique<Op>(std::forward<Arguments>(arguments)...));
  }

  /// Adds operations by `add`; a decoder needs them only for its first `tokens` tokens.
  template <class Add>
  [[nodiscard]] auto for_first_tokens(int tokens, Add&& add) {
    const int all = std::exchange(needed_for_, tokens);
    const auto added = std::forward<Add>(add)();
    needed_for_ = all;
    return added;
  }

  /// Declares the queries Q and values V that statistics show, unless that was done.
  void show(Value queries, Value values);

  struct Node {
    int rows = 0;
    int cols = 0;
    int tensor = -1;  ///< -1: not a tensor
  };
  /// All values in order; the first one is the tokens.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  struct Applied {
    std::unique_ptr<Operation> operation;
    int output;                ///< the value that it computes
    int needed_for;            ///< number of tokens for which a decoder needs it
    std::vector<int> tensors;  ///< their numbers in the layout
  };
  [[nodiscard]] const std::vector<Applied>& operations() const { return operations_; }
  [[nodiscard]] int queries() const { return queries_; }
  [[nodiscard]] int values() const { return values_; }

 private:
  Value add(std::unique_ptr<Operation> operation);
  Value node(Node node);

  const Site& site_;
  int tokens_;
  Purpose purpose_;
  int threads_;
  parts::Layout& layout_;
  Constants& constants_;
  std::vector<Node> nodes_;
  std::vector<Applied> operations_;
  std::vector<int> tensors_;  // numbers of the tensors that the next operation reads
  int needed_for_ = std::numeric_limits<int>::max();
  int queries_ = -1;
  int values_ = -1;
};

}  // namespace oa::attention
