package pipe

import (
	"slices"
	"strings"
	"sync"

	"parley/internal/lazyregexp"
)

// Secrets are the secrets that a runtime was given, newest last. The zero value has none. It is safe for concurrent use.
type Secrets struct {
	mu  sync.Mutex
	all []string
}

// maxSecrets bounds the secrets that are known; each session may have one.
const maxSecrets = 1024

// shortestSecret is the length in bytes from which a secret is masked. Shorter ones would mask words.
const shortestSecret = 8

// Add adds secrets. Of one in the form "secret.id", the first half alone is one too.
func (s *Secrets) Add(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, value := range values {
		first, _, _ := strings.Cut(value, ".")
		for _, v := range []string{value, first} {
			if len(v) >= shortestSecret && !slices.Contains(s.all, v) {
				s.all = append(s.all, v)
			}
		}
	}
	if over := len(s.all) - maxSecrets; over > 0 {
		s.all = slices.Delete(s.all, 0, over)
	}
}

// tokens matches the kinds of secrets that a runtime and its commands may print.
var tokens = lazyregexp.New(`(?i:bearer\s+)[^\s"',;]+|sk-ant-[\w-]+|gh[opsur]_\w+|github_pat_\w+`)

// Mask replaces secrets in a text.
func (s *Secrets) Mask(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range s.all {
		text = strings.ReplaceAll(text, secret, "***")
	}
	return tokens.ReplaceAllString(text, "***")
}

// maxColumns bounds a line of a runtime's output that is shown, in bytes.
const maxColumns = 160

// LastLines returns the last n lines of a text, each cut.
func LastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	lines = lines[max(0, len(lines)-n):]
	for i, line := range lines {
		if len(line) > maxColumns {
			lines[i] = strings.ToValidUTF8(line[:maxColumns], "") + "…"
		}
	}
	return strings.Join(lines, "\n")
}
