package budget

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"parley/internal/human"
	"parley/session"
)

// Spending counts what a run has used, in all its turns and with its children, against its limits. It is safe for concurrent use.
type Spending struct {
	mu     sync.Mutex
	limits session.Limits
	began  time.Time
	rounds int
	tokens int64
	nano   int64
	warned bool
}

// Begin starts the run, unless it has begun.
func (s *Spending) Begin(limits session.Limits, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.IsZero() {
		s.limits, s.began = limits, now
	}
}

// Left returns how much of its time the run has left, and whether its time is limited.
func (s *Spending) Left(now time.Time) (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limits.Time - now.Sub(s.began), s.limits.Time > 0
}

// Add counts an answer.
func (s *Spending) Add(u session.Usage, nano int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens += u.Input + u.Output + u.CacheRead + u.CacheWrite
	s.nano += nano
}

// Round counts a request, unless a limit is reached; then it returns the problem. last reports that no other may follow: the last
// one is for the agent at the top, which answers for the run.
func (s *Spending) Round(now time.Time, top bool) (last bool, _ *session.Problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	what, most := "", s.limits.Rounds
	if !top {
		most--
	}
	switch l := s.limits; {
	case l.Rounds > 0 && s.rounds >= most:
		return false, OutOfRounds(l.Rounds)
	case l.Tokens > 0 && s.tokens >= l.Tokens:
		what = human.Tokens(l.Tokens) + " tokens"
	case l.NanoAIU > 0 && s.nano >= l.NanoAIU:
		what = credits(l.NanoAIU)
	case l.Time > 0 && now.Sub(s.began) >= l.Time:
		return false, OutOfTime(l.Time)
	default:
		s.rounds++
		return l.Rounds > 0 && s.rounds == l.Rounds, nil
	}
	return false, limitProblem(what)
}

// OutOfRounds returns the problem of a run that has made as many requests as it may.
func OutOfRounds(limit int) *session.Problem {
	return limitProblem(human.Count(limit, "request", "requests"))
}

// OutOfTime returns the problem of a run that took too long.
func OutOfTime(limit time.Duration) *session.Problem {
	text := human.Seconds(limit)
	if limit < time.Second {
		text = limit.String()
	}
	return limitProblem(text)
}

func limitProblem(limit string) *session.Problem {
	return &session.Problem{Kind: session.KindTooLong, What: "The run has used its limit of " + limit + ".", Next: session.LimitNext}
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
	return "This run is limited, and little is left: " + strings.Join(left, ", ") +
		". Bring what you are doing to an end: leave files in a working state, and say what is done and what is not."
}

func credits(nano int64) string { return fmt.Sprintf("%.3g credits", float64(nano)/1e9) }
