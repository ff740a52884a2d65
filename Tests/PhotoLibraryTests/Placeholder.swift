// The first test of PhotoLibrary replaces this one.
