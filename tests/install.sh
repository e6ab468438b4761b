#!/bin/sh
# Installs Debian packages when root; otherwise says what to install and stops.
set -eu
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "$@" >/dev/null
else
    echo "Missing on this machine: $*. Please install it, for example: sudo apt-get install $*" >&2
    exit 1
fi
