/* The HTTP server of libmicrohttpd, driven from outside through its epoll descriptor: one thread
 * runs everything. Only the library's variadic functions and unions have a function here. */
#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The server's callbacks; every function gets `context`. */
typedef struct cmhd_callbacks {
  void *context;
  /* Returns whether to accept another connection, which is closed otherwise. */
  bool (*accept)(void *context);
  /* A connection began; the result is the connection's own context until `closed`. */
  void *(*opened)(void *context, struct MHD_Connection *connection, int socket);
  void (*closed)(void *context, void *connection_context);
  /* A request line was read; `target` is its unparsed target. */
  void (*line)(void *context, void *connection_context, const char *target);
  /* Called for the headers, for each part of the body, and for its end, like
   * MHD_AccessHandlerCallback. */
  bool (*request)(void *context, void *connection_context, const char *method, const char *data,
                  size_t *size);
  /* The request is over, with or without success. */
  void (*completed)(void *context, void *connection_context);
} cmhd_callbacks;

typedef struct cmhd_server cmhd_server;

/* Serves a listening socket and takes ownership of it. Returns NULL on failure. */
cmhd_server *cmhd_start(int listener, unsigned connections, size_t memory,
                        const cmhd_callbacks *callbacks);
/* Stops the server; no connection may be suspended. */
void cmhd_stop(cmhd_server *server);

/* Suspends and resumes a connection; the library neither reads nor writes it meanwhile. */
void cmhd_suspend(struct MHD_Connection *connection);
void cmhd_resume(struct MHD_Connection *connection);

/* Returns the descriptor that is readable when the server has work. */
int cmhd_epoll(cmhd_server *server);
/* Does some of the server's work; returns true if more can be done at once. */
bool cmhd_run(cmhd_server *server);

/* Reads the value of a header that must occur once; returns 0 if it is missing, 1, or 2 if it
 * occurs more than once. */
int cmhd_header(struct MHD_Connection *connection, const char *name, const char **value,
                size_t *length);
/* Returns whether a body follows, and sets its length, or -1 if that is unknown. */
bool cmhd_body_length(struct MHD_Connection *connection, int64_t *length);

/* Returns the number of bytes in the request's line and headers. */
size_t cmhd_head_bytes(struct MHD_Connection *connection);

/* Create responses, or return NULL without memory. `cmhd_send` takes ownership of a response. */
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

/* Returns a listening socket at a numeric address, or -errno; `port` 0 takes a free one. */
int cmhd_listen(const char *address, uint16_t port, int backlog);
/* Returns the port of a listening socket. */
int cmhd_port(int listener);
/* Returns the numeric address of a listening socket; false for a socket that is no internet
 * socket. */
bool cmhd_host(int listener, char *host, socklen_t size);

static inline uint64_t cmhd_size_unknown(void) { return MHD_SIZE_UNKNOWN; }
static inline ssize_t cmhd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t cmhd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

#endif
