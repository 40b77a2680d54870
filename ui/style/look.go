package style

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/human"
	"parley/ui/md"
)

// Look is everything that layouts depend on besides their items. All items share it and only the root changes it; each change
// except that of the clock makes all layouts stale.
type Look struct {
	Theme   Theme
	Measure Measure
	Now     func() time.Time
	Home    string   // the user's home directory, to shorten paths
	Dir     string   // the session's directory, to shorten paths
	Width   int      // columns for the conversation, gutter included
	Height  int      // rows of the window
	FoldKey string   // the key that folds, "" for tab
	OpenKey string   // the key that opens a child agent, "" if there is none
	Answer  []string // the keys that give a question the keyboard
	Ascii   bool     // only ASCII may be drawn
	Links   bool     // the terminal supports hyperlinks
	Inline  bool     // the terminal keeps its own rows above, and what covers the chat takes no more than it needs
	// Highlighter holds the colors of code; nil leaves code plain. Results change the rows of the items that Take returns.
	Highlighter *md.Highlighter

	// Times reports whether items show their time and duration.
	Times bool

	// Split reports whether changes are drawn side by side where the window has splitWidth columns.
	Split bool

	// Groups reports whether one row stands for calls that read or search and follow each other. It is set once.
	Groups bool

	// Marks reports whether the query of the search contains marks of markdown; otherwise answers are searched without theirs.
	// Layouts do not depend on it.
	Marks bool

	// Layouts counts layouts, for tests.
	Layouts int
}

// TextWidth is the widest line of text in any window. Code, tables and changes may be wider.
const TextWidth = 100

// splitWidth is the narrowest window that has room for a change side by side.
const splitWidth = 140

// The smallest window into which everything fits.
const (
	MinWidth  = 40
	MinHeight = 10
)

// TooSmall reports whether the window shows only the field and the end of the conversation.
func (l *Look) TooSmall() bool { return l.Width < MinWidth || l.Height < MinHeight }

// GutterWidth is the width of the column for the marks of items.
const GutterWidth = 2

// SwitchSplit draws changes side by side, or unified again, and returns what to report. A narrow window changes nothing.
func (l *Look) SwitchSplit() string {
	if l.Width < splitWidth {
		return fmt.Sprintf("changes side by side need %d columns; this window has %d", splitWidth, l.Width)
	}
	if l.Split = !l.Split; l.Split {
		return "changes are side by side"
	}
	return "changes are unified"
}

// Wide returns the number of columns right of the gutter.
func (l *Look) Wide() int { return max(1, l.Width-GutterWidth) }

// Inner returns the number of columns right of the gutter that text may use.
func (l *Look) Inner() int { return min(l.Wide(), TextWidth) }

// Span returns the number of columns from the gutter to the right edge of the header, where the notes of rows end. The widest
// text is narrower in a wide window, and wider in a narrow one.
func (l *Look) Span() int { return max(1, l.Width-2*GutterWidth) }

// Gutter adds a mark before the first row and blanks before the others, in place.
func Gutter(mark string, rows []string) []string {
	for i, r := range rows {
		switch {
		case i == 0:
			rows[i] = mark + " " + r
		case r != "":
			rows[i] = "  " + r
		}
	}
	return rows
}

// More returns the row for n hidden rows or lines, with the key that expands them if marked.
func (l *Look) More(n int, what string, marked bool) string {
	s := "… " + human.Number(n) + " more " + what
	if n == 1 {
		s = strings.TrimSuffix(s, "s")
	}
	if marked {
		s += "  " + l.Fold()
	}
	return l.Theme.Dim.Of(s)
}

// Hint returns the right end of a row: what it holds, and the key that opens or folds it if marked.
func (l *Look) Hint(right string, marked bool) string {
	if !marked {
		return right
	}
	return strings.TrimPrefix(right+"  "+l.Fold(), "  ")
}

// Clock formats a time, with the day unless it is today.
func (l *Look) Clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	now := l.Now()
	t = t.In(now.Location())
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04:05")
	}
	if t.Year() == now.Year() {
		return t.Format("2 Jan 15:04")
	}
	return t.Format("2 Jan 2006 15:04")
}

// Fold returns the key that opens and folds rows.
func (l *Look) Fold() string {
	if l.FoldKey == "" {
		return "tab"
	}
	return l.FoldKey
}

// AnswerKeys returns the keys that give a question the keyboard, only the first in a narrow window.
func (l *Look) AnswerKeys() string {
	switch {
	case len(l.Answer) == 0:
		return ""
	case l.Width >= 60:
		return strings.Join(l.Answer, " or ")
	}
	return l.Answer[0]
}

// LastRows returns the last n lines of a text as clipped rows, and how many lines precede them.
func (l *Look) LastRows(text string, n int) (rows []string, before int) {
	text = strings.TrimRight(text, "\n")
	if text == "" || n <= 0 {
		return nil, Lines(text)
	}
	lines := strings.Count(text, "\n") + 1
	part, _ := LastLines(text, n)
	for line := range strings.SplitSeq(part, "\n") {
		rows = append(rows, l.Measure.Clip(Visible(strings.ReplaceAll(line, "\t", "    ")), l.Inner()-2))
	}
	return rows, lines - len(rows)
}
