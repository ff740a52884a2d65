#define _GNU_SOURCE
#include "CVideo4Linux.h"

#include <errno.h>
#include <libv4l-plugin.h>
#include <string.h>

/* The library needs a device for queries, but here it only converts frames. This device reports as
 * little as possible. It reports that it is also an output, so that the library adds no processing
 * of its own. */
static void *no_init(int fd) {
  (void)fd;
  return NULL;
}

static void no_close(void *context) { (void)context; }

static int no_ioctl(void *context, int fd, unsigned long request, void *argument) {
  (void)context, (void)fd;
  if (request == VIDIOC_QUERYCAP) {
    struct v4l2_capability *answer = argument;
    memset(answer, 0, sizeof *answer);
    strcpy((char *)answer->driver, "retake");
    answer->capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING;
    return 0;
  }
  errno = ENOTTY;
  return -1;
}

static ssize_t no_read(void *context, int fd, void *buffer, size_t count) {
  (void)context, (void)fd, (void)buffer, (void)count;
  errno = ENOTTY;
  return -1;
}

static ssize_t no_write(void *context, int fd, const void *buffer, size_t count) {
  (void)context, (void)fd, (void)buffer, (void)count;
  errno = ENOTTY;
  return -1;
}

struct v4lconvert_data *cv4l2_converter(void) {
  static const struct libv4l_dev_ops operations = {
      .init = no_init, .close = no_close, .ioctl = no_ioctl, .read = no_read, .write = no_write};
  return v4lconvert_create_with_dev_ops(-1, NULL, &operations);
}

int cv4l2_convert(struct v4lconvert_data *converter, uint32_t format, uint32_t width,
                  uint32_t height, uint32_t line, const void *source, size_t count, void *target,
                  size_t room) {
  struct v4l2_format from, to;
  memset(&from, 0, sizeof from);
  memset(&to, 0, sizeof to);
  from.type = to.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  from.fmt.pix.width = to.fmt.pix.width = width;
  from.fmt.pix.height = to.fmt.pix.height = height;
  from.fmt.pix.field = to.fmt.pix.field = V4L2_FIELD_NONE;
  from.fmt.pix.pixelformat = format;
  from.fmt.pix.bytesperline = line;
  from.fmt.pix.sizeimage = count;
  to.fmt.pix.pixelformat = V4L2_PIX_FMT_YUV420;
  to.fmt.pix.bytesperline = width;
  to.fmt.pix.sizeimage = width * height * 3 / 2;
  errno = 0;
  /* The source is only read, although the library's prototype lacks const. */
  int result = v4lconvert_convert(converter, &from, &to, (unsigned char *)source, (int)count,
                                  target, (int)room);
  return result < 0 ? -(errno ? errno : EINVAL) : result;
}
