// The program; everything it does is in Main.cpp, which the bundle of scripts/gpu-pack has too.
#include "Main.h"

int main(int argc, char **argv) { return forge::tool::runForge(argc, argv); }
