#include <nettle/sha2.h>
#include <nettle/version.h>

// nettle renames its functions by macros, which Swift does not see; nettle 4 has no length.
static inline void cnettle_sha256_init(struct sha256_ctx *context) { sha256_init(context); }
static inline void cnettle_sha256_update(struct sha256_ctx *context, size_t count,
                                         const unsigned char *bytes) {
  sha256_update(context, count, bytes);
}
static inline void cnettle_sha256_digest(struct sha256_ctx *context, unsigned char *digest) {
#if NETTLE_VERSION_MAJOR >= 4
  sha256_digest(context, digest);
#else
  sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#endif
}
