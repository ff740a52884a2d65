#define _GNU_SOURCE
#include "CMicroHTTPD.h"
#include "CLoader.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static cloader_library library = CLOADER_LIBRARY("libmicrohttpd.so.12", "libmicrohttpd12");

/* The library's functions that this file calls. */
#define CALLS \
  CALL(add_response_header) \
  CALL(create_response_from_buffer) \
  CALL(create_response_from_buffer_with_free_callback_cls) \
  CALL(create_response_from_callback) \
  CALL(destroy_response) \
  CALL(get_connection_info) \
  CALL(get_connection_values_n) \
  CALL(get_daemon_info) \
  CALL(get_timeout) \
  CALL(queue_response) \
  CALL(resume_connection) \
  CALL(run) \
  CALL(start_daemon) \
  CALL(stop_daemon) \
  CALL(suspend_connection)

#define CALL(name) __typeof__(&MHD_##name) name;
static struct { CALLS } mhd;
#undef CALL

/* Returns false if the library or one of its functions is missing; cmhd_start makes the first
 * call. */
static bool load(void) {
#define CALL(name)                                                          \
  mhd.name = (__typeof__(mhd.name))cloader_find(&library, "MHD_" #name); \
  if (!mhd.name) return false;
  CALLS
#undef CALL
  return true;
}

static bool is_loaded;
static void load_once(void) { is_loaded = load(); }

struct cmhd_server {
  struct MHD_Daemon *daemon;
  cmhd_callbacks callbacks;
};

static void *connection_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

static enum MHD_Result on_accept(void *context, const struct sockaddr *address, socklen_t length) {
  (void)address;
  (void)length;
  cmhd_server *server = context;
  return server->callbacks.accept(server->callbacks.context) ? MHD_YES : MHD_NO;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **socket_context,
                          enum MHD_ConnectionNotificationCode code) {
  cmhd_server *server = context;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *socket_context =
        server->callbacks.opened(server->callbacks.context, connection, info ? info->connect_fd : -1);
  } else {
    server->callbacks.closed(server->callbacks.context, *socket_context);
    *socket_context = NULL;
  }
}

static void *on_line(void *context, const char *target, struct MHD_Connection *connection) {
  cmhd_server *server = context;
  server->callbacks.line(server->callbacks.context, connection_context(connection), target);
  return NULL;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *url, const char *method, const char *version,
                                  const char *data, size_t *size, void **request_context) {
  (void)url;
  (void)version;
  (void)request_context;
  cmhd_server *server = context;
  return server->callbacks.request(server->callbacks.context, connection_context(connection),
                                   method, data, size)
             ? MHD_YES
             : MHD_NO;
}

static void on_completed(void *context, struct MHD_Connection *connection, void **request_context,
                         enum MHD_RequestTerminationCode code) {
  (void)request_context;
  (void)code;
  cmhd_server *server = context;
  server->callbacks.completed(server->callbacks.context, connection_context(connection));
}

/* The target stays escaped, because Swift code parses the raw form. */
static size_t leave_escaped(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

cmhd_server *cmhd_start(int listener, unsigned connections, size_t memory,
                        const cmhd_callbacks *callbacks) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  cmhd_server *server = is_loaded ? calloc(1, sizeof *server) : NULL;
  if (!server) {
    close(listener);
    return NULL;
  }
  server->callbacks = *callbacks;
  server->daemon = mhd.start_daemon(
      MHD_USE_EPOLL | MHD_USE_SUSPEND_RESUME, 0, on_accept, server, on_request, server,
      MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_CONNECTION_TIMEOUT, 0u,
      MHD_OPTION_NOTIFY_CONNECTION, on_connection, server, MHD_OPTION_NOTIFY_COMPLETED,
      on_completed, server, MHD_OPTION_URI_LOG_CALLBACK, on_line, server,
      MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, server, MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_END);
  if (!server->daemon) {
    /* Depending on its version, the library may have closed the listener, so it is not closed
     * here. */
    free(server);
    return NULL;
  }
  return server;
}

void cmhd_stop(cmhd_server *server) {
  mhd.stop_daemon(server->daemon);
  free(server);
}

void cmhd_suspend(struct MHD_Connection *connection) { mhd.suspend_connection(connection); }

void cmhd_resume(struct MHD_Connection *connection) { mhd.resume_connection(connection); }

int cmhd_epoll(cmhd_server *server) {
  const union MHD_DaemonInfo *info = mhd.get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

bool cmhd_run(cmhd_server *server) {
  mhd.run(server->daemon);
  MHD_UNSIGNED_LONG_LONG left;
  return mhd.get_timeout(server->daemon, &left) == MHD_YES && left == 0;
}

struct search {
  const char *name;
  const char *value;
  size_t length;
  int count;
};

static enum MHD_Result look(void *context, enum MHD_ValueKind kind, const char *key,
                            size_t key_size, const char *value, size_t value_size) {
  (void)kind;
  (void)key_size;
  struct search *search = context;
  if (strcasecmp(key, search->name) != 0) return MHD_YES;
  search->count++;
  search->value = value;
  search->length = value ? value_size : 0;
  return MHD_YES;
}

int cmhd_header(struct MHD_Connection *connection, const char *name, const char **value,
                size_t *length) {
  struct search search = {.name = name};
  mhd.get_connection_values_n(connection, MHD_HEADER_KIND, look, &search);
  *value = search.value;
  *length = search.length;
  return search.count > 1 ? 2 : search.count;
}

bool cmhd_body_length(struct MHD_Connection *connection, int64_t *length) {
  const char *value;
  size_t size;
  *length = 0;
  if (cmhd_header(connection, "Transfer-Encoding", &value, &size) != 0) {
    *length = -1;
    return true;
  }
  int count = cmhd_header(connection, "Content-Length", &value, &size);
  if (count == 0) return false;
  if (count > 1 || !value) {
    *length = -1;
    return true;
  }
  char *end;
  errno = 0;
  long long number = strtoll(value, &end, 10);
  *length = errno == 0 && *end == 0 && number >= 0 ? number : INT64_MAX;
  return *length != 0;
}

size_t cmhd_head_bytes(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      mhd.get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

struct MHD_Response *cmhd_copied(const void *bytes, size_t size) {
  return mhd.create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct MHD_Response *cmhd_static(const void *bytes, size_t size) {
  return mhd.create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_PERSISTENT);
}

struct MHD_Response *cmhd_shared(const void *bytes, size_t size, void (*release)(void *context),
                                 void *context) {
  return mhd.create_response_from_buffer_with_free_callback_cls(size, (void *)bytes, release,
                                                                context);
}

struct MHD_Response *cmhd_streamed(uint64_t size, size_t block,
                                   ssize_t (*read)(void *context, uint64_t position, char *buffer,
                                                   size_t size),
                                   void (*release)(void *context), void *context) {
  return mhd.create_response_from_callback(size, block, read, context, release);
}

void cmhd_add_header(struct MHD_Response *response, const char *name, const char *value) {
  mhd.add_response_header(response, name, value);
}

bool cmhd_send(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response) {
  enum MHD_Result result = mhd.queue_response(connection, status, response);
  mhd.destroy_response(response);
  return result == MHD_YES;
}

int cmhd_listen(const char *address, uint16_t port, int backlog) {
  char service[8];
  snprintf(service, sizeof service, "%u", port);
  struct addrinfo hints = {
      .ai_family = AF_UNSPEC,
      .ai_socktype = SOCK_STREAM,
      .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
  };
  struct addrinfo *found = NULL;
  if (getaddrinfo(address, service, &hints, &found) != 0 || !found) return -EINVAL;
  int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  int failure = fd < 0 ? errno : 0;
  int one = 1;
  if (!failure) {
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (found->ai_family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    if (bind(fd, found->ai_addr, found->ai_addrlen) != 0 || listen(fd, backlog) != 0) {
      failure = errno;
    }
  }
  freeaddrinfo(found);
  if (!failure) return fd;
  if (fd >= 0) close(fd);
  return -failure;
}

int cmhd_port(int listener) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) return -errno;
  if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
  return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
}

bool cmhd_host(int listener, char *host, socklen_t size) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) return false;
  if (address.ss_family != AF_INET && address.ss_family != AF_INET6) return false;
  return getnameinfo((struct sockaddr *)&address, length, host, size, NULL, 0, NI_NUMERICHOST) == 0;
}
