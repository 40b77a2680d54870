package ui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/compose"
	"parley/ui/keymap"
	"parley/ui/style"
)

// PastPrompt is a prompt that was sent some time, in any session.
type PastPrompt struct {
	Text string
	At   time.Time
	// Dir is the directory of its session.
	Dir string
}

// searching is the search through the prompts of the past, in the place of the field. It is open while it is not nil.
type searching struct {
	search *compose.Search
	query  style.LineInput
	cancel context.CancelFunc
	closed <-chan struct{}
	news   chan pastMsg
	err    error
}

// pastMsg brings prompts of the past, newer ones before older ones.
type pastMsg struct {
	of    *searching
	past  []compose.Past
	ended bool
	err   error
}

// pastBatch is how many prompts are brought at once.
const pastBatch = 256

// openSearch searches the prompts of all sessions: those of this one are there at once, the others are read meanwhile.
func (m *Model) openSearch() tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	s := &searching{search: compose.NewSearch(nil), cancel: cancel, closed: ctx.Done(), news: make(chan pastMsg, 4)}
	own := make([]compose.Past, 0, len(m.past))
	for i := len(m.past) - 1; i >= 0; i-- {
		own = append(own, compose.Past{Text: m.past[i], Where: "this session"})
	}
	read := m.opts.Prompts
	s.search.Add(own, read == nil)
	m.search = s
	m.completing.Close()
	m.touch()
	if read == nil {
		return nil
	}
	dir, home := m.dir(), m.look.Home
	return tea.Batch(m.awaitPast(s), m.command(func() tea.Msg {
		s.load(ctx, read, dir, home)
		return nil
	}))
}

// load reads the prompts of the past until all are read or the search is closed.
func (s *searching) load(ctx context.Context, read func(context.Context, func([]PastPrompt) bool) error, dir, home string) {
	var batch []compose.Past
	send := func(msg pastMsg) bool {
		select {
		case s.news <- msg:
			return true
		case <-ctx.Done():
			return false
		}
	}
	err := read(ctx, func(all []PastPrompt) bool {
		for _, p := range all {
			where := ""
			if p.Dir != dir {
				where = style.ShortPath(p.Dir, home)
			}
			batch = append(batch, compose.Past{Text: p.Text, When: p.At, Where: where})
		}
		if len(batch) < pastBatch {
			return ctx.Err() == nil
		}
		full := batch
		batch = nil
		return send(pastMsg{of: s, past: full})
	})
	send(pastMsg{of: s, past: batch, ended: true, err: err})
}

// awaitPast waits for the next prompts of the past.
func (m *Model) awaitPast(s *searching) tea.Cmd {
	return m.command(func() tea.Msg {
		select {
		case msg := <-s.news:
			return msg
		case <-s.closed:
			return nil
		}
	})
}

// gotPast takes in prompts of the past.
func (m *Model) gotPast(msg pastMsg) tea.Cmd {
	if msg.of != m.search {
		return nil
	}
	m.search.search.Add(msg.past, msg.ended)
	m.search.err = msg.err
	m.touch()
	if msg.ended {
		return nil
	}
	return m.awaitPast(m.search)
}

// closeSearch goes back to the field.
func (m *Model) closeSearch() {
	m.search.cancel()
	m.search = nil
	m.touch()
}

// searchKey handles a key of the search.
func (m *Model) searchKey(k tea.KeyPressMsg) tea.Cmd {
	s := m.search
	key := k.String()
	b := m.keys.Acts[key]
	switch {
	case key == "esc", b.Act == keymap.Stop, key == "ctrl+g":
		m.closeSearch()
	case key == "up", key == "ctrl+p", b.Act == keymap.Search:
		s.search.Older()
	case key == "down", key == "ctrl+n", key == "ctrl+s":
		s.search.Newer()
	case key == "enter", key == "tab":
		p, _, ok := s.search.Selected()
		m.closeSearch()
		if ok {
			return m.setComposer(p.Text)
		}
	default:
		if s.query.Key(k.String(), keymap.Typed(k)) {
			s.search.SetQuery(s.query.String())
		}
	}
	return nil
}

// mostMatches is how many prompts are shown at once.
const mostMatches = 10

// want is how many rows the prompts found would like to have.
func (s *searching) want() int {
	n, _ := s.search.Count()
	return min(max(n, 1), mostMatches)
}

// rows lays out at most limit of the prompts found, the newest at the top, the selected one among them.
func (s *searching) rows(l *style.Look, limit int) []string {
	n, all := s.search.Count()
	th, ms := l.Theme, l.Measure
	if n == 0 {
		said := "nothing matches"
		if !all {
			said = "looking through all sessions…"
		}
		return []string{"    " + th.Dim.Of(said)}[:min(1, limit)]
	}
	_, at, _ := s.search.Selected()
	from := max(0, min(at-limit/2, n-limit))
	var rows []string
	for i := from; i < n && len(rows) < limit; i++ {
		p := s.search.Match(i)
		right := style.Visible(style.OneLine(p.Where))
		if !p.When.IsZero() {
			right = strings.TrimSpace(right + "  " + style.Age(l.Now().Sub(p.When)))
		}
		if l.Width < 60 {
			right = ""
		}
		right = ms.ClipLeft(right, l.Width/3)
		lead, st := "    ", style.Style("")
		if i == at {
			lead, st = "  ❯ ", th.Chosen
		}
		text := ms.Clip(style.Visible(style.OneLine(strings.TrimSpace(around(p.Text, s.search)))), l.Width-8-ms.Width(right))
		rows = append(rows, ms.Spread(st.Of(lead+text), th.Dim.Of(right), l.Width-2))
	}
	return rows
}

// around is a prompt from a little before the first word that was looked for, if that is far from its beginning.
func around(text string, s *compose.Search) string {
	const before, far = 20, 40
	spans := s.Spans(text)
	if len(spans) == 0 || spans[0][0] <= far {
		return text[:min(len(text), 4096)]
	}
	from := spans[0][0] - before
	for from > 0 && text[from]&0xc0 == 0x80 {
		from--
	}
	return "…" + text[from:min(len(text), from+4096)]
}

// field is the row in the place of the composer.
func (s *searching) field(l *style.Look, width int) (rows []string, cx, cy int) {
	th, ms := l.Theme, l.Measure
	n, all := s.search.Count()
	right := style.Count(n, "prompt", "prompts")
	if !all {
		right += " so far"
	}
	if _, at, ok := s.search.Selected(); ok && n > 1 {
		right = style.Group(at+1) + " of " + right
	}
	switch {
	case s.err != nil:
		right = "some could not be read"
	case width >= 80:
		right += " · enter takes it · ctrl+r older · esc"
	}
	head := "search: "
	text, at := s.query.View(ms, max(4, width-style.GutterWidth-len(head)-ms.Width(right)-3))
	row := th.Accent.Of("?") + " " + ms.Spread(head+text, th.Dim.Of(right), width-4)
	return []string{row}, style.GutterWidth + len(head) + at, 0
}
