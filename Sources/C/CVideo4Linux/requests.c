#include "CVideo4Linux.h"

const unsigned long cv4l2_querycap = VIDIOC_QUERYCAP, cv4l2_enum_fmt = VIDIOC_ENUM_FMT;
const unsigned long cv4l2_g_fmt = VIDIOC_G_FMT, cv4l2_s_fmt = VIDIOC_S_FMT;
const unsigned long cv4l2_try_fmt = VIDIOC_TRY_FMT, cv4l2_reqbufs = VIDIOC_REQBUFS;
const unsigned long cv4l2_querybuf = VIDIOC_QUERYBUF, cv4l2_qbuf = VIDIOC_QBUF;
const unsigned long cv4l2_dqbuf = VIDIOC_DQBUF, cv4l2_streamon = VIDIOC_STREAMON;
const unsigned long cv4l2_streamoff = VIDIOC_STREAMOFF, cv4l2_g_parm = VIDIOC_G_PARM;
const unsigned long cv4l2_s_parm = VIDIOC_S_PARM;
const unsigned long cv4l2_enum_framesizes = VIDIOC_ENUM_FRAMESIZES;
const unsigned long cv4l2_enum_frameintervals = VIDIOC_ENUM_FRAMEINTERVALS;
const unsigned long cv4l2_queryctrl = VIDIOC_QUERYCTRL;
const unsigned long cv4l2_query_ext_ctrl = VIDIOC_QUERY_EXT_CTRL;
const unsigned long cv4l2_querymenu = VIDIOC_QUERYMENU;
const unsigned long cv4l2_g_ext_ctrls = VIDIOC_G_EXT_CTRLS;
const unsigned long cv4l2_s_ext_ctrls = VIDIOC_S_EXT_CTRLS;
const unsigned long cv4l2_g_ctrl = VIDIOC_G_CTRL, cv4l2_s_ctrl = VIDIOC_S_CTRL;
const unsigned long cv4l2_enuminput = VIDIOC_ENUMINPUT, cv4l2_g_input = VIDIOC_G_INPUT;
const unsigned long cv4l2_s_input = VIDIOC_S_INPUT;
const unsigned long cv4l2_query_dv_timings = VIDIOC_QUERY_DV_TIMINGS;
const unsigned long cv4l2_g_dv_timings = VIDIOC_G_DV_TIMINGS;
const unsigned long cv4l2_s_dv_timings = VIDIOC_S_DV_TIMINGS;
const unsigned long cv4l2_subscribe_event = VIDIOC_SUBSCRIBE_EVENT;
const unsigned long cv4l2_dqevent = VIDIOC_DQEVENT;
