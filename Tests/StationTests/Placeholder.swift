// The first test of Station replaces this one.
