#!/bin/sh
# Runs the tests of the kernels for 64-bit ARM under emulation, on an x86-64 Debian 12.
#
# usage: crates/nnue/check-neon.sh [a part of the names of tests]
#
# Installs a compiler that has the standard library for that processor, a linker and an emulator. Needs to
# be root for that, the first time only.
set -eu
cd "$(dirname "$0")"

target=aarch64-unknown-linux-gnu
packages="rustc-web libstd-rust-web-dev:arm64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
if ! dpkg -s $packages >/dev/null 2>&1; then
    dpkg --add-architecture arm64
    apt-get update -qq
    apt-get install -y --no-install-recommends $packages
fi

export RUSTC=/usr/bin/rustc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
: "${CARGO_TARGET_DIR:=../../target}"
export CARGO_TARGET_DIR="$CARGO_TARGET_DIR/neon"

# Linked statically: with shared libraries the emulator of Debian 12 hangs when a thread ends.
cargo rustc --lib --profile test --target $target --message-format=short -- -C target-feature=+crt-static
tests=$(ls -t "$CARGO_TARGET_DIR/$target"/debug/deps/nnue-* | grep -v '\.d$' | head -n 1)
exec qemu-aarch64 "$tests" "${1:-kernels::}"
