package live

import (
	"context"
	"strings"

	"parley/session"
	"parley/session/history"
)

// Preview is the end of a stored session, shown while [Manager.Resume] reads all of it.
type Preview struct {
	Meta session.Meta
	// Settings are the newest choices in the end.
	Settings session.Settings
	// Events fold to the last turns as they are at the end of the whole session; see [history.LastTurns].
	Events []session.Event
}

// longSession is the size in bytes from which the end of a transcript or a journal is read alone.
const longSession = 1 << 20

// tails are the numbers of bytes of the end to read, one after the other until a screen is filled.
var tails = []int64{256 << 10, 1 << 20, 4 << 20}

// maxWithoutJournal bounds the end that is read of a session without a journal, in bytes.
const maxWithoutJournal = 1 << 20

// minRows is the estimated number of rows that fills any screen.
const minRows = 150

// Preview returns the end of a long stored session quickly. It is false if the caller should wait for [Manager.Resume]: the
// session is short, open, held by another process, has something open that Resume closes, or its end cannot be read quickly
// and with certainty. It opens and registers nothing, and reports no damage.
func (m *Manager) Preview(ctx context.Context, id session.ID) (Preview, bool) {
	s := m.find(id)
	if _, held := m.Holder(ctx, id); held || s != nil {
		return Preview{}, false
	}
	for alone, i := false, 0; i < len(tails) && (!alone || tails[i] <= maxWithoutJournal); i++ {
		meta, truth, journal, ok := m.tails(ctx, id, tails[i])
		if !ok || !isLong(truth) && !isLong(journal) {
			return Preview{}, false
		}
		alone = journal == nil
		events := history.LastTurns(truth, journal)
		t := session.Fold(events)
		if hasOpenEnds(t) {
			return Preview{}, false
		}
		if rowsOf(t) >= minRows {
			if journal != nil && t.Title == "" && meta.Title != "" { // the title comes before the end
				events = append([]session.Event{session.TitleChanged{Head: session.Head{Session: id}, Title: meta.Title}}, events...)
			}
			if t.Settings.Mode == session.ModeBypass {
				t.Settings.Mode = session.ModeDefault // as Resume does
			}
			t.Settings.Mode = m.d.instead(t.Settings.Mode)
			meta, events = titled(ctx, m, meta, events)
			return Preview{Meta: meta, Settings: t.Settings, Events: events}, true
		}
	}
	return Preview{}, false
}

// tails reads the ends of a session's transcript and journal, nil if missing. It is false if the ends alone do not describe
// the session.
func (m *Manager) tails(ctx context.Context, id session.ID, n int64) (meta session.Meta, truth, journal *session.Tail, ok bool) {
	j, ok := m.d.Journals.(session.TailReader)
	if !ok {
		return meta, nil, nil, false
	}
	meta, kept, err := j.ReadTail(ctx, id, n)
	var keeper session.Replayer
	switch {
	case err == nil:
		meta.ID, journal = id, &kept
		a := m.agent(meta.Agent)
		if meta.Agent == "" || meta.Dir == "" || a == nil {
			return meta, nil, nil, false
		}
		keeper, ok = a.(session.Replayer)
		if !ok || len(kept.Events) == 0 {
			return meta, nil, journal, true
		}
	case session.KindOf(err) == session.KindNotFound:
		if meta, keeper, ok = m.Keeper(ctx, id); !ok {
			return meta, nil, nil, false
		}
	default:
		return meta, nil, nil, false
	}
	t, ok := keeper.(session.Tailer)
	if !ok {
		return meta, nil, nil, false
	}
	end, err := t.Tail(ctx, id, n)
	return meta, &end, journal, err == nil && len(end.Events) > 0
}

func isLong(t *session.Tail) bool { return t != nil && t.Size >= longSession }

// hasOpenEnds reports whether Resume will close or publish something in the session.
func hasOpenEnds(t *session.Transcript) bool {
	if len(t.Asks) > 0 || len(t.Queue) > 0 {
		return true
	}
	for _, turn := range t.Turns {
		if turn.Running() {
			return true
		}
	}
	return false
}

// rowsOf returns a lower estimate of the rows of a conversation with everything folded.
func rowsOf(t *session.Transcript) int {
	rows := 0
	for _, turn := range t.Turns {
		rows += 2
		for _, e := range turn.Entries {
			if p, ok := e.(*session.Part); ok && p.Kind == session.PartText && !p.Retracted {
				rows += 1 + strings.Count(p.Text(), "\n")/2
			}
		}
	}
	return rows
}
