#!/bin/sh
# Interesting, whatever the module, where FORGE_REPRODUCER_DIR turns reproducers off.
[ "${FORGE_REPRODUCER_DIR-unset}" = "" ] && exit 1
exit 0
