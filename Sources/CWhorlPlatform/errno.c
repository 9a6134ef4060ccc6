// strerrordesc_np and strerrorname_np are GNU extensions.
#define _GNU_SOURCE
#include "cwhorl_errno.h"

#include <string.h>

const char *cwhorl_errno_description(int error)
{
    const char *text = strerrordesc_np(error);
    return text ? text : "unknown error";
}

const char *cwhorl_errno_name(int error)
{
    const char *text = strerrorname_np(error);
    return text ? text : "E?";
}
