// The first file of StationTestSupport replaces this one.
