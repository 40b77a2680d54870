package live

import (
	"context"
	"strings"
	"time"

	"parley/internal/crash"
	"parley/session"
)

// titleWait bounds the time to make a title.
const titleWait = 30 * time.Second

// maxTitle is the number of characters of a title that are kept.
const maxTitle = 200

// titles gives a session that has none a title after its first answer, in the background and at most once. The session's
// lock guards its field.
type titles struct {
	titler session.Titler // nil: none is made
	state  *state
	life   context.Context // ends when the session begins to close
	made   chan struct{}   // closed when the one request is over; nil before
	late   bool            // a second answer came before a title could be made
}

// consider asks for a title if the session has just got its first answer. It takes the lock.
func (t *titles) consider() {
	if t.titler == nil {
		return
	}
	st := t.state
	st.Lock()
	defer st.Unlock()
	if t.made != nil || t.late || st.closed || st.meta.Title != "" {
		return
	}
	var prompt, answer string
	if prompt, answer, t.late = onlyAnswer(st.feed.All()); answer == "" {
		return
	}
	t.made = make(chan struct{})
	crash.Go(func() { t.make(prompt, answer) })
}

// make asks for the title and publishes it, unless the user gave one meanwhile. A session without a title is shown by its
// first prompt, so a failure is not reported.
func (t *titles) make(prompt, answer string) {
	defer close(t.made)
	ctx, cancel := context.WithTimeout(t.life, titleWait)
	defer cancel()
	title, err := t.titler.Title(ctx, prompt, answer)
	if err != nil || title == "" {
		return
	}
	st := t.state
	st.Lock()
	defer st.Unlock()
	if !st.closed && st.meta.Title == "" {
		st.rename(title)
	}
}

// wait returns when no request is under way any more, or with the error of ctx. It takes the lock.
func (t *titles) wait(ctx context.Context) error {
	t.state.Lock()
	made := t.made
	t.state.Unlock()
	if made == nil {
		return nil
	}
	select {
	case <-made:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// onlyAnswer returns the user's prompt and the answer to it if exactly one turn of the session was answered, else nothing,
// and whether more than one was.
func onlyAnswer(events []session.Event) (prompt, answer string, more bool) {
	answered := session.TurnID("")
	for _, e := range events {
		if e, ok := e.(session.TurnEnded); ok && e.Outcome == session.TurnCompleted {
			if answered != "" {
				return "", "", true
			}
			answered = e.Turn
		}
	}
	if answered == "" {
		return "", "", false
	}
	t := &session.Transcript{}
	for _, e := range events {
		if e.Header().Turn == answered && e.Header().Child == "" {
			t.Apply(e)
		}
	}
	for _, turn := range t.Turns {
		if turn.Origin == session.OriginUser {
			return turn.Prompt.Text, text(turn), false
		}
	}
	return "", "", false
}

// text returns the words of a turn's answer, part after part.
func text(turn *session.Turn) string {
	var parts []string
	for _, e := range turn.Entries {
		if p, ok := e.(*session.Part); ok && p.Kind == session.PartText && !p.Retracted && p.Len() > 0 {
			parts = append(parts, p.Text())
		}
	}
	return strings.Join(parts, "\n")
}

// Rename gives the session a title. It holds at once and is stored like a setting, and as [library.Library.Retitle] does. An empty one is
// an error of kind [session.KindInvalid].
func (s *local) Rename(title string) error {
	title, err := titleOf(title)
	if err != nil {
		return err
	}
	s.state.Lock()
	if s.state.closed {
		s.state.Unlock()
		return &session.Error{Op: opRename, Kind: session.KindInvalid, Err: errClosed}
	}
	s.state.rename(title)
	s.storage.saveSoon()
	s.state.Unlock()
	s.label.Set(title)
	return nil
}

// rest reports whether no turn runs.
func (st *state) rest() bool {
	st.Lock()
	defer st.Unlock()
	return !st.turns.running()
}

const opRename = "rename session"

// titleOf returns a title as it is kept, without line breaks and not longer than maxTitle.
func titleOf(title string) (string, error) {
	title = strings.Join(strings.Fields(title), " ")
	if r := []rune(title); len(r) > maxTitle {
		title = string(r[:maxTitle])
	}
	if title == "" {
		return "", fail(opRename, session.KindInvalid, "a title needs at least one character")
	}
	return title, nil
}

// Rename gives a stored session a title, also one that is not open, and returns the title as it is kept. Errors are of kind
// [session.KindInvalid] for an empty title, and those of [library.Library.Rename].
func (m *Manager) Rename(ctx context.Context, id session.ID, title string) (string, error) {
	title, err := titleOf(title)
	if err != nil {
		return "", err
	}
	s := m.find(id)
	if s != nil {
		return title, s.Rename(title)
	}
	return title, m.Library.Rename(ctx, id, title)
}

// rename publishes a new title. The lock is held.
func (st *state) rename(title string) {
	if title == st.meta.Title {
		return
	}
	st.meta.Title = title
	st.publish(session.TitleChanged{Head: st.head(""), Title: title})
}
