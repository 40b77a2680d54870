package signin

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"parley/internal/crash"
	"parley/internal/safefs"
)

const (
	// service names the entries of the keyring.
	service = "parley MCP"
	// maxFile bounds the file of tokens, in bytes.
	maxFile = 4 << 20
	// keyringTime bounds the wait for a keyring, which may be locked and ask the user.
	keyringTime = 20 * time.Second
)

// errNoKeyring reports that there is no keyring.
var errNoKeyring = errors.New("no keyring")

// Store keeps what sign-ins have brought, by the address of the service. It is safe for concurrent use.
type Store struct {
	// File takes what the system's keyring does not: there may be none, or one too small. Its mode is 0600.
	File string
	// NoKeyring leaves the keyring alone, as tests want.
	NoKeyring bool

	mu sync.Mutex
}

// load returns what is kept for a service, nil for nothing.
func (s *Store) load(address string) []byte {
	if text, err := s.keyring(func() (string, error) { return keyring.Get(service, address) }); err == nil {
		return []byte(text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all, _ := s.read()
	return all[address]
}

// save keeps something for a service, and returns where.
func (s *Store) save(address string, data []byte) (where string, err error) {
	if _, err := s.keyring(func() (string, error) { return "", keyring.Set(service, address, string(data)) }); err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		return "the system's keyring", s.change(address, nil)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.File, s.change(address, data)
}

// Forget removes what is kept for a service, and reports whether there was something.
func (s *Store) Forget(address string) (bool, error) {
	_, err := s.keyring(func() (string, error) { return "", keyring.Delete(service, address) })
	s.mu.Lock()
	defer s.mu.Unlock()
	all, wrong := s.read()
	if wrong != nil {
		return err == nil, wrong
	}
	_, had := all[address]
	return err == nil || had, s.change(address, nil)
}

// change sets or removes an entry of the file. The lock is held.
func (s *Store) change(address string, data []byte) error {
	all, err := s.read()
	if err != nil {
		return err
	}
	if _, had := all[address]; !had && data == nil {
		return nil
	}
	if delete(all, address); data != nil {
		all[address] = data
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.File), 0o700); err != nil {
		return err
	}
	return safefs.WriteFileSync(s.File, append(text, '\n'))
}

// read returns the entries of the file. The lock is held.
func (s *Store) read() (map[string]json.RawMessage, error) {
	all := map[string]json.RawMessage{}
	data, err := safefs.ReadFile(context.Background(), s.File, maxFile, safefs.FollowLinks)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(data, &all)
}

// keyring asks the keyring, for a while. The call goes on in the background if it takes longer: nothing can end it.
func (s *Store) keyring(do func() (string, error)) (string, error) {
	if s.NoKeyring || runtime.GOOS == "linux" && !hasBus() {
		return "", errNoKeyring
	}
	type answer struct {
		text string
		err  error
	}
	out := make(chan answer, 1)
	crash.Go(func() {
		text, err := do()
		out <- answer{text, err}
	})
	wait := time.NewTimer(keyringTime)
	defer wait.Stop()
	select {
	case a := <-out:
		return a.text, a.err
	case <-wait.C:
		return "", errNoKeyring
	}
}

// hasBus reports whether a session bus runs: without one, looking for the keyring would start it.
func hasBus() bool {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	_, err := os.Stat(filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus"))
	return os.Getenv("XDG_RUNTIME_DIR") != "" && err == nil
}
