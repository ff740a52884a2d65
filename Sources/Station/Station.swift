// The first file of Station replaces this one.
