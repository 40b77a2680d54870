package copilot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parley/internal/crash"
	"parley/session"
	"parley/session/copilot/protocol"
)

var _ session.SideAsker = (*conversation)(nil)

// aside is a question beside the history that is being answered. The conversation's lock guards it.
type aside struct {
	request string // the runtime's id of the question, empty until it has begun
	pieces  []string
}

// AskAside asks the model a question beside the history, also while a turn runs. Questions are answered one after the other.
func (c *conversation) AskAside(ctx context.Context, question string, emit func(text string)) error {
	const op = "ask aside"
	select {
	case c.asking <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-c.asking }()
	c.Mu.Lock()
	l := c.Link
	c.Mu.Unlock()
	if l == nil {
		if err := c.Wake(ctx); err != nil {
			return err
		}
	}
	l, err := openLink(c, op)
	if err != nil {
		return err
	}
	q := &aside{}
	c.Mu.Lock()
	c.aside = q
	c.Mu.Unlock()
	defer func() {
		c.Mu.Lock()
		c.aside = nil
		c.Mu.Unlock()
		c.ChargeLate()
	}()
	var answer struct {
		Answer string `json:"answer"`
	}
	answered := make(chan error, 1)
	c.Work.Go(crash.Guarded(func() {
		answered <- l.call(ctx, "session.ui.ephemeralQuery", map[string]any{"question": question}, &answer)
		c.Mu.Lock()
		defer c.Mu.Unlock()
		c.Mu.Notify()
	}))
	said := ""
	for {
		_ = c.Mu.Wait(ctx, func() bool { return len(q.pieces) > 0 || len(answered) > 0 })
		c.Mu.Lock()
		text := strings.Join(q.pieces, "")
		q.pieces = nil
		c.Mu.Unlock()
		if text != "" {
			said += text
			emit(text)
		}
		select {
		case err := <-answered:
			return c.endAside(op, l, err, answer.Answer, said, emit)
		default:
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
}

// endAside emits what of the answer was not streamed.
func (c *conversation) endAside(op string, l *link, err error, answer, said string, emit func(string)) error {
	switch {
	case isUnknownMethod(err):
		return &session.Error{Op: op, Kind: session.KindUnsupported, Err: fmt.Errorf("version %s of Copilot cannot do this", l.client.Version())}
	case err != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)):
		return err
	case err != nil:
		return &session.Error{Op: op, Kind: session.KindRuntime, Err: err}
	}
	if rest, ok := strings.CutPrefix(answer, said); ok && rest != "" {
		emit(rest)
	}
	return nil
}

// heard takes a piece of the answer to a question beside the history. The lock is held.
func (c *conversation) heard(e protocol.Event) {
	var d struct {
		Request string `json:"requestId"`
		Phase   string `json:"phase"`
		Chunk   string `json:"chunk"`
	}
	if c.aside == nil || !decodeData(e, &d) {
		return
	}
	if d.Phase == "started" && c.aside.request == "" {
		c.aside.request = d.Request
	}
	if d.Phase == "chunk" && d.Request == c.aside.request {
		c.aside.pieces = append(c.aside.pieces, d.Chunk)
		c.Mu.Notify()
	}
}
