#!/bin/bash
# scripts/vm system: a Debian 13 with systemd, as a guest, in which the package is installed and used
# as a booth builder would. The scenarios are in Tests/Rig/System/scenarios.py.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/common.sh"
. "$repository/scripts/lib/packages.sh"

usage() {
  cat <<'U'
usage: scripts/vm system [OPTIONS] [SCENARIO...]

Installs the package in a booted Debian 13 and goes through all scenarios, or through those named
(`install` is always the first). The first use makes the guest: about four minutes.

  --list          what scenarios there are
  --deb FILE      the package; otherwise scripts/package amd64 makes it
  --arm64 FILE    the arm64 package, for the scenario of that name; otherwise scripts/package makes it
  --keep          leaves the guest's disk in the logs
  --logs FOLDER   where console, journal and measures go; otherwise a folder in the cache
U
}

shift # its own name
deb='' arm64='' keep='' logs='' names=()
while [ $# -gt 0 ]; do
  case $1 in
    --list) exec /usr/bin/python3 "$repository/Tests/Rig/System/scenarios.py" --list ;;
    --deb) deb=$(realpath "${2:?}"); shift 2 ;;
    --arm64) arm64=$(realpath "${2:?}"); shift 2 ;;
    --keep) keep=--keep; shift ;;
    --logs) logs=${2:?}; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 2 ;;
    *) names+=("$1"); shift ;;
  esac
done
[ "$(id -u)" -eq 0 ] || die "needs root, to make the guest's file system"

install_packages vm debian13
cache=$rig_cache/system
mkdir -p "$cache"
exec 6>"$cache/lock"
flock 6

# debian13 COMMAND...: in the Debian 13 with apt and compiler; the cache is its /scratch.
debian13() {
  RETAKE_DEBIAN13_TAGS='package system' RETAKE_DEBIAN13_SCRATCH=$cache \
    "$repository/scripts/debian13" run -- "$@"
}

if [ -z "$deb" ]; then
  deb=$("$repository/scripts/package" amd64 --output "$cache/packages" | grep -v dbgsym | tail -n 1)
fi
# The packages that the guest needs in addition to the package's own dependencies.
tools=systemd,systemd-sysv,udev,dbus,kmod,e2fsprogs,dosfstools,fdisk,python3-minimal,libpython3-stdlib,curl,procps,v4l-utils,polkitd,init-system-helpers
depends=$(depends_of "$deb")

# The newest of each, once a day at most.
if [ -z "$(find "$cache/versions" -mtime -1 2>/dev/null)" ]; then
  debian13 apt-get -qq update
  touch "$cache/versions"
fi
kernel=$(debian13 apt-cache depends linux-image-amd64 |
  sed -n 's/.*Depends: linux-image-\([0-9].*\)/\1/p' | head -n 1)
kernel_version=$(debian13 apt-cache policy "linux-image-$kernel" | sed -n 's/.*Candidate: //p')
kernel_home=$cache/kernel-$kernel_version
# shellcheck disable=SC2086
root_key=$(debian13 apt-cache policy ${tools//,/ } ${depends//,/ } | grep -E '^[a-z]|Candidate' |
  cat - "$repository/Tests/Rig/System/agent.py" "$repository/Tests/Rig/System/guest.init" \
    "$repository/scripts/lib/system.sh" <(echo "$kernel_version") | sha256sum | cut -c 1-12)
image=$cache/root-$root_key.img

make_kernel() {
  say "getting Debian 13's kernel $kernel_version and building gpio-sim for it"
  rm -rf "$kernel_home"
  local here=/scratch/${kernel_home##*/}
  mkdir -p "$kernel_home/debs"
  local source=linux-source-$(cut -d . -f 1,2 <<<"$kernel")
  debian13 sh -ec '
    cd "$1/debs"
    apt-get -qq -o APT::Sandbox::User=root download "linux-image-$2" "$3"
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends "linux-headers-$2" >/dev/null
    dpkg -x linux-image-*.deb ../kernel
    mkdir -p ../source ../module
    dpkg --fsys-tarfile linux-source-*.deb | tar -xO --wildcards "*/$3.tar.xz" | xz -dc |
      tar -x -C ../source --strip-components=1 --wildcards "*/drivers/gpio/gpio-sim.c" \
        "*/drivers/gpio/gpiolib.h" "*/kernel/irq/irq_sim.c" || true
    cd ../module
    # As in guest.sh: Debian has neither gpio-sim nor the simulated interrupts it needs.
    cp ../source/drivers/gpio/gpio-sim.c sim_main.c
    cp ../source/drivers/gpio/gpiolib.h .
    sed -e "/EXPORT_SYMBOL/d" -e "s/irq_to_desc(\([a-z_]*\))/irq_data_to_desc(irq_get_irq_data(\1))/" \
      ../source/kernel/irq/irq_sim.c >sim_irq.c
    printf "%s\n" "obj-m := gpio-sim.o" "gpio-sim-y := sim_main.o sim_irq.o" "ccflags-y := -I\$(src)" >Kbuild
    make -s -C "/lib/modules/$2/build" M="$PWD" CONFIG_DEBUG_INFO_BTF_MODULES= modules
    strip --strip-debug gpio-sim.ko' make "$here" "$kernel" "$source" >"$cache/kernel.log" 2>&1 || {
    tail -n 20 "$cache/kernel.log" >&2
    die "the kernel was not made; the whole log is in $cache/kernel.log"
  }
  rm -rf "$kernel_home/debs"
  [ -e "$kernel_home/kernel/lib" ] || ln -s usr/lib "$kernel_home/kernel/lib"
  depmod -b "$kernel_home/kernel" "$kernel"
  /usr/bin/python3 "$repository/scripts/lib/uncompressed_kernel.py" \
    "$kernel_home/kernel/boot/vmlinuz-$kernel" "$kernel_home/vmlinux"
  make_first_files
}

# modules_of NAME...: the files of these modules and of all they need, in the order of loading.
modules_of() {
  local name
  for name in "$@"; do
    modprobe -d "$kernel_home/kernel" -S "$kernel" --show-depends "$name"
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

unpack_module() {
  case $1 in
    *.xz) xz -dc "$1" >"${2%.xz}" ;;
    *.zst) zstd -dqc "$1" >"${2%.zst}" ;;
    *) cp "$1" "$2" ;;
  esac
}

make_first_files() {
  local work file name
  work=$(mktemp -d)
  mkdir -p "$work"/{bin,dev,proc,sys,modules,root}
  cp "$(command -v busybox)" "$work/bin/busybox"
  install -m 755 "$repository/Tests/Rig/System/guest.init" "$work/init"
  modules_of virtio_pci virtio_blk ext4 | while read -r file; do
    name=${file##*/}
    unpack_module "$file" "$work/modules/$name"
    name=${name%.xz}
    echo "${name%.zst}"
  done >"$work/modules.order"
  mv "$work/modules.order" "$work/modules/order"
  (cd "$work" && find . -print0 | cpio --null -o -H newc --quiet | gzip -1) >"$kernel_home/initrd.gz.new"
  rm -rf "$work"
  mv "$kernel_home/initrd.gz.new" "$kernel_home/initrd.gz"
}

make_root() {
  local root=$cache/root.new file target unit
  say "making the guest's Debian 13"
  make_debian13 "$root" "$cache/root.log" "$tools,$depends" "${lean[@]}" \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-include=/usr/share/doc/*/copyright'
  local modules=$root/usr/lib/modules/$kernel
  mkdir -p "$modules/extra"
  modules_of virtio_blk virtio_console virtio_rng virtio_pci 9pnet_virtio 9p ext4 vfat nls_cp437 \
    nls_ascii nls_utf8 vhci-hcd uvcvideo evdev configfs autofs4 fuse loop xhci-pci usb-storage uas sd_mod i6300esb |
    while read -r file; do
      target=$modules/${file#*/modules/"$kernel"/}
      mkdir -p "${target%/*}"
      unpack_module "$file" "$target"
    done
  cp "$kernel_home/kernel/lib/modules/$kernel"/modules.{builtin,builtin.modinfo,order} "$modules/"
  cp "$kernel_home/module/gpio-sim.ko" "$modules/extra/"
  depmod -b "$root" "$kernel"

  # The system must not seem to boot for the first time, because it would then ask questions.
  echo 6f1c3a1de0b94a6ab5a05bf8d1f6a9c3 >"$root/etc/machine-id"
  echo booth >"$root/etc/hostname"
  printf '127.0.0.1 localhost booth\n' >"$root/etc/hosts"
  printf '/dev/vda / ext4 defaults,noatime 0 1\n' >"$root/etc/fstab"
  : >"$root/etc/resolv.conf"
  rm -f "$root/etc/apt/sources.list" "$root"/etc/apt/sources.list.d/*
  mkdir -p "$root/etc/systemd/system/sysinit.target.wants" "$root/rig" \
    "$root/var/log/journal"
  # Logins, timers and searches for real hardware only cost time under emulation.
  for unit in getty@tty1.service getty.target serial-getty@ttyS0.service apt-daily.timer \
    apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer e2scrub_all.timer \
    e2scrub_reap.service systemd-pstore.service ldconfig.service systemd-hwdb-update.service \
    systemd-journal-catalog-update.service systemd-update-done.service systemd-firstboot.service \
    systemd-hibernate-clear.service dev-hugepages.mount sys-kernel-tracing.mount \
    systemd-tpm2-setup.service systemd-tpm2-setup-early.service modprobe@drm.service proc-sys-fs-binfmt_misc.automount systemd-binfmt.service \
    modprobe@efi_pstore.service modprobe@dm_mod.service; do
    ln -sfn /dev/null "$root/etc/systemd/system/$unit"
  done
  install -m 755 "$repository/Tests/Rig/System/agent.py" "$root/usr/local/sbin/rig-agent"
  cat >"$root/etc/systemd/system/rig-agent.service" <<'U'
[Unit]
Description=The rig's hands in the guest
DefaultDependencies=no
After=systemd-remount-fs.service systemd-tmpfiles-setup-dev.service
Conflicts=shutdown.target
Before=shutdown.target

[Service]
ExecStart=/usr/bin/python3 /usr/local/sbin/rig-agent
KillMode=process
Restart=on-failure
U
  ln -sfn ../rig-agent.service "$root/etc/systemd/system/sysinit.target.wants/rig-agent.service"
  touch "$root/etc/.updated" "$root/var/.updated"
  rm -f "$image.new"
  truncate -s 3G "$image.new"
  mke2fs -q -t ext4 -L booth -E lazy_itable_init=0,lazy_journal_init=0 -d "$root" "$image.new"
  rm -rf "$root"
  rm -f "$cache"/root-*.img
  mv "$image.new" "$image"
}

[ -e "$kernel_home/initrd.gz" ] || make_kernel
[ ! "$repository/Tests/Rig/System/guest.init" -nt "$kernel_home/initrd.gz" ] || make_first_files
[ -e "$image" ] || make_root
flock -u 6

if [ -z "$logs" ]; then
  logs=$cache/logs/$(date +%Y%m%d-%H%M%S)-$$
fi
mkdir -p "$logs"
/usr/bin/python3 "$repository/Tests/Rig/make_clip.py" 720p-422 "$rig_cache/clips" >/dev/null
needs_arm64=
case " ${names[*]-} " in "  " | *" arm64 "*) needs_arm64=1 ;; esac
if [ -n "$needs_arm64" ] && [ -z "$arm64" ]; then
  arm64=$("$repository/scripts/package" arm64 --output "$cache/packages" | grep -v dbgsym | tail -n 1)
fi
exec /usr/bin/python3 "$repository/Tests/Rig/System/scenarios.py" --kernel "$kernel_home" \
  --image "$image" --deb "$deb" ${arm64:+--arm64 "$arm64"} --clips "$rig_cache/clips" \
  --logs "$(realpath "$logs")" $keep ${names[@]+"${names[@]}"}
