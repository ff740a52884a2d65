// The first test of Capture replaces this one.
