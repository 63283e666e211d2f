#pragma once

#include "app/context.h"
#include "oa/train/ranks.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace oa::app {

/// The argument of the MPI module's function that joins the ranks.  The constants are
/// the names of the module's two functions: for its version, and for joining.
struct Joining {
  std::stop_token stop;
  std::function<void(const std::string&)> warn;
};
using JoinRanks = train::Ranks*(const Joining&);
constexpr const char* kJoinRanks = "oa_join_ranks";
using RanksVersion = const char*();
constexpr const char* kRanksVersion = "oa_ranks_version";

/// Connects the ranks that mpirun or srun started.  Null for a single process, which
/// does not load MPI.  Throws IoError if the module is missing or of another version.
[[nodiscard]] std::unique_ptr<train::Ranks> join_ranks(Context& context);

/// Compares the results of `prepare` on all ranks.  If a rank throws or two ranks
/// differ, rank 0 throws an error that names the rank; other ranks return its status.
[[nodiscard]] std::optional<Exit> agree(
    train::Ranks& ranks,
    const std::function<std::map<std::string, std::string>()>& prepare);

}  // namespace oa::app
