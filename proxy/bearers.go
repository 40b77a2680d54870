package proxy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Bearer is a fixed bearer, "secret.name", for a program that cannot get a new one at every start. It is valid as long
// as the server runs.
type Bearer struct {
	// Name is the session id of its requests. It must be visible ASCII.
	Name string
	// Secret is the part before the dot: at least 32 characters of visible ASCII, without a dot.
	Secret string
	// File contains the secret if Secret is empty; surrounding white space is ignored. Only its owner may be able to
	// read it. A missing file is created with a new secret.
	File string
}

// minSecret is the minimum length of a secret.
const minSecret = 32

// Token returns what a client has to send, "secret.name". It reads the file if the bearer has one.
func (b Bearer) Token() (string, error) {
	secret, err := b.secret()
	if err != nil {
		return "", err
	}
	return secret + "." + b.Name, nil
}

// secret returns the checked secret. Errors never contain it.
func (b Bearer) secret() (string, error) {
	secret := b.Secret
	if secret == "" {
		if b.File == "" {
			return "", fmt.Errorf("proxy bearer %q: it has neither a secret nor a file", b.Name)
		}
		var err error
		if secret, err = secretFile(b.File); err != nil {
			return "", fmt.Errorf("proxy bearer %q: %w", b.Name, err)
		}
	}
	bad := func(r rune) bool { return r <= ' ' || r > '~' || r == '.' }
	switch {
	case len(secret) < minSecret:
		return "", fmt.Errorf("proxy bearer %q: its secret is shorter than %d characters", b.Name, minSecret)
	case strings.ContainsFunc(secret, bad):
		return "", fmt.Errorf("proxy bearer %q: its secret has a space, a dot or a character that no header can carry", b.Name)
	}
	return secret, nil
}

// secretFile reads a secret, and creates the file first if it is missing.
func secretFile(name string) (string, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case err == nil:
		secret := newSecret()
		_, err = f.WriteString(secret + "\n")
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(name) // it may contain part of a secret
			return "", fmt.Errorf("write a new secret: %w", err)
		}
		return secret, nil
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("write a new secret: %w; make the directory %s first", err, filepath.Dir(name))
	case !errors.Is(err, fs.ErrExist):
		return "", fmt.Errorf("write a new secret: %w", err)
	}
	info, err := os.Stat(name)
	if err != nil {
		return "", fmt.Errorf("read its secret: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("read its secret: others may read %s; run chmod 600 on it", name)
	}
	if !info.Mode().IsRegular() || info.Size() > 4<<10 {
		return "", fmt.Errorf("read its secret: %s is not a short file", name)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("read its secret: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}
