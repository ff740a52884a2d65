/* Counts what a thread allocates: malloc and its kin are replaced in the program that is linked
 * with this, and hand on to the C library's own. For tests. */
#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

/* Whether it counts at all: sanitizers have a malloc of their own, and it steps aside. */
int callocation_works(void);
/* Counts this thread's allocations from now on, or no longer; gives what was set before. */
int callocation_count(int on);
/* How many this thread has made while they were counted. */
unsigned long callocation_total(void);
/* 1: the next one that is counted traps, so that a debugger shows who makes it. */
void callocation_trap(int on);

#endif
