package driver

import (
	"strings"

	"parley/internal/lazyregexp"
	"parley/session/proc"
)

// tail is the end of the standard error of a runtime.
type tail struct{ proc.Tail }

// text returns the text with secrets masked.
func (t *tail) text(secrets ...string) string { return mask(t.Text(), secrets...) }

// masked replaces a secret.
const masked = "***"

// tokens matches the kinds of secrets that a runtime and its commands may print.
var tokens = lazyregexp.New(`(?i:bearer\s+)[^\s"',;]+|sk-ant-[\w-]+|gh[opsur]_\w+|github_pat_\w+`)

// mask replaces secrets. Of one in the form "secret.id", the first half alone is replaced too.
func mask(s string, secrets ...string) string {
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		s = strings.ReplaceAll(s, secret, masked)
		if first, _, ok := strings.Cut(secret, "."); ok && len(first) >= 8 {
			s = strings.ReplaceAll(s, first, masked)
		}
	}
	return tokens.ReplaceAllString(s, masked)
}
