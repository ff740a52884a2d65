// The first test of ImagePicker replaces this one.
