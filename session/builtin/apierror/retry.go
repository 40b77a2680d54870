package apierror

import (
	"time"

	"parley/session"
)

// firstDelay is the wait before the second attempt; it doubles with each one.
const firstDelay = time.Second

// maxDelay bounds the wait within a turn. Longer waits are left to the user.
const maxDelay = 2 * time.Minute

// RetryDelay returns the wait before the attempt after this one, the first being 1, and whether to make one. What the service asks
// for counts if it is longer.
func RetryDelay(err error, attempt int) (time.Duration, bool) {
	switch session.KindOf(err) {
	case session.KindRateLimit, session.KindOverloaded, session.KindServer, session.KindNetwork, session.KindStalled:
	default:
		return 0, false
	}
	if Final(err) {
		return 0, false
	}
	delay := firstDelay << min(attempt-1, 5)
	if after := RetryAfter(err); after > delay {
		delay = after
	}
	return delay, delay <= maxDelay
}
