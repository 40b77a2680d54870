// Package jsonedit reads and changes JSON text in place: by byte ranges, without decoding and encoding it.
//
// In comes a JSON text, such as a request body of a megabyte of which a few short fields matter. [Scanner] walks it
// once, allocates nothing and checks all of it; it takes exactly what encoding/json takes. [Document] keeps an outline
// of the parts that a [Shape] names, records changes to them, and gives out the text with these changes: every byte
// that no change touches is as it was, number formats, spaces, escapes and the order of members included.
//
// The package knows nothing of what the text means, does no input or output, and never writes to the text it was given.
package jsonedit
