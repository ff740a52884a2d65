// The first file of Capture replaces this one.
