#include "State.h"

using namespace forge::sim;

thread_local MachineState *forge::sim::machine = nullptr;

Party forge::sim::partyOf(const Thread &thread, uint32_t site) {
  Party party;
  for (int d = 0; d < 3; ++d) {
    party.block[d] = thread.block->id[d];
    party.thread[d] = thread.id[d];
  }
  const std::vector<SiteInfo> &sites = *machine->launch->kernel->sites;
  if (site < sites.size()) {
    party.operation = sites[site].operation;
    party.location = sites[site].location;
  }
  return party;
}

static void unflatten(uint64_t number, const Dim3 &dims, uint32_t (&id)[3]) {
  id[0] = number % dims.x;
  id[1] = number / dims.x % dims.y;
  id[2] = number / dims.x / dims.y;
}

Party forge::sim::partyOf(const Record &record) {
  const Launch &launch = *machine->launch;
  uint64_t perBlock = launch.config.block.count(), threads = perBlock * launch.config.grid.count();
  if (record.thread >= threads && record.thread - threads < launch.agents.size())
    return launch.agents[record.thread - threads];
  Party party;
  unflatten(record.thread / perBlock, launch.config.grid, party.block);
  unflatten(record.thread % perBlock, launch.config.block, party.thread);
  const std::vector<SiteInfo> &sites = *launch.kernel->sites;
  if (record.site < sites.size()) {
    party.operation = sites[record.site].operation;
    party.location = sites[record.site].location;
  }
  return party;
}

void forge::sim::fail(Finding finding) {
  finding.kernel = machine->launch->kernel->name;
  machine->finding = std::move(finding);
  // What the machine's own functions hold on this stack, names or a copied tile, is given back. The
  // stacks of threads that wait are dropped where they are: nothing that waits owns anything there.
  unwindFiber(machine->scheduler);
}

void forge::sim::failAt(const Thread &thread, FindingKind kind, std::string what, uint32_t site,
                        const std::vector<Party> &others) {
  Finding finding{kind, {}, std::move(what), {partyOf(thread, site)}};
  finding.parties.insert(finding.parties.end(), others.begin(), others.end());
  fail(std::move(finding));
}

void forge::sim::fail(FindingKind kind, std::string what, uint32_t site,
                      const std::vector<Party> &others) {
  failAt(*machine->current, kind, std::move(what), site, others);
}
