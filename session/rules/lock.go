package rules

import (
	"errors"
	"os"
	"path/filepath"

	"parley/internal/safefs"
	"parley/session"
)

// lock takes the lock under which rules change, in all processes. unlock releases it.
func (s *Store) lock(op string) (unlock func(), err error) {
	if err := os.MkdirAll(s.projects(), 0o700); err != nil {
		return nil, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	unlock, err = safefs.WaitLock(filepath.Join(s.projects(), ".lock"))
	switch {
	case errors.Is(err, safefs.ErrHeld):
		return nil, &session.Error{Op: op, Kind: session.KindLocked, Err: errors.New("another parley is changing rules")}
	case err != nil:
		return nil, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	return unlock, nil
}
