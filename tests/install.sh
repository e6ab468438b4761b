#!/bin/sh
# Installs Debian packages when root; otherwise says what to install and stops.
set -eu
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq
    # What the tests call is called by them alone: Debian would start servers among it as soon as they are installed.
    if [ ! -e /usr/sbin/policy-rc.d ]; then
        printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
        chmod +x /usr/sbin/policy-rc.d
        trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    fi
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "$@" >/dev/null
else
    echo "Missing on this machine: $*. Please install it, for example: sudo apt-get install $*" >&2
    exit 1
fi
