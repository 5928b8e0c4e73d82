# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Java libraries of the stacks that tests/interop and scripts/bench gateway set beside the
# gateway, by Maven into the cache: $cache/java-HASH/*.jar, HASH of the lists below.
# build/java is a file with the directory's name of CXF and WSS4J, build/java-STACK that of each
# stack of tests/interop/stacks with a pom.xml.

# Read by scripts/setup after apt.sh.
# shellcheck disable=SC2154

# fetch_jars FILE POM SUMS: build/FILE names the directory of what POM depends on.
fetch_jars() {
    jars=$cache/java-$(cat "$2" "$3" | sha256sum | cut -c 1-12)
    if [ ! -d "$jars" ]; then
        want "Java libraries ($1)" "fetching Java libraries by Maven ($1)" || return 0
        command -v mvn >/dev/null || die "no mvn: install what scripts/setup.d/packages.interop lists"
        rm -rf "$jars.new"
        retry mvn -q -B -f "$2" dependency:copy-dependencies \
            -DoutputDirectory="$jars.new" >"$cache/java.log" 2>&1 || {
            tail -n 20 "$cache/java.log" >&2
            die "Maven failed (log: $cache/java.log)"
        }
        (cd "$jars.new" && sha256sum -c --quiet --strict "$3" &&
            [ "$(find . -type f | wc -l)" = "$(grep -c . "$3")" ]) ||
            die "what Maven fetched is not what $3 lists"
        mv "$jars.new" "$jars"
    fi
    mkdir -p "$repo/build"
    echo "$jars" >"$repo/build/$1"
}

setup_java() {
    fetch_jars java "$repo/tests/interop/wss4j/pom.xml" "$repo/scripts/setup.d/java.sha256"
    for pom in "$repo"/tests/interop/stacks/*/pom.xml; do
        stack=$(basename "$(dirname "$pom")")
        fetch_jars "java-$stack" "$pom" "$repo/scripts/setup.d/java-$stack.sha256"
    done
}
