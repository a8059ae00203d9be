#!/bin/sh
# Interesting (exit status 1) while the module calls math.tanh.
if grep -q 'math\.tanh' "$1"; then exit 1; fi
exit 0
