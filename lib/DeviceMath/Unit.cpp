// The whole library as one unit, for the bitcode that device code is linked with.
#include "Exponentials.cpp"
#include "Logarithms.cpp"
#include "Special.cpp"
#include "Trigonometry.cpp"
