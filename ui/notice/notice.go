package notice

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/ui/style"
)

// How long a line is shown: long enough to be read, and not so long that it hides what the agent does.
const (
	InfoTime = 4 * time.Second
	WarnTime = 10 * time.Second
)

// maxPast is the most past lines that are kept.
const maxPast = 200

// Entry is a line with its time. Its text is visible.
type Entry struct {
	At   time.Time
	Text string
	Warn bool
}

// Model is the line that is shown and the lines before it.
type Model struct {
	now     func() time.Time
	line    line
	held    line // shown by Release
	past    []Entry
	changed bool
}

// line is a line on the screen. A duration of 0 keeps it until a key comes, or until the agent has worked for a while.
type line struct {
	text  string
	warn  bool
	id    int
	stays time.Duration
	timed bool // Timeout has returned its timeout
}

// New returns a model without lines. now is the clock.
func New(now func() time.Time) *Model { return &Model{now: now} }

// Info shows a line for InfoTime and records it.
func (m *Model) Info(text string) { m.AddFor(InfoTime, text, false) }

// Warn shows a warning for WarnTime and records it.
func (m *Model) Warn(text string) { m.AddFor(WarnTime, text, true) }

// Problem shows what an error means and what to do about it, as a warning.
func (m *Model) Problem(err error) {
	p := session.ProblemOf(err, m.now())
	m.Warn(p.What + " " + p.Next)
}

// Add shows a line or a warning and records it.
func (m *Model) Add(text string, warn bool) {
	if warn {
		m.Warn(text)
		return
	}
	m.Info(text)
}

// AddFor shows a line for d and records it.
func (m *Model) AddFor(d time.Duration, text string, warn bool) {
	text = style.Visible(style.OneLine(text))
	m.show(d, text, warn)
	m.record(text, warn)
}

// Flash shows a line for InfoTime and does not record it.
func (m *Model) Flash(text string) { m.show(InfoTime, style.Visible(style.OneLine(text)), false) }

// Repeat shows a past line again; i is its index in Past.
func (m *Model) Repeat(i int) {
	if i >= 0 && i < len(m.past) {
		m.show(WarnTime, m.past[i].Text, m.past[i].Warn)
	}
}

// Past returns the recorded lines, the oldest first.
func (m *Model) Past() []Entry { return m.past }

// show replaces the line. Its text is visible.
func (m *Model) show(d time.Duration, text string, warn bool) {
	m.line = line{text: text, warn: warn, id: m.line.id + 1, stays: d}
	m.changed = true
}

// record appends a line to the past ones, unless it repeats the last one or only names a key to press again.
func (m *Model) record(text string, warn bool) {
	if n := len(m.past); text == "" || n > 0 && m.past[n-1].Text == text || !warn && strings.Contains(text, " again ") {
		return
	}
	m.past = append(m.past, Entry{m.now(), text, warn})
	if len(m.past) > maxPast {
		m.past = slices.Delete(m.past, 0, len(m.past)-maxPast)
	}
}

// Text returns the line that is shown, "" for none.
func (m *Model) Text() string { return m.line.text }

// Warns reports whether the line that is shown is a warning.
func (m *Model) Warns() bool { return m.line.warn }

// Clear removes the line.
func (m *Model) Clear() {
	m.changed = m.changed || m.line.text != ""
	m.line.text = ""
}

// Changes reports whether the line changed since it was called last.
func (m *Model) Changes() bool {
	changed := m.changed
	m.changed = false
	return changed
}

// Timeout returns after how long Expire is to be called with the id, once for each line. A line from the start stays until
// a key comes, or for WarnTime from when the agent works.
func (m *Model) Timeout(working bool) (d time.Duration, id int, ok bool) {
	l := &m.line
	if l.timed || l.text == "" || l.stays == 0 && !working {
		return 0, 0, false
	}
	l.timed = true
	if l.stays == 0 {
		return WarnTime, l.id, true
	}
	return l.stays, l.id, true
}

// Expire removes the line with this id, if it is still shown.
func (m *Model) Expire(id int) {
	if id == m.line.id {
		m.Clear()
		m.changed = true
	}
}

// Begin records the lines of the start and shows the first, with a pointer to /notices if there are several; without lines
// it shows a tip. With hold the line is shown by Release, and no tip is.
func (m *Model) Begin(lines []Entry, tip string, hold bool) {
	var first line
	for _, e := range lines {
		e.At, e.Text = m.now(), style.Visible(style.OneLine(e.Text))
		m.past = append(m.past, e)
	}
	switch n := len(m.past); {
	case n > 0:
		first = line{text: m.past[0].Text, warn: m.past[0].Warn}
		if n > 1 {
			first.text = fmt.Sprintf("1 of %d (/notices): %s", n, first.text)
		}
	case !hold:
		first = line{text: style.Visible(style.OneLine(tip))}
		m.record(first.text, false)
	}
	if hold {
		m.held = first
		return
	}
	m.line = first
}

// Release shows the line that Begin held.
func (m *Model) Release() {
	if m.held.text != "" {
		m.held.id = m.line.id + 1
		m.line, m.held = m.held, line{}
		m.changed = true
	}
}
