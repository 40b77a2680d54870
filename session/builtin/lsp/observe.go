package lsp

import (
	"context"
	"time"
)

// change is a file that an edit changes. Path has its links resolved.
type change struct {
	path string
	// before is the content before the edit, nil if there was no file or it is not known.
	before []byte
	// created reports that there was no file.
	created bool
}

// observe gives the server the state before and after an edit, and waits for what it says of both. It returns when the
// server has settled, or when ctx ends. changes are on disk already.
func (c *client) observe(ctx context.Context, changes []change) {
	if c.await(ctx) != nil || c.take(ctx) != nil {
		return
	}
	defer c.giveBack()
	c.before(ctx, changes)
	w := c.refresh(ctx)
	var events []fileEvent
	for _, ch := range changes {
		c.news.touch(ch.path)
		kind := fileChanged
		if ch.created {
			kind = fileCreated
		}
		version, changed, err := c.fromDisk(ctx, ch.path)
		switch {
		case err != nil:
			kind = fileDeleted
			c.board.forget(ch.path)
		case changed:
			w.versions[ch.path] = version
		}
		events = append(events, fileEvent{uriOf(ch.path), kind})
	}
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": events})
	c.noted(changes)
	c.settle(ctx, w)
}

// noted keeps a later look from reporting changes again.
func (c *client) noted(changes []change) {
	for _, ch := range changes {
		if d := c.docs.open[ch.path]; d != nil && c.docs.watched != nil {
			c.docs.watched[ch.path] = d.stamp
		} else {
			delete(c.docs.watched, ch.path)
		}
	}
}

// before opens documents that are about to change with what they contained, so that errors of before are known.
func (c *client) before(ctx context.Context, changes []change) {
	w, opened := c.board.waitFrom(), map[string]bool{}
	for _, ch := range changes {
		if ch.before == nil || c.docs.open[ch.path] != nil {
			continue
		}
		w.versions[ch.path] = c.put(ch.path, ch.before, stamp{})
		opened[ch.path] = true
	}
	first := c.docs.looked.IsZero()
	if first {
		c.look(ctx)
	}
	if len(opened) == 0 && !first {
		return
	}
	bound := c.bounds.Base
	if first {
		bound = c.bounds.Load
	}
	bounded, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	if !c.settle(bounded, w) {
		return
	}
	if first {
		opened = nil // everything that the server has said so far was there before
	}
	c.news.base(c.board.all(), opened)
}

// Bounds are how long things may take.
type Bounds struct {
	// Start bounds the start of a server, Load what it first says of a project, Base what it says of a document before its
	// first edit, Settle what it says after an edit while nobody waits any more, Call one question, Leave its end.
	Start, Load, Base, Settle, Call, Leave time.Duration
	// First bounds how long the first edit waits, with the start of the server, and Edit how long a later one does.
	First, Edit time.Duration
	// Quiet is for how long a server says nothing when it has said everything.
	Quiet time.Duration
}

// defaultBounds are chosen for servers as they are: gopls and tsserver take a second or two to start.
var defaultBounds = Bounds{Start: 60 * time.Second, Load: 20 * time.Second, Base: 1500 * time.Millisecond, Settle: 30 * time.Second,
	Call: 20 * time.Second, Leave: time.Second, First: 5 * time.Second, Edit: 3 * time.Second, Quiet: 200 * time.Millisecond}
