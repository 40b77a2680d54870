// Package atomicfile replaces files as a whole: a reader, and whatever is killed when, sees the old or the new content.
//
// A kill may leave the temporary file behind, whose name is a dot, the name of the file, a dot, digits and [Suffix].
package atomicfile
