package lists

import (
	"strconv"
	"strings"

	"parley/ui/style"
)

// visible returns a text from outside as one row.
func visible(s string) string { return style.Visible(style.OneLine(s)) }

// indexID returns the id of the row at an index, which no typed word matches.
func indexID(i int) string { return "\x00" + strconv.Itoa(i) }

// indexOf returns the index in an id, false unless it is below n.
func indexOf(id string, n int) (int, bool) {
	i, err := strconv.Atoi(strings.TrimPrefix(id, "\x00"))
	return i, err == nil && i >= 0 && i < n
}
