package budget

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"parley/internal/human"
	"parley/session"
)

// Spending counts what a turn has used, with its children, against its limits. It is safe for concurrent use.
type Spending struct {
	mu     sync.Mutex
	limits session.Limits
	began  time.Time
	rounds int
	tokens int64
	nano   int64
	warned bool
}

// Begin starts a turn.
func (s *Spending) Begin(limits session.Limits, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limits, s.began = limits, now
}

// Add counts an answer.
func (s *Spending) Add(u session.Usage, nano int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens += u.Input + u.Output + u.CacheRead + u.CacheWrite
	s.nano += nano
}

// Round counts a request, unless a limit is reached; then it returns the problem.
func (s *Spending) Round(now time.Time) *session.Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	what := ""
	switch l := s.limits; {
	case l.Rounds > 0 && s.rounds >= l.Rounds:
		what = human.Count(l.Rounds, "request", "requests")
	case l.Tokens > 0 && s.tokens >= l.Tokens:
		what = human.Tokens(l.Tokens) + " tokens"
	case l.NanoAIU > 0 && s.nano >= l.NanoAIU:
		what = credits(l.NanoAIU)
	case l.Time > 0 && now.Sub(s.began) >= l.Time:
		return OutOfTime(l.Time)
	default:
		s.rounds++
		return nil
	}
	return limitProblem("The turn has used its limit of " + what + ".")
}

// OutOfTime returns the problem of a turn that took too long.
func OutOfTime(limit time.Duration) *session.Problem {
	text := human.Seconds(limit)
	if limit < time.Second {
		text = limit.String()
	}
	return limitProblem("The turn has used its limit of " + text + ".")
}

func limitProblem(what string) *session.Problem {
	return &session.Problem{Kind: session.KindTooLong, What: what, Next: "Send another prompt to go on, or raise the limit."}
}

// Low returns a note for the model once little is left, "" otherwise.
func (s *Spending) Low(now time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var left []string
	note := func(used, limit int64, words func(int64) string) {
		if limit > 0 && used < limit && used*5 >= limit*4 {
			left = append(left, words(limit-used))
		}
	}
	note(int64(s.rounds), int64(s.limits.Rounds), func(n int64) string { return human.Count(int(n), "request", "requests") })
	note(s.tokens, s.limits.Tokens, func(n int64) string { return human.Tokens(n) + " tokens" })
	note(s.nano, s.limits.NanoAIU, credits)
	note(int64(now.Sub(s.began)), int64(s.limits.Time), func(n int64) string { return human.Seconds(time.Duration(n)) })
	if len(left) == 0 || s.warned {
		return ""
	}
	s.warned = true
	return "This turn is limited, and little is left: " + strings.Join(left, ", ") +
		". Bring what you are doing to an end: leave files in a working state, and say what is done and what is not."
}

func credits(nano int64) string { return fmt.Sprintf("%.3g credits", float64(nano)/1e9) }
