package host

import (
	"hash/fnv"

	"parley/session"
)

// since is what a client has of a session's log. It gets what comes behind that, where the log is still the same one.
type since struct {
	Epoch  string `json:"epoch"`  // of the log, see [hosted]
	Number int    `json:"number"` // of the newest event that it has, counted from 1 in the log
	// Texts are the lengths in bytes of the fragments at its end, which may have grown since, and Sum is that of these texts.
	Texts []int  `json:"texts,omitempty"`
	Sum   uint64 `json:"sum,omitempty"`
}

// sinceOf describes the events that a client has of a log.
func sinceOf(epoch string, have []session.Event) *since {
	s := &since{Epoch: epoch, Number: len(have)}
	at := len(have)
	for at > 0 && isFragment(have[at-1]) {
		at--
	}
	sum := fnv.New64a()
	for _, e := range have[at:] {
		text, _ := session.Fragment(e)
		s.Texts = append(s.Texts, len(text))
		_, _ = sum.Write([]byte(text))
	}
	s.Sum = sum.Sum64()
	return s
}

func isFragment(e session.Event) bool {
	_, is := session.Fragment(e)
	return is
}

// missing returns what the client lacks of a log, and false if what it has is not the begin of that. A log joins fragments as its copy does,
// so both count the same events. Bytes that JSON cannot carry arrive as others, which the sum reveals.
func (s *since) missing(epoch string, all []session.Event) ([]session.Event, bool) {
	if s == nil || s.Epoch != epoch || s.Number < 0 || s.Number > len(all) || len(s.Texts) > s.Number {
		return all, false
	}
	first := s.Number - len(s.Texts)
	var out []session.Event
	sum := fnv.New64a()
	for i, had := range s.Texts {
		e := all[first+i]
		text, is := session.Fragment(e)
		if !is || had < 0 || had > len(text) {
			return all, false
		}
		_, _ = sum.Write([]byte(text[:had]))
		if had < len(text) {
			out = append(out, session.WithFragment(e, text[had:]))
		}
	}
	if sum.Sum64() != s.Sum {
		return all, false
	}
	return append(out, all[s.Number:]...), true
}
