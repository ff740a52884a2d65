// The first file of Trigger replaces this one.
