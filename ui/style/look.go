package style

import (
	"strings"
	"time"

	"parley/internal/human"
	"parley/ui/md"
)

// Look is everything that decides how items look besides themselves. It is shared by all items and changed only by the
// model; every change of it but the clock makes all layouts stale.
type Look struct {
	Theme   Theme
	Measure Measure
	Now     func() time.Time
	Home    string   // the user's home directory, to shorten paths
	Dir     string   // the session's directory, to shorten paths
	Width   int      // columns for the conversation, gutter included
	Height  int      // rows of the window
	FoldKey string   // the key that folds, "" for tab
	OpenKey string   // the key that shows an agent on the whole screen, "" if there is none
	Answer  []string // the keys that give a question the keyboard
	Ascii   bool     // nothing else may be drawn
	Links   bool     // the terminal knows hyperlinks
	// Highlighter has the colors of code; nil leaves it plain. Results change the rows of the items that Take names.
	Highlighter *md.Highlighter

	// Times says that items tell when they were and how long they took.
	Times bool

	// Marks says that what is looked for has marks of markdown in it; otherwise answers are searched without theirs. No
	// layout depends on it.
	Marks bool

	// Layouts counts the layouts made, for tests of the budget.
	Layouts int
}

// TextWidth is the widest a line of text may get, however wide the window.
const TextWidth = 100

// The smallest window that everything fits into.
const (
	MinWidth  = 40
	MinHeight = 10
)

// TooSmall reports whether the window shows only the field and the end of the conversation.
func (l *Look) TooSmall() bool { return l.Width < MinWidth || l.Height < MinHeight }

// GutterWidth is the width of the column that says who speaks.
const GutterWidth = 2

// Inner is the number of columns right of the gutter.
func (l *Look) Inner() int { return max(1, min(l.Width-GutterWidth, TextWidth)) }

// Gutter puts a mark before the first row and blanks before the others.
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

// More is the row that says how much is hidden and which key opens it.
func (l *Look) More(n int, what string, marked bool) string {
	s := "… " + human.Number(n) + " more " + what
	if n == 1 {
		s = strings.TrimSuffix(s, "s")
	}
	if marked {
		s += " · " + l.Fold() + " shows all"
	}
	return l.Theme.Dim.Of(s)
}

// Clock says when something was: the time of a day, and the day if that is not today.
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

// AnswerKeys returns the keys that give a question the keyboard, in words; where there is little room only the first.
func (l *Look) AnswerKeys() string {
	switch {
	case len(l.Answer) == 0:
		return ""
	case l.Width >= 60:
		return strings.Join(l.Answer, " or ")
	}
	return l.Answer[0]
}

// LastRows returns at most n rows of the end of a text, each clipped, and how many lines stand before them.
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
