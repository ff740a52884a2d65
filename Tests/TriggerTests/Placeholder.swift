// The first test of Trigger replaces this one.
