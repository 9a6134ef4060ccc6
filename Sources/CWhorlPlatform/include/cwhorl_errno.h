#ifndef CWHORL_ERRNO_H
#define CWHORL_ERRNO_H

// strerrordesc_np(3) and strerrorname_np(3): unlike strerror(3) they are safe in every thread and
// untranslated. Never null here.
const char *_Nonnull cwhorl_errno_description(int error);
const char *_Nonnull cwhorl_errno_name(int error);

#endif
