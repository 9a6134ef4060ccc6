#ifndef CWHORL_PLATFORM_H
#define CWHORL_PLATFORM_H

#include "cwhorl_descriptor.h"
#include "cwhorl_errno.h"
#include "cwhorl_process.h"
#include "cwhorl_secret_pages.h"

#endif
