/* The kernel's V4L2 interface, and the request codes that Swift cannot import because they are
 * macros with casts. */
#ifndef CVIDEO4LINUX_H
#define CVIDEO4LINUX_H

#include <libv4lconvert.h>
#include <linux/videodev2.h>
#include <stddef.h>
#include <stdint.h>

extern const unsigned long cv4l2_querycap, cv4l2_enum_fmt, cv4l2_g_fmt, cv4l2_s_fmt, cv4l2_try_fmt;
extern const unsigned long cv4l2_reqbufs, cv4l2_querybuf, cv4l2_qbuf, cv4l2_dqbuf;
extern const unsigned long cv4l2_streamon, cv4l2_streamoff, cv4l2_g_parm, cv4l2_s_parm;
extern const unsigned long cv4l2_enum_framesizes, cv4l2_enum_frameintervals;
extern const unsigned long cv4l2_queryctrl, cv4l2_query_ext_ctrl, cv4l2_querymenu;
extern const unsigned long cv4l2_g_ext_ctrls, cv4l2_s_ext_ctrls, cv4l2_g_ctrl, cv4l2_s_ctrl;
extern const unsigned long cv4l2_enuminput, cv4l2_g_input, cv4l2_s_input;
extern const unsigned long cv4l2_query_dv_timings, cv4l2_g_dv_timings, cv4l2_s_dv_timings;
extern const unsigned long cv4l2_subscribe_event, cv4l2_dqevent;

/* Returns a converter that uses no device; null without memory. v4lconvert_destroy frees it. */
struct v4lconvert_data *cv4l2_converter(void);
/* Writes a frame as planar 4:2:0 (YU12) of the same size. Returns its bytes or -errno (EPIPE: the
 * frame is too short or damaged). Width and height must be even. */
int cv4l2_convert(struct v4lconvert_data *converter, uint32_t format, uint32_t width,
                  uint32_t height, uint32_t line, const void *source, size_t count, void *target,
                  size_t room);

/* The kernel's ABI in this build; a wrong header would corrupt every call. */
_Static_assert(sizeof(struct v4l2_capability) == 104, "v4l2_capability");
_Static_assert(sizeof(struct v4l2_fmtdesc) == 64, "v4l2_fmtdesc");
#if __SIZEOF_POINTER__ == 8
_Static_assert(sizeof(struct v4l2_format) == 208, "v4l2_format");
_Static_assert(sizeof(struct v4l2_buffer) == 88, "v4l2_buffer");
#endif

#endif
