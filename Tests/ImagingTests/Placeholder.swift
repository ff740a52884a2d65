// The first test of Imaging replaces this one.
