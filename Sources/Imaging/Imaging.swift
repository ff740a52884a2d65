// The first file of Imaging replaces this one.
