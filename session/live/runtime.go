package live

import (
	"cmp"
	"context"

	"parley/internal/crash"
	"parley/session"
	"parley/session/caps"
	"parley/session/library"
	"parley/session/live/queue"
)

const opOpen = "open conversation"

// runtime opens the session's conversation with its agent, receives its events, passes on answers and settings, and gives it
// up. The session's lock guards its fields; port, retired and warmup have separate locks.
type runtime struct {
	d       *Deps
	agent   session.Agent // nil if the session's agent is not among the manager's
	state   *state
	storage *storage
	life    context.Context // ends when the session begins to close
	port    *port
	retired *retired
	warmup  *warmup
	files   *files
	scripts *scripts

	conv        session.Conversation
	given       []session.ClientTool // to the conversation
	speaker     session.Generation   // of the conversation that may publish now, 0 for none
	applied     session.Settings     // the settings of the conversation
	configuring bool                 // the goroutine sendSettings runs
	settled     chan struct{}        // closed when it has ended; nil while it does not run
	meter       caps.Meter
	reading     bool // what other parleys have spent
}

func newRuntime(d *Deps, a session.Agent, st *state, sto *storage, f *files, life context.Context) *runtime {
	r := &runtime{d: d, agent: a, state: st, storage: sto, files: f, life: life, retired: &retired{}, warmup: &warmup{now: d.Now}}
	r.scripts = &scripts{FileTracker: cmp.Or[session.FileTracker](f.tracker, untracked{}), state: st, revoke: r.revoke}
	st.scripts = r.scripts
	r.port = newPort(d.Endpoints, st.id, a)
	return r
}

// open returns the session's conversation, or opens one in an order that loses nothing: the journal first, then, without an
// interrupt, the endpoint and the agent, then another check for an interrupt. Only then is the conversation visible. It
// takes the lock.
func (r *runtime) open(it *queue.Item) (session.Conversation, error) {
	r.state.Lock()
	conv, agent := r.conv, r.state.meta.Agent
	r.state.Unlock()
	if conv != nil {
		r.limit()
		return conv, r.equip(it.Ctx, conv)
	}
	if r.agent == nil {
		return nil, fail(opOpen, session.KindUnsupported, "the agent %q of this session is not available", agent)
	}
	if session.Foreign(agent) { // nothing of it is stored here, and its program is named
		return r.agent.Open(it.Ctx, session.OpenOptions{Session: r.state.id})
	}
	if err := r.retired.wait(it.Ctx, 2*r.d.Grace); err != nil {
		return nil, err
	}
	if err := r.storage.open(it); err != nil {
		return nil, err
	}
	r.limit() // another process may have chosen a mode
	if err := it.Ctx.Err(); err != nil {
		return nil, err
	}
	endpoint, err := r.port.get(it.Ctx)
	if err != nil {
		return nil, err
	}
	r.state.Lock()
	abandoned := r.state.queue.Current != it
	r.state.Unlock()
	if abandoned {
		r.closeUnusedPort()
		return nil, context.Canceled
	}
	return r.openAgent(it, endpoint)
}

// openAgent opens the agent's conversation, and closes it if the turn was given up meanwhile.
func (r *runtime) openAgent(it *queue.Item, endpoint session.Endpoint) (session.Conversation, error) {
	o, past, ok := r.admit(it, endpoint)
	if !ok {
		return nil, context.Canceled
	}
	o.History = foldedHistory(past, it.Turn)
	o.Tools = r.tools(o)
	r.scripts.restore(o.History)
	conv, err := r.agent.Open(it.Ctx, o)
	r.warmup.cancel() // the preparation was taken, or is useless
	r.state.Lock()
	if err == nil && r.state.queue.Current == it && it.Ctx.Err() == nil {
		defer r.state.Unlock()
		r.conv, r.applied, r.given = conv, o.Settings, o.Tools
		r.configure()
		if r.d.Unattended {
			for _, a := range r.state.asks.sorted() {
				r.refuse(a)
			}
		}
		return conv, nil
	}
	if r.speaker == o.Gen {
		r.speaker = 0
	}
	r.state.Unlock()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), r.d.Grace)
	defer cancel()
	_ = conv.Close(ctx) // it was never visible
	return nil, context.Canceled
}

// admit begins a new generation and returns the options of its conversation, false if the item is no longer being delivered.
func (r *runtime) admit(it *queue.Item, endpoint session.Endpoint) (o session.OpenOptions, past []session.Event, ok bool) {
	st := r.state
	st.Lock()
	defer st.Unlock()
	if st.queue.Current != it {
		return o, nil, false
	}
	st.gen++
	speaker := st.gen
	r.speaker = speaker
	o = session.OpenOptions{
		Session: st.id, Gen: speaker, Dir: st.meta.Dir, Dirs: append([]string(nil), st.meta.Dirs...), Settings: st.settings,
		Endpoint: endpoint, Files: r.scripts, Limits: st.limits, Answer: st.answer, Emit: func(e session.Event) { r.receive(speaker, e) },
	}
	return o, st.feed.All(), true
}

// foldedHistory returns the transcript before a turn, nil if it is empty.
func foldedHistory(events []session.Event, but session.TurnID) *session.Transcript {
	t := &session.Transcript{}
	for _, e := range events {
		if e.Header().Turn != but {
			t.Apply(e)
		}
	}
	if len(t.Turns) == 0 {
		return nil
	}
	return t
}

// dropConversation drops the conversation with everything that only it could end, and returns it. The lock is held.
func (r *runtime) dropConversation() session.Conversation {
	old := r.conv
	r.conv, r.speaker = nil, 0
	r.state.cancelAll()
	return old
}

// retire closes a conversation in the background. One that is still being opened is gone when left is closed.
func (r *runtime) retire(old session.Conversation, left chan struct{}) {
	gone := make(chan struct{})
	r.retired.add(gone)
	crash.Go(func() {
		defer close(gone)
		if old == nil {
			<-left
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), r.d.Grace)
		defer cancel()
		// An error needs no handling: the conversation has done what it can.
		_ = old.Close(ctx)
	})
}

// release closes the endpoint and the journal of a session without a conversation, for other processes. It takes the lock.
func (r *runtime) release(ctx context.Context) error {
	if done := r.warmup.cancel(); done != nil {
		<-done // the preparation uses the endpoint
	}
	r.port.close()
	r.state.Lock()
	stopped := r.state.journal.Stop()
	r.state.Unlock()
	if stopped == nil {
		return nil
	}
	return stopped(ctx)
}

// closeUnusedPort closes the endpoint if neither a prompt nor a conversation needs it. It takes the lock.
func (r *runtime) closeUnusedPort() {
	r.port.closeIf(func() bool {
		r.state.Lock()
		defer r.state.Unlock()
		return r.conv == nil && r.state.queue.Current == nil
	})
}

// warm prepares for the next prompt; see [local.Warm]. The lock is held.
func (r *runtime) warm() {
	if r.wake() {
		return
	}
	st := r.state
	warmer, can := r.agent.(session.Warmer)
	if !can || st.closed || r.conv != nil || st.queue.Current != nil || r.storage.elsewhere || r.retired.any() {
		return
	}
	if w := r.warmup.begin(r.life, st.settings); w != nil {
		open := st.journal.Open()
		crash.Go(func() { r.prepare(w, warmer, open) })
	}
}

// wake wakes the conversation and reports whether there is one. The lock is held.
func (r *runtime) wake() (open bool) {
	w, can := r.conv.(session.Waker)
	if !can || r.state.closed || r.state.queue.Current != nil || !r.warmup.beginWake() {
		return r.conv != nil
	}
	crash.Go(func() {
		err := w.Wake(r.life)
		r.warmup.endWake(err != nil && r.life.Err() == nil) // the prompt meets the same problem and reports it
	})
	return true
}

// prepare lets the agent prepare a conversation, and discards it once it is no longer wanted. mine reports whether this process
// has the session.
func (r *runtime) prepare(w *preparation, warmer session.Warmer, mine bool) {
	defer close(w.done)
	defer r.closeUnusedPort()
	defer r.warmup.forget(w)
	if _, held := library.HolderOf(w.ctx, r.d.Journals, r.state.id); held && !mine { // another process has the session by now
		r.warmup.failed(w)
		return
	}
	endpoint, err := r.port.get(w.ctx)
	if err != nil {
		r.warmup.failed(w)
		return // the prompt meets the same problem and reports it
	}
	r.state.Lock()
	meta := r.state.describe()
	r.state.Unlock()
	o := session.OpenOptions{Session: meta.ID, Dir: meta.Dir, Dirs: meta.Dirs, Settings: w.settings, Endpoint: endpoint}
	o.Tools = r.tools(o)
	release, err := warmer.Warm(w.ctx, o)
	if err != nil {
		r.warmup.failed(w)
		return
	}
	<-w.ctx.Done()
	release()
}
