// The first test of Platform replaces this one.
