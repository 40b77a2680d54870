package mapper

import "strings"

// sourcePrefix begins the source of a prompt that parley sent. The runtimes accept sources that begin with "command-" and
// treat such prompts as those of the user.
const sourcePrefix = "command-parley-"

// Source returns the source to send a prompt with: the id of its turn, or of the prompt for one sent into a running turn.
func Source(id string) string { return sourcePrefix + id }

// sourceID returns the id in a source made by [Source].
func sourceID(source string) (id string, ok bool) {
	id, ok = strings.CutPrefix(source, sourcePrefix)
	return id, ok && id != ""
}

// isPrompt reports whether a user.message with a source is of a user, here or in another program.
func isPrompt(source string) bool {
	return source == "" || source == "user" || strings.HasPrefix(source, "command-")
}
