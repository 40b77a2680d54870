package driver

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"parley/session/proc"
)

// tail is the end of the standard error of a runtime.
type tail struct{ proc.Tail }

// text returns the text with secrets masked.
func (t *tail) text(known *secrets) string { return known.mask(t.Text()) }

// tokens matches the kinds of secrets that a runtime and its commands may print.
var tokens = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i:bearer\s+)[^\s"',;]+|gh[opsur]_\w+|github_pat_\w+`)
})

// shortestSecret is the length in bytes from which a known secret is masked.
const shortestSecret = 8

// secrets are the secrets that a runtime was given, newest last. It is safe for concurrent use.
type secrets struct {
	mu  sync.Mutex
	all []string
}

// maxSecrets bounds the secrets that are known; each session may have one.
const maxSecrets = 1024

// add adds secrets. Short ones would mask words.
func (s *secrets) add(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		if len(v) >= shortestSecret && !slices.Contains(s.all, v) {
			s.all = append(s.all, v)
		}
	}
	if over := len(s.all) - maxSecrets; over > 0 {
		s.all = slices.Delete(s.all, 0, over)
	}
}

// mask replaces secrets.
func (s *secrets) mask(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range s.all {
		text = strings.ReplaceAll(text, secret, "***")
	}
	return tokens().ReplaceAllString(text, "***")
}
