package output

import (
	"bytes"
	"strings"
	"testing"
)

// flood is a character that is not seen, so often that it would fill a screen.
var flood = strings.Repeat("\u200d", 2000)

// A message says what it has to in less than a screen, and in as many lines as it has.
func TestMessagesAreBounded(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"lines":   {"one\ntwo\r\n\n", "parley: one\ntwo\n"},
		"joiners": {"bad " + flood + " end", "parley: bad <U+200D><U+200D><U+200D><U+200D ×1997> end\n"},
		"many":    {strings.Repeat("x\n", 500), "parley: " + strings.Repeat("x\n", 11) + "… and 489 more lines\n"},
		"long":    {strings.Repeat("x", 5000), "parley: " + strings.Repeat("x", 999) + "…\n"},
		"mixed":   {"say\n" + strings.Repeat("\u200d\u200c", 1000), "parley: say\n" + strings.Repeat("<U+200D><U+200C>", 63)[:996] + "…\n"},
	} {
		var b bytes.Buffer
		Messages(&b, nil).Message(tc.text)
		if b.String() != tc.want {
			t.Errorf("%s: %q, want %q", name, b.String(), tc.want)
		}
	}
}

// A table has a row for each of its rows, in columns that a person sees as columns.
func TestTables(t *testing.T) {
	var b bytes.Buffer
	rows := [][]string{{"日本", "x"}, {"a\nb\x1b[2J", "y"}, {strings.Repeat("z", 30), ""}}
	if err := Results(&b, nil).Table(20, rows); err != nil {
		t.Fatal(err)
	}
	want := "日本" + strings.Repeat(" ", 18) + "x\n" + "a b␛[2J" + strings.Repeat(" ", 15) + "y\n" + strings.Repeat("z", 19) + "…\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
