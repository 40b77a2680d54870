package copilot

import (
	"net/http"
	"sync"
	"time"
)

// cooldown remembers that the service asked for no more reading of lists for a while, so that a screen that asks again
// and again does not make it worse. Requests to models are never held back by it: they are answered by the service. The
// zero value asks for nothing. Safe for concurrent use.
type cooldown struct {
	mu    sync.Mutex
	until time.Time
	cause *Error
}

// note remembers a limit that says how long it lasts.
func (c *cooldown) note(e *Error, now time.Time) {
	if e.Kind != KindRateLimit && e.Kind != KindOverloaded || e.RetryAfter <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until, c.cause = now.Add(e.RetryAfter), e
}

// check returns the error of an operation that would come too early, nil if it would not.
func (c *cooldown) check(op string, now time.Time) *Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !now.Before(c.until) {
		return nil
	}
	e := &Error{
		Op: op, Kind: KindRateLimit, Status: http.StatusTooManyRequests, Code: orElse(c.cause.Code, "rate_limited"),
		Message: c.cause.Message, RetryAfter: c.until.Sub(now), RequestID: c.cause.RequestID,
	}
	e.Envelope = synthesise(e.Status, e.Message, e.RequestID)
	return e
}

// reset forgets the limit.
func (c *cooldown) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until, c.cause = time.Time{}, nil
}
