package files

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"parley/session/builtin/tool"
)

// text is the content of a file as models read and write it: characters without a byte order mark.
type text struct {
	s string
	// mark is the byte order mark of the file, order the order of bytes in UTF-16, nil for UTF-8.
	mark  string
	order wide
}

// wide is an order of bytes.
type wide interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

const (
	markUTF8  = "\xef\xbb\xbf"
	markUTF16 = 2 // bytes
)

// decode returns the text of a file. It returns false for content that is not text, or that [text.encode] would not give
// back byte for byte. What is not UTF-8 stays as it is.
func decode(content []byte) (text, bool) {
	switch {
	case bytes.HasPrefix(content, []byte(markUTF8)):
		t := text{s: string(content[len(markUTF8):]), mark: markUTF8}
		return t, !tool.IsBinary(content)
	case bytes.HasPrefix(content, []byte("\xff\xfe")):
		return decodeWide(content, binary.LittleEndian)
	case bytes.HasPrefix(content, []byte("\xfe\xff")):
		return decodeWide(content, binary.BigEndian)
	}
	return text{s: string(content)}, !tool.IsBinary(content)
}

func decodeWide(content []byte, order wide) (text, bool) {
	t := text{mark: string(content[:markUTF16]), order: order}
	rest := content[markUTF16:]
	units := make([]uint16, len(rest)/2)
	for i := range units {
		units[i] = order.Uint16(rest[2*i:])
	}
	t.s = string(utf16.Decode(units))
	return t, !strings.ContainsRune(t.s, 0) && bytes.Equal(t.encode(t.s), content)
}

// encode returns s as the file stores it.
func (t text) encode(s string) []byte {
	if t.order == nil {
		return []byte(t.mark + s)
	}
	out := []byte(t.mark)
	for _, unit := range utf16.Encode([]rune(s)) {
		out = t.order.AppendUint16(out, unit)
	}
	return out
}

// readable returns the text of a file that a model may change, or the error for the model.
func readable(w *tool.Workspace, p tool.Place, content []byte) (text, error) {
	t, ok := decode(content)
	if !ok {
		return t, tool.Errorf("%s is a binary file, which only a command can change.", w.Short(p.Path))
	}
	return t, nil
}

// line is a line of a file with its end: "\n", "\r\n" or, for the last one, "".
type line struct{ text, end string }

// linesOf splits a text into its lines.
func linesOf(s string) []line {
	var out []line
	for l := range strings.Lines(s) {
		switch {
		case strings.HasSuffix(l, "\r\n"):
			out = append(out, line{l[:len(l)-2], "\r\n"})
		case strings.HasSuffix(l, "\n"):
			out = append(out, line{l[:len(l)-1], "\n"})
		default:
			out = append(out, line{l, ""})
		}
	}
	return out
}

// onlyCRLF reports whether every line that ends does so with carriage return and line feed, and one does.
func onlyCRLF(s string) bool {
	n := strings.Count(s, "\n")
	return n > 0 && n == strings.Count(s, "\r\n")
}

// crlf ends the lines of s with carriage return and line feed.
func crlf(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}
