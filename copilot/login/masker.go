package login

import (
	"slices"
	"sync"
)

// maxSecrets bounds the secrets to replace. The newest are kept, because only the answer to an old request can echo an
// old one.
const maxSecrets = 32

// Masker replaces secrets in text from outside: those that a client has sent or received. The zero value has none. It
// is safe for concurrent use.
type Masker struct {
	mu      sync.RWMutex
	secrets []Secret
}

// Add adds a secret to replace. Beyond 32 it drops the oldest.
func (m *Masker) Add(s Secret) {
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

// Text returns s with every secret replaced.
func (m *Masker) Text(s string) string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, secret := range m.secrets {
		s = secret.mask(s)
	}
	return s
}

// Bytes returns b with every secret replaced; b itself if it contains none.
func (m *Masker) Bytes(b []byte) []byte {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, secret := range m.secrets {
		b = secret.maskBytes(b)
	}
	return b
}
