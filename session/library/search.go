package library

import (
	"context"

	"parley/session"
	"parley/session/words"
)

// Hit is what a search found in a session.
type Hit struct {
	Passages []words.Passage // with the words that its title, first prompt and directory lack
	Read     int64           // bytes of files
}

// Find looks for words in what was said in a session, and in its title, first prompt and directory; ok is false if one is missing, or
// ctx ended. It reads files of any size from their beginning as far as it has to: call it in the background.
func (l *Library) Find(ctx context.Context, q *words.Query, m session.Meta) (h Hit, ok bool) {
	s := q.Search(m.Title, m.First, m.Dir)
	for _, r := range l.readers(m) {
		if s.Done() {
			break
		}
		read, err := r.Texts(ctx, m.ID, session.TextQuery{Likely: s.Likely}, func(t session.Text) bool { return s.Add(t.Prompt, t.GoesOn, t.Bytes) })
		h.Read += read.Bytes
		if h.Passages, ok = s.Found(); session.KindOf(err) != session.KindNotFound {
			return h, ok && ctx.Err() == nil // the agent's transcript has what the journal has
		}
	}
	h.Passages, ok = s.Found()
	return h, ok && ctx.Err() == nil
}

// readers returns what may have the texts of a session: its agent, then the journals.
func (l *Library) readers(m session.Meta) (all []session.TextReader) {
	for _, a := range l.o.Agents {
		if r, ok := a.(session.TextReader); ok && a.Name() == m.Agent {
			all = append(all, r)
		}
	}
	if r, ok := l.o.Journals.(session.TextReader); ok {
		all = append(all, r)
	}
	return all
}
