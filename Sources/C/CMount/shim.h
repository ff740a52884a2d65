#include <libmount/libmount.h>
