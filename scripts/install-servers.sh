#!/usr/bin/env bash
# Installs PostgreSQL, Redis, Chromium, poppler, util-linux and openssl for the tests from Debian packages, unless they are installed.
set -euo pipefail

missing=()
compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || missing+=(postgresql)
command -v redis-server >/dev/null && command -v redis-cli >/dev/null || missing+=(redis-server)
command -v chromium >/dev/null || missing+=(chromium)
command -v chromium-headless-shell >/dev/null || missing+=(chromium-headless-shell)
command -v openssl >/dev/null || missing+=(openssl)
command -v pdftoppm >/dev/null || missing+=(poppler-utils)
command -v prlimit >/dev/null && command -v unshare >/dev/null || missing+=(util-linux)
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "Please install first: sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
