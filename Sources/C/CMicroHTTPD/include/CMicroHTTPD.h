/* The HTTP server of libmicrohttpd, driven from outside through its epoll descriptor: one thread
 * runs everything. Only what is variadic there, or a union, has a function here. */
#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the server is told; every function gets `context`. */
typedef struct cmhd_callbacks {
  void *context;
  /* Whether another connection is taken; one that is not is closed. */
  bool (*accept)(void *context);
  /* A connection began; the result is its own context until `closed`. */
  void *(*opened)(void *context, struct MHD_Connection *connection, int socket);
  void (*closed)(void *context, void *connection_context);
  /* A request line was read; `target` as it came. */
  void (*line)(void *context, void *connection_context, const char *target);
  /* Headers, then each part of the body, then its end, as MHD_AccessHandlerCallback. */
  bool (*request)(void *context, void *connection_context, const char *method, const char *data,
                  size_t *size);
  /* The request is over, whatever became of it. */
  void (*completed)(void *context, void *connection_context);
} cmhd_callbacks;

typedef struct cmhd_server cmhd_server;

/* Serves a listening socket, which it owns from then on. NULL where that cannot be. */
cmhd_server *cmhd_start(int listener, unsigned connections, size_t memory,
                        const cmhd_callbacks *callbacks);
/* No connection may be suspended. */
void cmhd_stop(cmhd_server *server);

/* Has a connection wait, and go on; nothing is read of it or written to it meanwhile. */
void cmhd_suspend(struct MHD_Connection *connection);
void cmhd_resume(struct MHD_Connection *connection);

/* Readable when there is something to do. */
int cmhd_epoll(cmhd_server *server);
/* Does it; true: there is more to do at once. */
bool cmhd_run(cmhd_server *server);

/* The value of the only header of that name: 0 there is none, 1 one, 2 more than one. */
int cmhd_header(struct MHD_Connection *connection, const char *name, const char **value,
                size_t *length);
/* Whether a body follows, and how long it is; -1: not said. */
bool cmhd_body_length(struct MHD_Connection *connection, int64_t *length);

/* Bytes of the request's line and headers, as they came. */
size_t cmhd_head_bytes(struct MHD_Connection *connection);

/* Responses; NULL without memory. Each is given away by `cmhd_send`. */
struct MHD_Response *cmhd_copied(const void *bytes, size_t size);
struct MHD_Response *cmhd_static(const void *bytes, size_t size);
/* `release` is called once the bytes are no longer needed. */
struct MHD_Response *cmhd_shared(const void *bytes, size_t size, void (*release)(void *context),
                                 void *context);
struct MHD_Response *cmhd_streamed(uint64_t size, size_t block,
                                   ssize_t (*read)(void *context, uint64_t position, char *buffer,
                                                   size_t size),
                                   void (*release)(void *context), void *context);
void cmhd_add_header(struct MHD_Response *response, const char *name, const char *value);
bool cmhd_send(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response);

/* A listening socket at a numeric address, or -errno; `port` 0 takes a free one. */
int cmhd_listen(const char *address, uint16_t port, int backlog);
/* The port of a listening socket. */
int cmhd_port(int listener);
/* The numeric address of a listening socket; false for one that is not of the internet. */
bool cmhd_host(int listener, char *host, socklen_t size);

static inline uint64_t cmhd_size_unknown(void) { return MHD_SIZE_UNKNOWN; }
static inline ssize_t cmhd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t cmhd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

#endif
