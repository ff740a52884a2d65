# shellcheck shell=bash
# Sourced by the scripts: finds the Swift compiler.

# find_swift: prints where a `swift` of 6.0 or newer is, or says how to get one and fails.
find_swift() {
  local candidate version found=
  for candidate in "$(command -v swift || true)" /usr/bin/swift /usr/libexec/swift/bin/swift \
    /opt/swift/usr/bin/swift /opt/swift*/usr/bin/swift; do
    [ -n "$candidate" ] && [ -x "$candidate" ] || continue
    # OpenStack's client is also called swift, so only a program that prints a Swift version is the
    # compiler.
    version=$("$candidate" --version 2>/dev/null |
      sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
    [ -n "$version" ] || continue
    if [ "${version%%.*}" -ge 6 ]; then
      echo "$candidate"
      return 0
    fi
    found="$candidate is $version"
  done
  local release=
  [ -r /etc/os-release ] && release=$(. /etc/os-release && echo "${ID:-}-${VERSION_ID:-}")
  echo "retake: Swift 6.0 or newer is needed${found:+; $found}." >&2
  case $release in
    debian-12 | raspbian-12)
      echo "  Debian 12 has none: take the archive for Debian 12 from https://swift.org/install/linux," >&2
      echo "  unpack it and put its usr/bin on PATH (or link it as /opt/swift). Debian 13 has it." >&2
      ;;
    debian-* | raspbian-*) echo "  sudo apt install swiftlang" >&2 ;;
    *) echo "  See https://swift.org/install/linux." >&2 ;;
  esac
  return 1
}
