package input

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/ui/keymap"
	"parley/ui/style"
	"parley/ui/textarea"
)

// search is the search through past prompts, which takes the place of the field while it is open.
type search struct {
	*textarea.Search
	query  style.LineInput
	cancel context.CancelFunc
	closed <-chan struct{}
	batch  chan pastMsg
	err    error
}

// pastMsg brings past prompts, newer ones before older ones.
type pastMsg struct {
	of    *search
	past  []textarea.Past
	ended bool
	err   error
}

const (
	pastBatch  = 256 // prompts in one message
	maxMatches = 10  // prompts shown at once
)

// Searching reports whether the search is open.
func (m *Model) Searching() bool { return m.search != nil }

// OpenSearch opens the search through the prompts of all sessions. Those of this session are there at once, the others are
// read meanwhile.
func (m *Model) OpenSearch() tea.Cmd {
	ctx, cancel := context.WithCancel(m.o.Context)
	s := &search{Search: textarea.NewSearch(), cancel: cancel, closed: ctx.Done(), batch: make(chan pastMsg, 4)}
	own := make([]textarea.Past, 0, len(m.past))
	for i := len(m.past) - 1; i >= 0; i-- {
		own = append(own, textarea.Past{Text: m.past[i], Where: "this session"})
	}
	read := m.o.Prompts
	s.Add(own, read == nil)
	m.search = s
	m.completion.Close()
	m.redraw = true
	if read == nil {
		return nil
	}
	dir, home := m.o.Dir(), m.o.Look.Home
	return tea.Batch(s.await, func() tea.Msg {
		s.load(ctx, read, dir, home)
		return nil
	})
}

// CloseSearch goes back to the text. It does nothing if the search is not open.
func (m *Model) CloseSearch() {
	if m.search == nil {
		return
	}
	m.search.cancel()
	m.search = nil
	m.redraw = true
}

// load reads past prompts until all are read or the search is closed.
func (s *search) load(ctx context.Context, read func(context.Context, func([]session.PastPrompt) bool) error, dir, home string) {
	var batch []textarea.Past
	send := func(msg pastMsg) bool {
		select {
		case s.batch <- msg:
			return true
		case <-ctx.Done():
			return false
		}
	}
	err := read(ctx, func(all []session.PastPrompt) bool {
		for _, p := range all {
			where := ""
			if p.Dir != dir {
				where = style.Place(p.Dir, home)
			}
			batch = append(batch, textarea.Past{Text: p.Text, When: p.At, Where: where})
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

// await waits for the next past prompts.
func (s *search) await() tea.Msg {
	select {
	case msg := <-s.batch:
		return msg
	case <-s.closed:
		return nil
	}
}

// take adds past prompts and waits for the next ones.
func (s *search) take(msg pastMsg) tea.Cmd {
	s.Add(msg.past, msg.ended)
	s.err = msg.err
	if msg.ended {
		return nil
	}
	return s.await
}

// key handles a key. It returns whether the search closes with it, and the prompt that was chosen.
func (s *search) key(k tea.KeyPressMsg, keys *keymap.Map) (closes bool, chosen *textarea.Past) {
	key := k.String()
	switch act := keys.Acts[key].Act; {
	case key == "esc", act == keymap.Stop, key == "ctrl+g":
		return true, nil
	case key == "up", key == "ctrl+p", act == keymap.Search:
		s.Older()
	case key == "down", key == "ctrl+n", key == "ctrl+s":
		s.Newer()
	case key == "enter", key == "tab":
		if p, _, ok := s.Selected(); ok {
			chosen = &p
		}
		return true, chosen
	default:
		if s.query.Key(key, keymap.Typed(k)) {
			s.SetQuery(s.query.String())
		}
	}
	return false, nil
}

// insert adds pasted text to the query.
func (s *search) insert(text string) {
	s.query.Insert(text)
	s.SetQuery(s.query.String())
}

// want returns how many rows the matches need.
func (s *search) want() int {
	n, _ := s.Count()
	return min(max(n, 1), maxMatches)
}

// rows returns at most limit rows of the matches, the newest first, the selected one among them.
func (s *search) rows(l *style.Look, limit int) []string {
	n, all := s.Count()
	th, ms := l.Theme, l.Measure
	if n == 0 {
		said := "nothing matches"
		if !all {
			said = "looking through all sessions…"
		}
		return []string{"    " + th.Dim.Of(said)}[:min(1, limit)]
	}
	_, at, _ := s.Selected()
	from := max(0, min(at-limit/2, n-limit))
	var rows []string
	for i := from; i < n && len(rows) < limit; i++ {
		p := s.Match(i)
		right := style.Visible(style.OneLine(p.Where))
		if !p.When.IsZero() {
			right = strings.TrimSpace(right + "  " + human.Age(l.Now().Sub(p.When)))
		}
		if l.Width < 60 {
			right = ""
		}
		right = ms.ClipLeft(right, l.Width/3)
		lead, st := "    ", style.Style("")
		if i == at {
			lead, st = "  ❯ ", th.Chosen
		}
		text := ms.Clip(style.Visible(style.OneLine(strings.TrimSpace(excerpt(p.Text, s.Search)))), l.Width-8-ms.Width(right))
		rows = append(rows, ms.Spread(st.Of(lead+text), th.Dim.Of(right), l.Width-2))
	}
	return rows
}

// excerpt returns a prompt from shortly before its first match if that is far from the beginning.
func excerpt(text string, s *textarea.Search) string {
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

// field returns the row that takes the place of the field, and the cell of the cursor.
func (s *search) field(l *style.Look, width int) (rows []string, x, y int) {
	th, ms := l.Theme, l.Measure
	n, all := s.Count()
	right := human.Count(n, "prompt", "prompts")
	if !all {
		right += " so far"
	}
	if _, at, ok := s.Selected(); ok && n > 1 {
		right = human.Number(at+1) + " of " + right
	}
	switch {
	case s.err != nil:
		right = "some could not be read"
	case width >= 80:
		right += " · enter take it · ctrl+r older · esc"
	}
	head := "search: "
	text, at := s.query.View(ms, max(4, width-style.GutterWidth-len(head)-ms.Width(right)-3))
	row := th.Accent.Of("?") + " " + ms.Spread(head+text, th.Dim.Of(right), width-4)
	return []string{row}, style.GutterWidth + len(head) + at, 0
}
