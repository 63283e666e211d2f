#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Only parser.cc includes CLI11, because its headers are slow to compile.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace oa::cli {

/// A condition on the value of an option.
struct Check {
  std::function<std::string(const std::string&)> refusal;  ///< the reason, or empty
  std::vector<std::string> choices = {};   ///< all accepted texts, if there is a list
  std::vector<std::string> examples = {};  ///< some accepted texts, otherwise
};

/// An option or operand of a command line.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  // Declaration; each returns the option itself.
  Option* type_name(const std::string& name);  ///< another name of its value
  Option* default_str(const std::string& text);
  Option* check(Check check);
  Option* required();
  Option* excludes(Option* other);
  Option* needs(Option* other);
  Option* expected(int values);  ///< this many values after one name
  Option* take_all();            ///< keep all values, not only the last
  Option* hide();                ///< omit from help and completion

  // What was declared.
  [[nodiscard]] bool is_operand() const;
  [[nodiscard]] bool is_flag() const;
  [[nodiscard]] bool is_required() const;
  [[nodiscard]] bool is_hidden() const { return hidden_; }
  [[nodiscard]] bool takes_many() const;
  [[nodiscard]] std::string name() const;        ///< "--seed", or the operand's
  [[nodiscard]] std::string short_name() const;  ///< "j" of -j, or nothing
  [[nodiscard]] std::string description() const;
  [[nodiscard]] std::string value_name() const;  ///< "FILE"; empty for a flag
  [[nodiscard]] std::string default_text() const;
  [[nodiscard]] const std::vector<std::string>& choices() const { return choices_; }
  [[nodiscard]] const std::vector<std::string>& examples() const { return examples_; }

  // What was parsed, even if another part of the command line is invalid.
  [[nodiscard]] std::size_t count() const;
  [[nodiscard]] const std::vector<std::string>& values() const;

 private:
  CLI::Option* option_;
  std::vector<std::string> choices_;
  std::vector<std::string> examples_;
  bool hidden_ = false;
};

/// The options and operands of a tool.  If an option is given twice, the last value
/// counts, so that scripts can append options.
class App {
 public:
  explicit App(std::string_view name);
  App(const App&) = delete;
  App& operator=(const App&) = delete;
  ~App();

  /// `words` are names and the name of the value, "-o,--output FILE"; without dashes an
  /// operand.  T: text, a number, an optional number, or a list of texts.  The default
  /// is the current `value`.
  template <class T>
  Option* add_option(const std::string& words,
                     T& value,
                     const std::string& description = "");

  /// An option whose value is passed to `take`, which may throw app::UsageError.
  Option* add_text(const std::string& words,
                   std::function<void(const std::string&)> take,
                   const std::string& description);

  Option* add_flag(const std::string& names,
                   bool& value,
                   const std::string& description = "");

  /// A flag with an optional text, --name=text.
  Option* add_flag(const std::string& names,
                   bool& value,
                   std::string& text,
                   const std::string& description);

  /// A flag that may be set to false, --name=false; if it is not given, `value` stays.
  Option* add_switch(const std::string& names,
                     std::optional<bool>& value,
                     const std::string& description);

  /// A flag that is only counted.
  Option* add_flag(const std::string& names, const std::string& description);

  /// Sets a function to call after parsing; it may throw app::UsageError.
  void on_parsed(std::function<void()> call) { on_parsed_ = std::move(call); }

  /// Throws app::UsageError.
  void parse(std::vector<std::string> arguments);

  /// In the order of their declaration.
  [[nodiscard]] const std::vector<std::unique_ptr<Option>>& options() const {
    return options_;
  }

  /// The operand whose default is standard input, or null.
  Option* input_operand = nullptr;

 private:
  Option* keep(CLI::Option* option, const std::string& words = "");
  /// The message about an argument that the tool does not have.
  [[nodiscard]] std::string surplus(const std::string& argument) const;

  std::unique_ptr<CLI::App> app_;
  std::vector<std::unique_ptr<Option>> options_;
  std::function<void()> on_parsed_;
};

}  // namespace oa::cli
