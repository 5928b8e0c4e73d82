# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Stacks of tests/interop/stacks that are neither Java nor Python: node-soap and strong-soap by npm,
# an ONVIF device by cargo. Both into the cache, named by the hash of what lists them;
# build/node and build/onvif-device are files with the place.

# Read by scripts/setup after apt.sh.
# shellcheck disable=SC2154

stacks_node=$repo/tests/interop/stacks/node

# A camera that nobody here wrote: an example of the crate, as published. Its Cargo.lock holds the
# checksums of all it builds from, the registry that of the crate.
onvif_crate=onvif-server
onvif_version=0.1.1
onvif_example=minimal_device
onvif_rust=85 # 1.85, which the crate asks for

setup_node() {
    node_dir=$cache/node-$(cat "$stacks_node/package.json" "$stacks_node/package-lock.json" | sha256sum | cut -c 1-12)
    if [ ! -e "$node_dir/done" ]; then
        want "Node.js libraries" "fetching Node.js libraries by npm" || return 0
        # Debian's npm does not go with another vendor's Node.js.
        command -v npm >/dev/null || apt_install nodejs npm
        rm -rf "$node_dir"
        mkdir -p "$node_dir"
        cp "$stacks_node/package.json" "$stacks_node/package-lock.json" "$node_dir/"
        retry npm --prefix "$node_dir" ci --ignore-scripts --no-audit --no-fund >"$cache/node.log" 2>&1 || {
            tail -n 20 "$cache/node.log" >&2
            die "npm failed (log: $cache/node.log)"
        }
        : >"$node_dir/done"
    fi
    mkdir -p "$repo/build"
    echo "$node_dir" >"$repo/build/node"
}

# Is there a cargo new enough?
has_rust() {
    [ "$(cargo --version 2>/dev/null | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')" -ge "$onvif_rust" ] 2>/dev/null
}

setup_onvif_device() {
    onvif_dir=$cache/onvif-$onvif_crate-$onvif_version
    if [ ! -e "$onvif_dir/bin/$onvif_example" ]; then
        want "an ONVIF device" "compiling an ONVIF device by cargo (about three minutes)" || return 0
        has_rust || apt_install rustc-web cargo-web
        retry cargo install "$onvif_crate" --version "$onvif_version" --example "$onvif_example" --locked \
            --root "$onvif_dir" --target-dir "$onvif_dir/target" >"$cache/cargo.log" 2>&1 || {
            tail -n 20 "$cache/cargo.log" >&2
            die "cargo failed (log: $cache/cargo.log)"
        }
        rm -rf "$onvif_dir/target"
    fi
    mkdir -p "$repo/build"
    echo "$onvif_dir/bin/$onvif_example" >"$repo/build/onvif-device"
}
