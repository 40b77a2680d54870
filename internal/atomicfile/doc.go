// Package atomicfile replaces files as a whole: a reader sees the old or the new content, even if a process is killed
// meanwhile.
//
// A kill may leave the temporary file behind. Its name is a dot, the name of the file, a dot, digits and [Suffix].
package atomicfile
