package claude

import (
	"parley/internal/crash"
	"parley/session"
	"parley/session/claude/guard"
	"parley/session/claude/mapper"
)

// withImages keeps images of the files that a call may change, and then replies. It does not wait, because the caller reads
// the stream: a goroutine of the conversation replies. A call that changes no files is replied to at once.
func withImages(c *conversation, e *engine, call guard.Call, reply func(closed bool) error) error {
	f, ok := fileCall(c, e, call)
	if !ok {
		return reply(false)
	}
	c.Mu.Lock()
	if c.Closed {
		c.Mu.Unlock()
		return reply(true)
	}
	c.Work.Add(1)
	c.Mu.Unlock()
	crash.Go(func() {
		defer c.Work.Done()
		c.o.Files.Before(c.Life, f)
		_ = reply(c.Life.Err() != nil) // the runtime may have taken the call back, or ended
	})
	return nil
}

// fileCall describes a call that may change files, false for any other and without a tracker of files.
func fileCall(c *conversation, e *engine, call guard.Call) (session.FileCall, bool) {
	if c.o.Files == nil {
		return session.FileCall{}, false
	}
	f, ok := guardOf(c, e).File(call)
	if !ok {
		return f, false
	}
	c.Mu.Lock()
	defer c.Mu.Unlock()
	f.Turn, f.Child = e.m.Place(call.ID, call.Agent)
	if f.Child == "" { // a child may have another model
		f.Model = c.Settings.Model
	}
	return f, true
}

// dropImages forgets a call that will not run.
func dropImages(c *conversation, call session.CallID) {
	if c.o.Files != nil && call != "" {
		c.o.Files.Drop(call)
	}
}

// closing is the answer to a hook before a call of a conversation that is being closed.
var closing = guard.Verdict{Ruling: "deny", Reason: mapper.RefusedByAbort}.Reply()
