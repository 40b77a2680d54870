package editor

import "context"

// Desk passes files to the screen, which gives its terminal to the editor. It is safe for concurrent use.
type Desk struct{ visits chan Visit }

// Visit is a file that somebody wants the user to have in the editor, at a line unless that is 0.
type Visit struct {
	Path string
	Line int

	wanted context.Context
	ended  chan error
}

// NewDesk returns a desk without visits.
func NewDesk() *Desk { return &Desk{visits: make(chan Visit)} }

// Open has a file opened and returns once the user has left the editor, with the error of running it. Without a screen it waits until ctx
// ends, with whose error it returns; an editor that runs then stays open.
func (d *Desk) Open(ctx context.Context, path string, line int) error {
	v := Visit{Path: path, Line: line, wanted: ctx, ended: make(chan error, 1)}
	select {
	case d.visits <- v:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-v.ended:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Next waits for the next visit, which its caller ends. It reports false once ctx has ended.
func (d *Desk) Next(ctx context.Context) (Visit, bool) {
	select {
	case v := <-d.visits:
		return v, true
	case <-ctx.Done():
		return Visit{}, false
	}
}

// Wanted reports whether anybody still waits for the visit.
func (v Visit) Wanted() bool { return v.wanted.Err() == nil }

// End ends the visit, with the error of the editor. Only the first call counts.
func (v Visit) End(err error) {
	select {
	case v.ended <- err:
	default:
	}
}
