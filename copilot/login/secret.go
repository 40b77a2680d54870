package login

import (
	"bytes"
	"crypto/subtle"
	"fmt"
	"log/slog"
	"strings"
)

// Masked is the printed form of every secret.
const Masked = "***"

// Secret is a token. Printing, formatting or marshalling it in any way gives "***"; only [Secret.Reveal] returns the
// token. The zero value is the empty secret. It is safe for concurrent use.
type Secret struct {
	// A pointer, because fmt reaches unexported fields without calling their methods: it then prints an address.
	v *string
}

// NewSecret wraps a token.
func NewSecret(token string) Secret {
	if token == "" {
		return Secret{}
	}
	return Secret{v: &token}
}

// Reveal returns the token itself. It belongs only in an Authorization header.
func (s Secret) Reveal() string {
	if s.v == nil {
		return ""
	}
	return *s.v
}

// IsZero reports whether there is no token.
func (s Secret) IsZero() bool { return s.v == nil }

// Equal reports whether both contain the same token, in constant time for tokens of one length.
func (s Secret) Equal(o Secret) bool {
	return subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(o.Reveal())) == 1
}

// String returns "***".
func (s Secret) String() string { return Masked }

// GoString returns "***".
func (s Secret) GoString() string { return Masked }

// Format writes "***" whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(Masked)) }

// MarshalText returns "***".
func (s Secret) MarshalText() ([]byte, error) { return []byte(Masked), nil }

// MarshalJSON returns "***" as a JSON string.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + Masked + `"`), nil }

// MarshalYAML returns "***".
func (s Secret) MarshalYAML() (any, error) { return Masked, nil }

// LogValue returns "***".
func (s Secret) LogValue() slog.Value { return slog.StringValue(Masked) }

// mask replaces every occurrence of the token in text from outside.
func (s Secret) mask(text string) string {
	if s.v == nil {
		return text
	}
	return strings.ReplaceAll(text, *s.v, Masked)
}

// maskBytes is mask for bytes; it returns b itself if there is nothing to replace.
func (s Secret) maskBytes(b []byte) []byte {
	if s.v == nil || !bytes.Contains(b, []byte(*s.v)) {
		return b
	}
	return bytes.ReplaceAll(b, []byte(*s.v), []byte(Masked))
}
