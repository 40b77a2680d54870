package proxy

import (
	"regexp"
	"strings"
	"sync"

	"parley/internal/errmark"
)

// tooLong begins the Anthropic API's message about a prompt that exceeds the model's window. Claude Code then shortens
// the conversation, using the two numbers after it.
const tooLong = "prompt is too long"

// tooLongWords are the equivalent messages of the services behind Copilot, with the size first and the limit second, or
// swapped. They are compiled on first use, because hardly any run needs them.
var tooLongWords = sync.OnceValue(func() []tooLongWording {
	return []tooLongWording{
		{regexp.MustCompile(`(?i)prompt token count of ([\d,]+) exceeds the limit of ([\d,]+)`), false},
		{regexp.MustCompile(`(?i)(?:input|prompt)(?: token count| tokens| length)? \(([\d,]+)\) exceeds [^(]{0,60}\(?([\d,]{3,})`), false},
		{regexp.MustCompile(`(?i)maximum context length is ([\d,]+) tokens[^\d]{1,120}?([\d,]{3,}) tokens`), true},
	}
})

// tooLongWording is one such message.
type tooLongWording struct {
	words   *regexp.Regexp
	swapped bool
}

// sayTooLong rewrites an error about a prompt that is too long so that Anthropic's clients understand it. It preserves
// the other bytes, and an envelope that they already understand.
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
	if typeAt.From > at.From { // the later one first, which leaves the other's place unchanged
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
