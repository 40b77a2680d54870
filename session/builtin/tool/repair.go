package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Repair returns the input of a call as the object that the schema of the tool describes. It changes only what can mean
// nothing else: see repairJSON and [fit]. Input that it cannot repair stays as it is, and [DecodeInput] says what is wrong.
func (t *Tool) Repair(input json.RawMessage) json.RawMessage {
	object, cut, err := repairJSON(input)
	if err != nil {
		return input
	}
	out := fit(schemaOf(t.Schema), object)
	if cut && lacks(schemaOf(t.Schema), out) {
		return input // what is missing may have been cut off
	}
	return out
}

// maxUnwrapped bounds how often a string that contains the input is taken out of another.
const maxUnwrapped = 2

// repairJSON returns a JSON object, the text itself if it is one. Fences around it, a string that holds it, trailing commas,
// line ends and tabs in strings, single quotes, words of Python and brackets that are missing or left over at its end are
// repaired. cut reports whether brackets were missing. It never guesses where a string ends. It is pure.
func repairJSON(text []byte) (out json.RawMessage, cut bool, err error) {
	trimmed := trimInput(text)
	for range maxUnwrapped {
		var inner string
		if !bytes.HasPrefix(trimmed, []byte(`"`)) || json.Unmarshal(trimmed, &inner) != nil {
			break
		}
		trimmed = trimInput([]byte(inner))
	}
	if json.Valid(trimmed) && bytes.HasPrefix(trimmed, []byte("{")) {
		if len(trimmed) == len(text) {
			return text, false, nil
		}
		return json.RawMessage(trimmed), false, nil
	}
	r := repairer{in: trimmed}
	if r.peek() != '{' {
		return nil, false, Errorf("The input is not a JSON object: %.200s", text)
	}
	if r.value(0) {
		r.rest()
	}
	if r.err != nil {
		return nil, false, r.err
	}
	if !json.Valid(r.out.Bytes()) { // nothing is known to lead here
		return nil, false, Errorf("The input is not valid JSON.")
	}
	return r.out.Bytes(), r.cut, nil
}

// trimInput removes white space, a byte order mark, and a fence of markdown.
func trimInput(text []byte) []byte {
	text = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(text), []byte("\xef\xbb\xbf")))
	if first, rest, ok := bytes.Cut(text, []byte("\n")); ok && (string(bytes.TrimSpace(first)) == "```" || string(bytes.TrimSpace(first)) == "```json") {
		text = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(rest), []byte("```")))
	}
	return text
}

// repairer reads JSON with mistakes, and writes it without them. It stops at the first one that could mean several things.
type repairer struct {
	in  []byte
	at  int
	out bytes.Buffer
	cut bool
	err error
}

// maxDeep bounds objects and lists within one another.
const maxDeep = 100

func (r *repairer) fail(format string, args ...any) bool {
	if r.err == nil {
		r.err = Errorf("The input is not valid JSON: at byte %d, %w", r.at, Errorf(format, args...))
	}
	return false
}

// peek passes white space and returns the next byte, 0 at the end.
func (r *repairer) peek() byte {
	for r.at < len(r.in) && strings.IndexByte(" \t\r\n", r.in[r.at]) >= 0 {
		r.at++
	}
	if r.at == len(r.in) {
		return 0
	}
	return r.in[r.at]
}

// found names what stands at the current place.
func (r *repairer) found() string {
	if r.at >= len(r.in) {
		return "the end: the input is cut off"
	}
	rest := r.in[r.at:]
	rest = rest[:min(len(rest), 40)]
	return fmt.Sprintf("%q", strings.ToValidUTF8(string(rest), "\uFFFD"))
}

func (r *repairer) value(deep int) bool {
	if deep > maxDeep {
		return r.fail("there are too many objects and lists within one another.")
	}
	switch c := r.peek(); {
	case c == '{':
		return r.list('}', func() bool { return r.member(deep) })
	case c == '[':
		return r.list(']', func() bool { return r.value(deep + 1) })
	case c == '"', c == '\'':
		return r.str(c)
	case c == '-' || c >= '0' && c <= '9':
		return r.word("+-.")
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		return r.word("_")
	}
	return r.fail("a value was expected, but there is %s.", r.found())
}

// list reads an object or a list with its brackets.
func (r *repairer) list(end byte, element func() bool) bool {
	r.out.WriteByte(r.in[r.at])
	r.at++
	for n := 0; ; n++ {
		if r.peek() == end { // also behind a comma
			r.at++
			r.out.WriteByte(end)
			return true
		}
		if n > 0 {
			r.out.WriteByte(',')
		}
		if !element() {
			return false
		}
		switch c := r.peek(); {
		case c == ',':
			r.at++
			if next := r.peek(); next == end {
				continue
			}
		case c == end:
		case c == 0 && r.closed():
			r.cut = true
			r.out.WriteByte(end)
			return true
		default:
			return r.fail("a comma or %q was expected, but there is %s. A quote inside a string is written \\\".", string(end), r.found())
		}
	}
}

// closed reports whether the last value has an end of its own, so that nothing of it can be cut off.
func (r *repairer) closed() bool {
	b := r.out.Bytes()
	return strings.IndexByte("\"}]", b[len(b)-1]) >= 0
}

func (r *repairer) member(deep int) bool {
	c := r.peek()
	if c != '"' && c != '\'' {
		return r.fail("the name of a field in quotes was expected, but there is %s.", r.found())
	}
	if !r.str(c) {
		return false
	}
	if r.peek() != ':' {
		return r.fail("a colon was expected, but there is %s.", r.found())
	}
	r.at++
	r.out.WriteByte(':')
	return r.value(deep + 1)
}

// str reads a string, which ends at the first quote of its kind without a backslash.
func (r *repairer) str(quote byte) bool {
	begin := r.at
	r.at++
	r.out.WriteByte('"')
	for r.at < len(r.in) {
		c := r.in[r.at]
		switch {
		case c == quote:
			r.at++
			r.out.WriteByte('"')
			return true
		case c == '\\':
			if !r.escape() {
				return false
			}
			continue
		case c == '"':
			r.out.WriteString(`\"`)
		case c == '\n':
			r.out.WriteString(`\n`)
		case c == '\r':
			r.out.WriteString(`\r`)
		case c == '\t':
			r.out.WriteString(`\t`)
		case c < ' ':
			fmt.Fprintf(&r.out, `\u%04x`, c)
		default:
			r.out.WriteByte(c)
		}
		r.at++
	}
	r.at = begin
	return r.fail("a string begins that does not end: the input is cut off, or its closing quote is missing.")
}

// escape reads a backslash with what it stands for.
func (r *repairer) escape() bool {
	rest := r.in[r.at:]
	switch {
	case len(rest) > 1 && strings.IndexByte(`"\/bfnrt`, rest[1]) >= 0:
		r.out.Write(rest[:2])
		r.at += 2
		return true
	case len(rest) > 1 && rest[1] == '\'':
		r.out.WriteByte('\'')
		r.at += 2
		return true
	case len(rest) > 5 && rest[1] == 'u' && strings.Trim(string(rest[2:6]), "0123456789abcdefABCDEF") == "":
		r.out.Write(rest[:6])
		r.at += 6
		return true
	}
	_, n := utf8.DecodeRune(rest[min(1, len(rest)):])
	return r.fail("there is the unknown escape %q. A backslash is written \\\\.", rest[:min(1+n, len(rest))])
}

// word reads a number or a literal, which has letters, digits and other characters.
func (r *repairer) word(more string) bool {
	begin := r.at
	for r.at < len(r.in) {
		c := r.in[r.at]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(more, c) >= 0) {
			break
		}
		r.at++
	}
	word := string(r.in[begin:r.at])
	switch word {
	case "True":
		word = "true"
	case "False":
		word = "false"
	case "None":
		word = "null"
	}
	if !json.Valid([]byte(word)) {
		r.at = begin
		return r.fail("a value was expected, but there is %s.", r.found())
	}
	r.out.WriteString(word)
	return true
}

// rest passes brackets that are left over at the end. Anything else there is a mistake.
func (r *repairer) rest() {
	for c := r.peek(); c == '}' || c == ']'; c = r.peek() {
		r.at++
	}
	if r.at < len(r.in) {
		r.err = Errorf("The input has something after its JSON object, at byte %d: %s. Send one object.", r.at, r.found())
	}
}
