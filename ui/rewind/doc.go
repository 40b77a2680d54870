// Package rewind takes a session back to before one of its prompts: the conversation, the files that changed since, or both.
//
// In come a session with its transcript and the record of what its calls changed in files. Out go two lists, of the prompts and
// of what to take back, and a copy of the session that ends before the prompt, whose words are in the field again. The session
// itself stays as it is, so that one command takes a rewind back: nothing is ever cut off. A copy in which nothing was said goes into the bin
// then. A turn that runs is interrupted first.
package rewind
