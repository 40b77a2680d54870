// Package jsonedit reads and changes JSON text in place: by byte ranges, without decoding and encoding it.
//
// In comes a JSON text, such as a request body of a megabyte of which a few short fields matter. [Scanner] walks it
// once, without allocating, and checks all of it; it accepts exactly what encoding/json accepts. [Document] stores an
// outline of the parts that a [Shape] names, records changes to them, and returns the text with these changes. Every
// other byte is preserved, including number formats, spaces, escapes and the order of members.
//
// The package does not know what the text means, does no input or output, and never writes to the text it was given.
package jsonedit
