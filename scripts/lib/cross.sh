# shellcheck shell=bash
# Sourced by scripts/package: what a build for another architecture needs, inside the Debian 13 that
# scripts/debian13 makes. Debian's compiler is the same version everywhere, so that the modules in the
# other architecture's swiftlang fit it. Needs common.sh and packages.sh.

# prepare_cross ARCHITECTURE: makes the other system's files and the SDK that names them; adds to the
# caller's `environment`.
prepare_cross() {
  local architecture=$1 root sysroot wanted
  RETAKE_DEBIAN13_TAGS='package cross' "$repository/scripts/debian13" root >/dev/null
  root=$("$repository/scripts/debian13" root)
  sysroot=$root/$architecture
  wanted=$(packages_for build swift | grep -v '^g++$' | sort -u)
  if [ "$(cat "$sysroot/etc/retake-packages" 2>/dev/null)" != "$wanted" ]; then
    make_sysroot
  fi
  write_sdk
  environment+=(
    RETAKE_PACKAGE_SDKS=/opt/sdks
    RETAKE_PACKAGE_EMULATOR="qemu-aarch64 -L /$architecture")
}

make_sysroot() {
  say "getting the libraries of Debian 13 for $architecture (about two minutes)"
  rm -rf "$sysroot" "$sysroot.new"
  local debs=$work/$architecture/debs
  rm -rf "$debs"
  mkdir -p "$debs"
  mmdebstrap --quiet --mode=root --variant=extract --architectures="$architecture" \
    --aptopt='APT::Install-Recommends "false"' --skip=cleanup/apt \
    --include="libc6-dev,libstdc++-14-dev,$(paste -sd, <<<"$wanted")" trixie "$sysroot.new" \
    "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(debian_mirror) trixie main" \
    >"$work/$architecture/sysroot.log" 2>&1 || {
    tail -n 15 "$work/$architecture/sysroot.log" >&2
    die "mmdebstrap failed; its whole output is in $work/$architecture/sysroot.log"
  }
  local folder
  for folder in bin lib sbin; do
    [ -e "$sysroot.new/$folder" ] || ln -s "usr/$folder" "$sysroot.new/$folder"
  done
  register_packages
  rm -f "$sysroot.new"/var/cache/apt/archives/*.deb
  # Programs for the other processor, and what only they use.
  (cd "$sysroot.new/usr/libexec/swift" && rm -rf bin libexec share lib/swift/host lib/swift/embedded \
    lib/swift/migrator lib/lib*.so*)
  mkdir -p "$sysroot.new/etc"
  echo "$wanted" >"$sysroot.new/etc/retake-packages"
  mv "$sysroot.new" "$sysroot"
}

# Unpacked packages are in no database; dpkg-shlibdeps wants to know whose each library is, and from
# which version on it has what is used. Paths are those that the build sees.
register_packages() {
  local place=$sysroot.new/var/lib/dpkg deb name key control
  mkdir -p "$place/info"
  : >"$place/status"
  # Files named by package and architecture.
  echo 1 >"$place/info/format"
  control=$(mktemp -d)
  for deb in "$sysroot.new"/var/cache/apt/archives/*.deb; do
    name=$(dpkg-deb -f "$deb" Package)
    key=$name
    [ "$(dpkg-deb -f "$deb" Multi-Arch)" != same ] || key=$name:$architecture
    {
      dpkg-deb -f "$deb" | sed '1a Status: install ok installed'
      echo
    } >>"$place/status"
    dpkg-deb -c "$deb" | awk -v root="/$architecture" '
      { path = $6; sub(/^\./, "", path); sub(/\/$/, "", path); if (path != "") print root path }' \
      >"$place/info/$key.list"
    rm -rf "${control:?}"/*
    dpkg-deb -e "$deb" "$control"
    for file in symbols shlibs; do
      [ ! -e "$control/$file" ] || cp "$control/$file" "$place/info/$key.$file"
    done
  done
  rm -rf "$control"
}

# The Swift SDK that stands for that system: where it lies, and which linker reaches it.
write_sdk() {
  local name=trixie-$architecture triple=aarch64-unknown-linux-gnu
  local bundle=$root/opt/sdks/$name.artifactbundle libraries=/$architecture/usr/libexec/swift/lib
  mkdir -p "$bundle/sdk"
  cat >"$bundle/info.json" <<J
{"schemaVersion": "1.0", "artifacts": {"$name": {
  "type": "swiftSDK", "version": "1", "variants": [{"path": "sdk"}]}}}
J
  cat >"$bundle/sdk/swift-sdk.json" <<J
{"schemaVersion": "4.0", "targetTriples": {"$triple": {
  "sdkRootPath": "/$architecture", "swiftResourcesPath": "$libraries/swift",
  "swiftStaticResourcesPath": "$libraries/swift_static", "toolsetPaths": ["toolset.json"]}}}
J
  cat >"$bundle/sdk/toolset.json" <<J
{"schemaVersion": "1.0", "rootPath": "/usr/libexec/swift/bin",
  "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld", "-Xclang-linker", "--sysroot=/$architecture"]},
  "cCompiler": {"extraCLIOptions": ["-fPIC"]}, "cxxCompiler": {"extraCLIOptions": ["-fPIC"]},
  "linker": {"path": "ld.lld"}}
J
  # Read by the compiler for every SDK; empty facts are enough.
  echo '{"Version": "13", "CanonicalName": "linux", "VersionMap": {}}' >"$sysroot/SDKSettings.json"
}
