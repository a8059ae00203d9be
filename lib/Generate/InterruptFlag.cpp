#include "forge/Generate/InterruptFlag.h"

using namespace forge;

static volatile std::sig_atomic_t interrupted = 0;

InterruptFlag::InterruptFlag() {
  interrupted = 0;
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler != SIG_IGN)
    sigaction(SIGINT, &action, nullptr);
}

InterruptFlag::~InterruptFlag() { sigaction(SIGINT, &before, nullptr); }

bool InterruptFlag::isSet() const { return interrupted != 0; }
