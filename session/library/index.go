package library

import (
	"context"
	"errors"
	"strings"

	"parley/internal/pace"
	"parley/session"
	"parley/session/store/index"
	"parley/session/words"
)

// Narrow divides sessions into those that may have all words and those in which the index knows of no word that begins with one of
// them. Of the first come those in which the index has the words, then those that it has not read whole. Without an index that can be read, all are likely; the error says why it cannot.
func (l *Library) Narrow(ctx context.Context, q *words.Query, all []session.Meta) (likely, rest []session.Meta, err error) {
	if l.o.Index == nil {
		return all, nil, nil
	}
	indexed, has, err := l.o.Index.Look(ctx, q.Words())
	if err != nil {
		return all, nil, err
	}
	var unread []session.Meta
	for _, m := range all {
		switch at, known := indexed[m.ID]; {
		case mayHave(m, q, has):
			likely = append(likely, m)
		case !known || !at.Equal(m.Updated):
			unread = append(unread, m)
		default:
			rest = append(rest, m)
		}
	}
	return append(likely, unread...), rest, nil
}

// mayHave reports whether a session, which the index has, may have every word.
func mayHave(m session.Meta, q *words.Query, has []map[session.ID]bool) bool {
	known := ""
	for i, w := range q.Words() {
		if has[i] == nil || has[i][m.ID] {
			continue
		}
		if known == "" {
			known = strings.ToLower(m.Title + "\n" + m.First + "\n" + m.Dir)
		}
		if !strings.Contains(known, w) {
			return false
		}
	}
	return true
}

// Newest returns the most recently changed sessions as the index has them, as many of a directory and as many of all; nil without an index.
func (l *Library) Newest(ctx context.Context, dir string, most int) []session.Meta {
	if l.o.Index == nil {
		return nil
	}
	all, err := l.o.Index.Newest(ctx, dir, most)
	if err != nil {
		return nil
	}
	_ = l.Sort(ctx, all) // the list that follows reports it
	return all
}

// Index brings the index up to date with sessions, which are all that there are if complete is set, and returns how many it read. It
// rests as [pace.Gently] asks.
func (l *Library) Index(ctx context.Context, all []session.Meta, complete bool) (read int, err error) {
	if l.o.Index == nil {
		return 0, nil
	}
	return l.o.Index.Update(ctx, index.Sources{Sessions: all, All: complete, Texts: l.texts, Pause: pace.Rest})
}

// Reindex makes the index again from all sessions; see [Library.Index]. While another process is at it, it calls waits, which may be nil, and
// waits.
func (l *Library) Reindex(ctx context.Context, all []session.Meta, waits func()) (read int, err error) {
	if l.o.Index == nil {
		return 0, fail("make the index", session.KindUnsupported, "there is no index here")
	}
	return l.o.Index.Rebuild(ctx, index.Sources{Sessions: all, All: true, Texts: l.texts, Pause: pace.Rest, Waits: waits})
}

// texts passes on what was said in a session, as [Library.Find] reads it.
func (l *Library) texts(ctx context.Context, m session.Meta, want session.TextQuery, yield func(session.Text) bool) (place string, err error) {
	none := error(&session.Error{Op: "read session", Kind: session.KindNotFound, Err: errors.New("nothing stores it")})
	for _, r := range l.readers(m) {
		read, err := r.Texts(ctx, m.ID, want, yield)
		if session.KindOf(err) != session.KindNotFound {
			return read.Place, err
		}
		none = err
	}
	return "", none
}
