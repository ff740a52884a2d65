// The first file of PhotoLibrary replaces this one.
