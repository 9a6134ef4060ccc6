#ifndef CWHORL_PROCESS_H
#define CWHORL_PROCESS_H

// Forbids that this process is dumped, traced or read by other processes of its user. 0, or errno.
int cwhorl_close_process(void);

#endif
