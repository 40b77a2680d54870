package live

import (
	"context"
	"fmt"
	"slices"

	"parley/internal/crash"
	"parley/session"
	"parley/session/history"
	"parley/session/live/queue"
)

// storage opens the session's journal, which locks the session for this process. A session that is only read has no open
// journal; new choices are saved in the background. The session's lock guards its fields.
type storage struct {
	journals session.Journals
	state    *state
	life     context.Context // ends when the session begins to close

	stored  bool // a journal exists
	remote  bool // the turns go on without parley
	resumed bool // it existed before
	read    history.ReadMark
	// elsewhere reports whether another process had the session when it was read; hidden are its asks and waiting prompts.
	elsewhere bool
	holder    int // the number of that process, 0 if unknown
	hidden    []session.Event
	failed    error // why the journal could not be opened last, nil once it was
	// saving is closed when the background save has ended; nil if none runs.
	saving   chan struct{}
	reported bool // the user knows that the choices could not be stored
}

// draft reports whether nothing has been stored yet. The lock is held.
func (sto *storage) draft() bool { return !sto.stored && !sto.resumed }

// open creates the session's journal for an item, or opens it again. It takes the lock.
func (sto *storage) open(it *queue.Item) error {
	if err := sto.awaitSave(it.Ctx); err != nil {
		return err
	}
	sto.state.Lock()
	stored, has, meta := sto.stored, sto.state.journal.Open(), sto.state.describe()
	sto.state.Unlock()
	if has {
		return nil
	}
	j, events, err := sto.openJournal(it.Ctx, stored, meta)
	sto.state.Lock()
	sto.failed = err
	if err != nil {
		sto.elsewhere = sto.elsewhere || stored && session.KindOf(err) == session.KindLocked
		sto.state.Unlock()
		return err
	}
	if sto.state.queue.Current != it {
		sto.state.Unlock()
		_ = j.Close() // the turn was given up before any write
		return context.Canceled
	}
	sto.take(j, events)
	sto.state.Unlock()
	return nil
}

// openJournal opens the journal of a stored session, and creates that of another.
func (sto *storage) openJournal(ctx context.Context, stored bool, meta session.Meta) (j session.Journal, events []session.Event, err error) {
	if stored {
		if j, _, events, err = sto.journals.Open(ctx, meta.ID); session.KindOf(err) == session.KindNotFound {
			err = deletedError{meta.ID, err}
		}
	} else {
		j, err = sto.journals.Create(ctx, meta)
	}
	return j, events, err
}

// deletedError is the error that a session was deleted while it was shown.
type deletedError struct {
	id session.ID
	error
}

// Unwrap returns the cause.
func (e deletedError) Unwrap() error { return e.error }

// Words returns the texts of the problem; see [session.ProblemOf].
func (e deletedError) Words() (what, next string) {
	return "This session was deleted.", fmt.Sprintf("`parley sessions restore %s` brings it back; then send again.", e.id)
}

// take begins to write to a journal that was just opened with these events. It first publishes what another process added,
// and closes what that left open. The lock is held.
func (sto *storage) take(j session.Journal, events []session.Event) {
	if sto.resumed {
		added := sto.read.Added(events)
		sto.state.catchUp(added)
		if len(added) > 0 || sto.elsewhere {
			sto.adopt()
		}
	}
	if sto.elsewhere {
		sto.state.announce(sto.state.notice(session.Info, "The other window has closed this session. It goes on here."))
	}
	sto.read, sto.elsewhere, sto.holder = history.ReadMark{Events: -1}, false, 0
	sto.stored = true
	if c, ok := j.(session.TurnCounter); ok {
		unwritten := 0
		for _, e := range sto.state.journal.Unwritten() {
			if _, ok := e.(session.TurnStarted); ok {
				unwritten++
			}
		}
		c.CountTurns(len(sto.state.turns) - unwritten)
	}
	sto.state.journal.Start(j)
}

// adopt closes what another process left open. The lock is held.
func (sto *storage) adopt() {
	st := sto.state
	t := &session.Transcript{}
	for _, e := range sto.hidden {
		t.Apply(withGen(e, 0)) // in this order its generation would hide later events
	}
	for _, e := range st.feed.All() {
		t.Apply(e)
	}
	hidden := map[session.PromptID]session.Queued{}
	for _, e := range sto.hidden {
		if q, ok := e.(session.Queued); ok {
			hidden[q.Prompt.ID] = q
		}
	}
	for _, p := range t.Queue { // in their current order
		if q, ok := hidden[p.ID]; ok {
			st.announce(withGen(q, st.gen))
		}
	}
	sto.hidden = nil
	st.closeLeftovers(t, sto.remote)
}

// unsaved reports whether a session without an open journal has unwritten changes: prompts that wait, and of a stored one settings, moved or
// removed prompts, changed files. The lock is held.
func (sto *storage) unsaved() bool {
	return !sto.state.journal.Open() && slices.ContainsFunc(sto.state.journal.Unwritten(), func(e session.Event) bool {
		switch e.(type) {
		case session.Queued:
			return true
		case session.ModelChanged, session.ModeChanged, session.CustomChanged, session.DirsChanged, session.TitleChanged, session.RuleRevoked, session.Unqueued, session.Requeued,
			session.FilesChanged:
			return sto.stored
		}
		return false
	})
}

// saveSoon stores unsaved changes in the background, so that they survive a kill. It opens the journal, unless the delivery
// of a prompt does. The lock is held.
func (sto *storage) saveSoon() {
	if sto.state.queue.Working || sto.state.closed || sto.saving != nil || !sto.unsaved() {
		return
	}
	sto.state.pinSettings()
	done := make(chan struct{})
	sto.saving = done
	crash.Go(func() {
		err := sto.save(sto.life, false)
		sto.state.Lock()
		defer sto.state.Unlock()
		sto.saving = nil
		close(done)
		sto.failed = err
		sto.refuse()
		sto.reportUnsaved(err)
	})
}

// refuse answers whoever waits for prompts to be stored if no journal is open or about to be. The lock is held.
func (sto *storage) refuse() {
	if st := sto.state; !st.queue.Working && !st.journal.Open() && !st.closed && sto.saving == nil {
		st.journal.Refuse(sto.failed)
	}
}

// save opens the journal and writes all unwritten events. In the background it stops when the session closes, which saves the
// rest. It takes the lock.
func (sto *storage) save(ctx context.Context, closing bool) error {
	sto.state.Lock()
	stored, meta := sto.stored, sto.state.describe()
	sto.state.Unlock()
	j, events, err := sto.openJournal(ctx, stored, meta)
	if err != nil {
		return err
	}
	sto.state.Lock()
	if sto.state.closed && !closing {
		sto.state.Unlock()
		return j.Close()
	}
	sto.take(j, events)
	sto.state.Unlock()
	return nil
}

// reportUnsaved publishes once that changes hold but are not stored. The lock is held.
func (sto *storage) reportUnsaved(err error) {
	if err == nil {
		sto.reported = false
		return
	}
	if sto.reported || sto.state.closed {
		return
	}
	sto.reported = true
	sto.state.announce(sto.state.notice(session.Warning,
		"What you chose holds here, but it is not stored yet. "+session.ProblemOf(err, sto.state.now()).What))
}

// awaitSave waits for the end of a background save, because a journal is opened only once. It takes the lock.
func (sto *storage) awaitSave(ctx context.Context) error {
	for {
		sto.state.Lock()
		saving := sto.saving
		sto.state.Unlock()
		if saving == nil {
			return nil
		}
		select {
		case <-saving:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// saveAtClose stores unsaved changes, unless another process has the journal by now. It takes the lock.
func (sto *storage) saveAtClose(ctx context.Context) error {
	if err := sto.awaitSave(ctx); err != nil {
		return err
	}
	sto.state.Lock()
	wanted := sto.unsaved()
	sto.state.Unlock()
	if !wanted {
		return nil
	}
	if err := sto.save(ctx, true); session.KindOf(err) != session.KindLocked {
		return err
	}
	return nil
}
