#define _GNU_SOURCE
#include "CLinux.h"

#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table with more lines is not trusted. */
enum { most_lines = 10000 };

/* Removes slashes at the end; returns false for a path that cannot be a mount point. */
static bool trim(char *directory) {
  size_t length = strlen(directory);
  while (length > 1 && directory[length - 1] == '/') directory[--length] = 0;
  if (length < 2 || directory[0] != '/' || length >= PATH_MAX) return false;
  if (strstr(directory, "//") || strstr(directory, "/./")) return false;
  for (const char *part = directory; (part = strstr(part, "/..")); part += 3)
    if (part[3] == 0 || part[3] == '/') return false;
  return true;
}

static bool holds(const char *directory, const char *path) {
  size_t length = strlen(directory);
  return strncmp(directory, path, length) == 0 && (path[length] == 0 || path[length] == '/');
}

/* Returns 1 if a table has the directory, 0 if not, -1 if the table cannot be read. */
static int is_listed(const char *table, const char *directory) {
  FILE *file = setmntent(table, "re");
  if (!file) return -1;
  char text[PATH_MAX * 3];
  struct mntent entry;
  int result = 0;
  while (!result && getmntent_r(file, &entry, text, sizeof text))
    result = entry.mnt_dir && strcmp(entry.mnt_dir, directory) == 0;
  endmntent(file);
  return result;
}

bool clinux_missing_mount(
    const char *fstab, const char *mounts, const char *path, char *found, size_t size) {
  FILE *file = setmntent(fstab, "re");
  if (!file) return false;
  char text[PATH_MAX * 3];
  char resolved[PATH_MAX];
  struct mntent entry;
  size_t best = 0;
  for (int line = 0; line < most_lines; line++) {
    if (!getmntent_r(file, &entry, text, sizeof text)) break;
    if (!entry.mnt_dir || !entry.mnt_fsname || !*entry.mnt_fsname || !trim(entry.mnt_dir)) continue;
    if (entry.mnt_type && strcmp(entry.mnt_type, "swap") == 0) continue;
    size_t length = strlen(entry.mnt_dir);
    if (length <= best || length >= size || !holds(entry.mnt_dir, path)) continue;
    /* An unreadable table does not mean that the mount is missing. */
    if (is_listed(mounts, entry.mnt_dir) != 0) continue;
    if (realpath(entry.mnt_dir, resolved) && is_listed(mounts, resolved) != 0) continue;
    memcpy(found, entry.mnt_dir, length + 1);
    best = length;
  }
  endmntent(file);
  return best > 0;
}
