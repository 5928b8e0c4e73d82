# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Java libraries of the stacks that tests/interop and scripts/bench gateway set beside the
# gateway, by Maven into the cache: $cache/java-HASH/*.jar, HASH of the lists below.
# build/java is a file with that directory's name.

# Read by scripts/setup after apt.sh.
# shellcheck disable=SC2154

java_pom=$repo/tests/interop/wss4j/pom.xml
java_sums=$repo/scripts/setup.d/java.sha256

setup_java() {
    java_dir=$cache/java-$(cat "$java_pom" "$java_sums" | sha256sum | cut -c 1-12)
    if [ ! -d "$java_dir" ]; then
        want "Java libraries" "fetching Java libraries by Maven" || return 0
        command -v mvn >/dev/null || die "no mvn: install what scripts/setup.d/packages.interop lists"
        rm -rf "$java_dir.new"
        retry mvn -q -B -f "$java_pom" dependency:copy-dependencies \
            -DoutputDirectory="$java_dir.new" >"$cache/java.log" 2>&1 || {
            tail -n 20 "$cache/java.log" >&2
            die "Maven failed (log: $cache/java.log)"
        }
        (cd "$java_dir.new" && sha256sum -c --quiet --strict "$java_sums" &&
            [ "$(find . -name '*.jar' | wc -l)" = "$(grep -c . "$java_sums")" ]) ||
            die "what Maven fetched is not what $java_sums lists"
        mv "$java_dir.new" "$java_dir"
    fi
    mkdir -p "$repo/build"
    echo "$java_dir" >"$repo/build/java"
}
