package copilot

import (
	"net/http"
	"sync"
	"time"
)

// cooldown remembers that the service limits the reading of lists for a while, so that a screen that asks repeatedly
// does not make it worse. It never delays requests to models, which the service answers itself. The zero value sets no
// limit. It is safe for concurrent use.
type cooldown struct {
	mu    sync.Mutex
	until time.Time
	cause *Error
}

// note records a limit with a known duration.
func (c *cooldown) note(e *Error, now time.Time) {
	if e.Kind != KindRateLimit && e.Kind != KindOverloaded || e.RetryAfter <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until, c.cause = now.Add(e.RetryAfter), e
}

// check returns the error for an operation during the limit, nil after it.
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

// reset ends the limit.
func (c *cooldown) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until, c.cause = time.Time{}, nil
}
