// The first file of ImagePicker replaces this one.
