package proxy

import (
	"regexp"
	"strings"
	"sync"

	"parley/internal/errmark"
)

// tooLong is how the Anthropic API begins to say that a prompt exceeds the model's window. Claude Code shortens the
// conversation by itself when it reads this, and reads the two numbers behind it.
const tooLong = "prompt is too long"

// tooLongWords are the ways the services behind Copilot say the same, with the size first and the limit second, or the
// other way round where swapped. They are compiled when they are first needed: hardly a run of the program ever does.
var tooLongWords = sync.OnceValue(func() []tooLongWording {
	return []tooLongWording{
		{regexp.MustCompile(`(?i)prompt token count of ([\d,]+) exceeds the limit of ([\d,]+)`), false},
		{regexp.MustCompile(`(?i)(?:input|prompt)(?: token count| tokens| length)? \(([\d,]+)\) exceeds [^(]{0,60}\(?([\d,]{3,})`), false},
		{regexp.MustCompile(`(?i)maximum context length is ([\d,]+) tokens[^\d]{1,120}?([\d,]{3,}) tokens`), true},
	}
})

// tooLongWording is one of them.
type tooLongWording struct {
	words   *regexp.Regexp
	swapped bool
}

// sayTooLong words an error envelope about a prompt that is too long so that Anthropic's clients understand it. Its other
// bytes stay as they are, and an envelope that is understood already stays altogether.
func sayTooLong(envelope []byte) []byte {
	at, message, ok := stringAt(envelope, "error", "message")
	if !ok || strings.Contains(strings.ToLower(message), tooLong) || strings.Contains(message, "exceed context limit") {
		return envelope
	}
	typeAt, errType, ok := stringAt(envelope, "error", "type")
	if !ok || errType == typeTooLarge {
		return envelope // too many bytes, not too many tokens
	}
	said := tooLong
	for _, w := range tooLongWords() {
		m := w.words.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		size, limit := m[1], m[2]
		if w.swapped {
			size, limit = limit, size
		}
		said += ": " + strings.ReplaceAll(size, ",", "") + " tokens > " + strings.ReplaceAll(limit, ",", "") + " maximum"
		break
	}
	said += " (" + message + ")"
	if typeAt.From > at.From { // the later one first, so that the other's place stays
		return replaceString(replaceString(envelope, typeAt, typeInvalid), at, said)
	}
	return replaceString(replaceString(envelope, at, said), typeAt, typeInvalid)
}

// mark appends a marker to the message of an error envelope.
func mark(envelope []byte, d errmark.Detail) []byte {
	at, message, ok := stringAt(envelope, "error", "message")
	if !ok {
		return envelope
	}
	return replaceString(envelope, at, message+errmark.Encode(d))
}
