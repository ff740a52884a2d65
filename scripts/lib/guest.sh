# shellcheck shell=bash Sourced by scripts/vm: the guest's kernel, modules and first file system, in
# the cache. Nothing is installed on this machine. Needs common.sh.

guest_cache=$rig_cache/vm

# Built into the first file system: what it takes to mount this machine's root inside the guest.
guest_boot_modules=(virtio_pci virtio_console 9pnet_virtio 9p overlay)

# first_dependency PACKAGE PATTERN: its first dependency that matches.
first_dependency() {
  apt-cache depends "$1" 2>/dev/null |
    awk -v pattern="$2" '$1 == "Depends:" && $2 ~ pattern { print $2; exit }'
}

# prepare_guest: sets guest_version and guest_home; makes what is missing.
prepare_guest() {
  mkdir -p "$guest_cache"
  exec 8>"$guest_cache/lock"
  flock 8
  # A complete guest is kept until its folder is removed, so that no test run waits for a kernel
  # update.
  if [ ! -e "$guest_cache/current" ]; then
    make_guest
  fi
  guest_version=$(cat "$guest_cache/current")
  guest_home=$guest_cache/$guest_version
  if [ "$repository/Tests/Rig/init" -nt "$guest_home/initramfs.gz" ]; then
    make_initramfs
  fi
  flock -u 8
  exec 8>&-
}

make_guest() {
  local image headers common kbuild source deb
  [ -n "$(apt-cache policy linux-image-amd64 2>/dev/null)" ] || apt-get -qq update || true
  image=$(first_dependency linux-image-amd64 '^linux-image-')
  [ -n "$image" ] || die "apt knows no linux-image-amd64; the guest needs Debian's kernel. Run apt-get update."
  guest_version=${image#linux-image-}
  guest_home=$guest_cache/$guest_version
  headers=linux-headers-$guest_version
  common=$(first_dependency "$headers" '^linux-headers-.*common')
  kbuild=$(first_dependency "$headers" '^linux-kbuild-')
  source=linux-source-$(cut -d . -f 1,2 <<<"$guest_version")
  say "downloading Debian's kernel $guest_version, its headers and sources (about 250 MB)"
  rm -rf "$guest_home"
  mkdir -p "$guest_home/debs"
  (cd "$guest_home/debs" && apt-get -qq -o APT::Sandbox::User=root download \
    "$image" "$headers" "$common" "$kbuild" "$source" v4l2loopback-dkms) ||
    die "the download failed; apt-get update and try again"

  say "unpacking"
  dpkg -x "$guest_home"/debs/"$image"_*.deb "$guest_home/kernel"
  for deb in "$guest_home"/debs/linux-headers-*.deb "$guest_home"/debs/linux-kbuild-*.deb; do
    dpkg -x "$deb" "$guest_home/headers"
  done
  dpkg -x "$guest_home"/debs/v4l2loopback-dkms_*.deb "$guest_home/loopback"
  mkdir -p "$guest_home/source"
  # The wanted files lie in the first half: tar ends at the last one and xz's broken pipe is no error.
  dpkg --fsys-tarfile "$guest_home"/debs/"$source"_*.deb |
    tar -xO --wildcards "*/$source.tar.xz" | xz -dc -T0 |
    tar -x -C "$guest_home/source" --strip-components=1 --wildcards \
      '*/drivers/gpio/gpio-sim.c' '*/drivers/gpio/gpiolib.h' '*/kernel/irq/irq_sim.c'
  rm -rf "$guest_home/debs"
  local modules=$guest_home/kernel/lib/modules
  [ -d "$modules" ] || modules=$guest_home/kernel/usr/lib/modules
  [ -d "$guest_home/kernel/lib" ] || ln -s usr/lib "$guest_home/kernel/lib"
  depmod -b "$guest_home/kernel" "$guest_version"
  "$python" "$repository/scripts/lib/uncompressed_kernel.py" \
    "$guest_home/kernel/boot/vmlinuz-$guest_version" "$guest_home/vmlinux"

  say "building gpio-sim and v4l2loopback for it"
  build_modules >"$guest_home/modules.log" 2>&1 || {
    tail -n 20 "$guest_home/modules.log" >&2
    die "a kernel module did not build; whole output in $guest_home/modules.log"
  }
  make_initramfs
  echo "$guest_version" >"$guest_cache/current"
  say "the guest is ready in $guest_home"
}

# Debian's kernels have neither gpio-sim nor v4l2loopback. They are put beside the kernel's own
# modules, so that the guest finds them with modprobe.
build_modules() {
  local tree=$guest_home/headers/usr/src/linux-headers-$guest_version
  local work=$guest_home/build extra=$guest_home/kernel/lib/modules/$guest_version/extra
  # The packaged Makefile includes the common headers by their installed place.
  sed -i "s#^include .*/usr/src/\(linux-headers-[^ /]*\)/Makefile#include $guest_home/headers/usr/src/\1/Makefile#" \
    "$tree/Makefile"
  rm -rf "$work"
  mkdir -p "$work/loopback" "$work/gpio" "$extra"

  cp "$guest_home"/loopback/usr/src/v4l2loopback-*/*.[ch] "$work/loopback/"
  echo 'obj-m := v4l2loopback.o' >"$work/loopback/Kbuild"

  # gpio-sim raises its interrupts through irq_sim, which Debian leaves out as well. irq_sim is
  # linked in; irq_to_desc is not exported to modules, irq_get_irq_data is.
  cp "$guest_home/source/drivers/gpio/gpio-sim.c" "$work/gpio/sim_main.c"
  cp "$guest_home/source/drivers/gpio/gpiolib.h" "$work/gpio/"
  sed -e '/EXPORT_SYMBOL/d' \
    -e 's/irq_to_desc(\([a-z_]*\))/irq_data_to_desc(irq_get_irq_data(\1))/' \
    "$guest_home/source/kernel/irq/irq_sim.c" >"$work/gpio/sim_irq.c"
  printf '%s\n' 'obj-m := gpio-sim.o' 'gpio-sim-y := sim_main.o sim_irq.o' 'ccflags-y := -I$(src)' \
    >"$work/gpio/Kbuild"

  local module
  for module in loopback gpio; do
    # Type information for tracers would need pahole, and the kernel's own image.
    make -s -C "$tree" M="$work/$module" KERNELRELEASE="$guest_version" \
      CONFIG_DEBUG_INFO_BTF_MODULES= modules || return 1
    cp "$work/$module"/*.ko "$extra/" || return 1
  done
  depmod -b "$guest_home/kernel" "$guest_version"
}

make_initramfs() {
  local work file name
  work=$(mktemp -d)
  mkdir -p "$work"/{bin,dev,proc,sys,modules,host,report,changes,root}
  cp "$(command -v busybox)" "$work/bin/busybox"
  cp "$repository/Tests/Rig/init" "$work/init"
  chmod 755 "$work/init"
  for name in "${guest_boot_modules[@]}"; do
    modprobe -d "$guest_home/kernel" -S "$guest_version" --show-depends "$name"
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' |
    while read -r file; do
      name=${file##*/}
      case $file in
        *.xz) name=${name%.xz} && xz -dc "$file" >"$work/modules/$name" ;;
        *.zst) name=${name%.zst} && zstd -dqc "$file" >"$work/modules/$name" ;;
        *) cp "$file" "$work/modules/$name" ;;
      esac
      echo "$name"
    done >"$work/modules/order"
  (cd "$work" && find . -print0 | cpio --null -o -H newc --quiet | gzip -1) \
    >"$guest_home/initramfs.gz.new"
  mv "$guest_home/initramfs.gz.new" "$guest_home/initramfs.gz"
  rm -rf "$work"
}
