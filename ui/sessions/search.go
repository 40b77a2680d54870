package sessions

import (
	"context"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
	"parley/internal/human"
	"parley/session"
	"parley/session/query"
	"parley/session/words"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// The bounds of a search in what was said: the rows that it adds, the bytes that it reads, and how long it works before it reports.
const (
	mostHits   = 500
	mostBytes  = 8 << 30
	reportHits = 60 * time.Millisecond
	reportAll  = 250 * time.Millisecond
)

// search looks for words in what was said in sessions, the newest first. One command after the other goes on with it.
type search struct {
	words  *words.Query
	all    []session.Meta
	rest   []session.Meta // for if none of all has them
	narrow bool           // all are those of the list so far
	next   int            // the session to look into
	hits   int
	bytes  int64
	quit   context.Context
	cancel context.CancelFunc
}

// foundMsg carries sessions that a search found since it reported last.
type foundMsg struct {
	search *search
	hits   map[string][]string
	over   bool
	off    error // why the index could not be read, once
}

// Find looks for what is typed in what was said in the sessions of the list.
func (l Sessions) Find(p *list.Panel, typed string) panel.Cmd {
	if l.search != nil {
		l.search.cancel()
		l.search = nil
	}
	asked, _ := l.query(typed)
	q := words.New(asked.Terms)
	if q != nil && len(typed) > 1 && l.Manager != nil {
		l.search = &search{words: q, all: l.passing(asked), narrow: true}
		l.search.quit, l.search.cancel = context.WithCancel(context.Background())
	}
	p.Source = l
	if l.search == nil {
		p.Hit(nil, "")
		return nil
	}
	p.Hit(nil, l.search.state())
	return l.goOn()
}

// query reads what is typed.
func (l Sessions) query(typed string) (query.Query, error) {
	return query.Parse(typed, query.Place{Now: l.At, Dir: l.Dir, Home: l.Home})
}

// passing returns the sessions that pass the filters of a query.
func (l Sessions) passing(q query.Query) (all []session.Meta) {
	for i := range l.All {
		if q.Passes(&l.All[i]) {
			all = append(all, l.All[i])
		}
	}
	return all
}

// Narrow reads words and filters; archived sessions are shown once something is looked for, those in the bin only by is:deleted.
func (l Sessions) Narrow(typed string) (words []string, only map[string]bool, wrong string) {
	q, err := l.query(typed)
	if err != nil {
		wrong = style.VisibleLine(err.Error())
	}
	if !q.Filters() && !slices.ContainsFunc(l.All, hides) {
		return q.Terms, nil, wrong
	}
	only = make(map[string]bool, len(l.All))
	for i := range l.All {
		if q.Passes(&l.All[i]) {
			only[keyOf(l.All[i])] = true
		}
	}
	return q.Terms, only, wrong
}

// goOn returns the command that goes on with the search.
func (l Sessions) goOn() panel.Cmd {
	s, m := l.search, l.Manager
	return func(ctx context.Context) tea.Msg {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(s.quit, crash.Guarded(stop))()
		msg := foundMsg{search: s, hits: map[string][]string{}}
		if s.narrow {
			s.all, s.rest, msg.off = m.Narrow(ctx, s.words, s.all) // all without an index
			s.narrow = false
		}
		for began := time.Now(); ; {
			if took := time.Since(began); took > reportAll || took > reportHits && len(msg.hits) > 0 {
				return msg
			}
			if s.next >= len(s.all) && s.hits == 0 {
				s.all, s.rest, s.next = s.rest, nil, 0
			}
			if s.next >= len(s.all) || s.hits >= mostHits || s.bytes >= mostBytes || ctx.Err() != nil {
				msg.over = true
				return msg
			}
			meta := s.all[s.next]
			s.next++
			hit, ok := m.Find(ctx, s.words, meta)
			s.bytes += hit.Read
			if ok && len(hit.Passages) > 0 {
				s.hits++
				msg.hits[keyOf(meta)] = visible(hit.Passages)
			}
		}
	}
}

// visible returns passages as visible lines, those of prompts with the mark of prompts.
func visible(passages []words.Passage) (all []string) {
	for _, p := range passages {
		mark := "  "
		if p.Prompt {
			mark = "> "
		}
		all = append(all, mark+style.VisibleLine(p.Text))
	}
	return all
}

// state says how far the search is.
func (s *search) state() string {
	percent := 0
	if len(s.all) > 0 {
		percent = s.next * 100 / len(s.all)
	}
	return "looking into " + human.Count(len(s.all), "session", "sessions") + ", " + strconv.Itoa(percent) + "%"
}

// hit adds what the search found, and says once why it is slow.
func (l Sessions) hit(p *list.Panel, msg foundMsg) (slow panel.Effect, _ panel.Cmd) {
	if msg.search != l.search {
		return nil, nil // another text is typed by now
	}
	if msg.off != nil && l.search.quit.Err() == nil {
		slow = failure("Searching without the index, which takes longer: ", msg.off)
	}
	if msg.over {
		l.search.cancel()
		return slow, p.Hit(msg.hits, "")
	}
	return slow, panel.Batch(p.Hit(msg.hits, l.search.state()), l.goOn())
}
