package script

import (
	"fmt"
	"strings"
	"sync"
)

// corpus is markdown of our own making with every construct a renderer cares about, always the same.
var corpus = sync.OnceValue(func() string {
	words := strings.Fields(`a quiet harbour keeps its lamps low while the tide turns and every boat swings slowly to face
		the open water again nobody hurries since the ferry comes late on market days and leaves when the last crate of
		plums is stowed below the rope lockers`)
	n := 0
	word := func() string { n++; return words[(n*11+n/5)%len(words)] }
	var b strings.Builder
	for section := 1; b.Len() < 24000; section++ {
		fmt.Fprintf(&b, "## Part %d\n\n", section)
		for range 2 {
			for i := range 48 {
				switch {
				case i%19 == 4:
					fmt.Fprintf(&b, "**%s** ", word())
				case i%11 == 6:
					fmt.Fprintf(&b, "`%s()` ", word())
				default:
					b.WriteString(word() + " ")
				}
			}
			b.WriteString("\n\n")
		}
		for i := range 5 {
			fmt.Fprintf(&b, "- point %d: %s %s *%s* %s\n", i+1, word(), word(), word(), word())
		}
		b.WriteString("\n```go\n")
		for i := range 12 {
			fmt.Fprintf(&b, "func %s%d(n int) (int, error) { return n*%d + len(%q), nil } // %s\n", word(), i, i+2, word(), word())
		}
		b.WriteString("```\n\n| name | count | remark |\n|---|---:|---|\n")
		for i := range 4 {
			fmt.Fprintf(&b, "| %s | %d | %s %s |\n", word(), i*37, word(), word())
		}
		fmt.Fprintf(&b, "\n> %s %s %s\n\n", word(), word(), word())
	}
	return b.String()
})

// filler makes an answer of exactly tokens deltas of four characters, unless the end mark alone is longer. With an id
// the last line is ENDMARK and the id, outside of any code block, so that a reader can tell when all has arrived.
func filler(tokens int, id string) string {
	size, tail := tokens*defaultChars, ""
	if id != "" {
		tail = "\n\nENDMARK" + id + "\n"
	}
	room := max(size-len(tail), 0)
	text := strings.Repeat(corpus(), room/len(corpus())+1)[:room]
	if strings.Count(text, "```")%2 == 1 { // a code block was cut: plain words instead
		open := strings.LastIndex(text, "```")
		text = text[:open] + strings.Repeat("word ", room/5+1)[:room-open]
	}
	return text + tail
}
