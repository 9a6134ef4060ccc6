#include "cwhorl_process.h"

#include <errno.h>
#include <sys/prctl.h>

int cwhorl_close_process(void)
{
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno;
}
