package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxColumns bounds a line in what the model reads, in bytes.
const maxColumns = 2000

// CutLine returns a line as valid text, cut at a readable length.
func CutLine(line []byte) string {
	rest := 0
	if len(line) > maxColumns {
		end := maxColumns
		for end > 0 && !utf8.RuneStart(line[end]) {
			end--
		}
		rest = len(line) - end
		line = line[:end]
	}
	s := strings.ToValidUTF8(string(line), "\uFFFD")
	if rest > 0 {
		s += fmt.Sprintf("… (%d more bytes)", rest)
	}
	return s
}
