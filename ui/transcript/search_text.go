package transcript

import "strings"

// searchMarks are the characters of markdown within words.
const searchMarks = "*`"

// marksIn reports whether a query must be searched in the source of answers, because it holds marks of markdown or an
// address.
func marksIn(query string) bool {
	return strings.ContainsAny(query, searchMarks) || strings.Contains(query, "](") || strings.Contains(query, "://")
}

// unmarked returns an answer roughly as it is read: without marks of emphasis and code, and with the lines of paragraphs
// joined.
func unmarked(s string) string {
	if !strings.ContainsAny(s, searchMarks+"\n") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case c == '*' || c == '`':
		case c == '\n' && i > 0 && s[i-1] != '\n' && i+1 < len(s) && isLetter(s[i+1]):
			b = append(b, ' ')
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// isLetter reports whether a line that begins with the byte may continue the paragraph before it.
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 }
