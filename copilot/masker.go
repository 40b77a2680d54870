package copilot

import (
	"slices"
	"sync"
)

// maxSecrets bounds how many secrets are remembered: the newest, since an old one can be echoed only by an answer to an
// old request.
const maxSecrets = 32

// masker knows every secret a client has sent or was given, and takes them out of text that came from outside. The zero
// value knows none. Safe for concurrent use.
type masker struct {
	mu      sync.RWMutex
	secrets []Secret
}

// add makes a secret known.
func (m *masker) add(s Secret) {
	if s.IsZero() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if slices.ContainsFunc(m.secrets, s.Equal) {
		return
	}
	if len(m.secrets) >= maxSecrets {
		m.secrets = slices.Delete(m.secrets, 0, 1)
	}
	m.secrets = append(m.secrets, s)
}

// text replaces every secret in a text.
func (m *masker) text(s string) string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, secret := range m.secrets {
		s = secret.mask(s)
	}
	return s
}

// bytes is text for bytes; it returns b itself if there is nothing to replace.
func (m *masker) bytes(b []byte) []byte {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, secret := range m.secrets {
		b = secret.maskBytes(b)
	}
	return b
}
