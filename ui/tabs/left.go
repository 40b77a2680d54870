package tabs

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/panel"
)

// most bounds how many sessions a window remembers as open.
const most = 9

// leftKey returns the key under which a window stores what it has open, beside its drafts.
func leftKey(dir string) string { return "open:" + filepath.Clean(dir) }

// state is what is stored depends on.
type state struct {
	shown   *live.Session
	begun   bool
	changes int
}

// Seek returns what reads the sessions that a window in the directory had open when it was killed or closed, the one that was shown first;
// none that another process has by now. It waits for a disk; until [Set.Offer] has what it returns, nothing is stored over them.
func (s *Set) Seek(ctx context.Context, d core.Drafts, m core.Manager) (read func() []session.ID) {
	s.loads = true
	return func() (all []session.ID) {
		for _, word := range strings.Fields(core.LoadDraft(d, s.key)) {
			if _, held := m.Holder(ctx, session.ID(word)); !held && len(all) < most {
				all = append(all, session.ID(word))
			}
		}
		return all
	}
}

// Offer offers sessions that were left open, if any.
func (s *Set) Offer(left []session.ID) { s.left, s.stored, s.loads = left, join(left), false }

// Left returns how many sessions are offered, 0 after they were opened or left.
func (s *Set) Left() int {
	if s == nil {
		return 0
	}
	return len(s.left)
}

// Reopen returns the effect that opens what is offered.
func (s *Set) Reopen() panel.Effect {
	all := s.left
	s.left = nil
	if s.loads = len(all) > 1; len(all) == 0 {
		return nil
	}
	return panel.Reopen{Sessions: all}
}

// Leave drops the offer. The sessions stay where all are listed.
func (s *Set) Leave() {
	s.left = nil
	s.changes++
}

// Save stores which sessions are open, if that changed. It is called after every message, and waits for nothing.
func (s *Set) Save(shown *live.Session) {
	now := state{shown, shown != nil && !shown.Draft(), s.changes}
	if now == s.at || s.loads {
		return
	}
	s.at = now
	var open []session.ID
	if now.begun {
		open = append(open, shown.ID())
	}
	for _, t := range s.all {
		open = append(open, t.session.ID())
	}
	s.store(append(open, s.left...))
}

// End stores at the end of the program what is to be offered again: after the user left only what that stopped, else what is open.
// running reports whether a turn runs in the session that is shown.
func (s *Set) End(shown *live.Session, running, left bool) {
	if !left || s.loads {
		return
	}
	var busy []session.ID
	if running {
		busy = append(busy, shown.ID())
	}
	for _, t := range s.all {
		if t.does < done {
			busy = append(busy, t.session.ID())
		}
	}
	if len(busy) > 0 || s.stored != join(s.left) { // an offer that had no answer stays
		s.store(busy)
	}
}

// store stores sessions as open.
func (s *Set) store(open []session.ID) {
	if text := join(open); text != s.stored {
		s.stored = text
		s.keeper.Put(s.key, text)
		if s.prompt {
			s.keeper.Flush()
		}
	}
}

func join(all []session.ID) string {
	var words []string
	for _, id := range all[:min(len(all), most)] {
		if word := string(id); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, "\n")
}

// Tab is a session that is not shown, and its transcript.
type Tab struct {
	number  int
	session *live.Session
	t       *session.Transcript
	inbox   *core.Inbox
	draft   string // what was being written
	does    doing  // follows from t, which [Set.Take] alone changes
}

// Fold makes a tab of a session that was loaded, with the draft that is stored of it. A long session takes its time.
func Fold(s *live.Session, draft string) *Tab {
	events, inbox := core.NewInbox(s)
	t := &session.Transcript{Session: s.ID()}
	for _, e := range events {
		t.Apply(e)
	}
	return &Tab{session: s, t: t, inbox: inbox, draft: draft, does: stateOf(t)}
}

// Add adds the tabs of what was opened again, but for one that is shown or a tab by now. Each inbox it returns is to be pumped.
func (s *Set) Add(shown *live.Session, all []*Tab) (inboxes []*core.Inbox) {
	s.loads = false
	for _, t := range all {
		if t.session == shown || s.Has(t.session) {
			t.inbox.Close()
			continue
		}
		s.shown = max(s.shown, 1)
		t.number = s.free()
		s.insert(t)
		inboxes = append(inboxes, t.inbox)
	}
	return inboxes
}
