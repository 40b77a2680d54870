// Package descend goes down directory trees quickly: it opens each directory relative to the one above it, lists it, and opens
// or describes the files in it.
//
// In comes a directory whose path has no link. Out come names with their kinds, and open regular files. No link is followed,
// nothing but a regular file is opened, and nothing waits for a pipe or a device.
//
// The package may not write, and it may not decide which files matter.
package descend
