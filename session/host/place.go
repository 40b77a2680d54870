package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/safefs"
	"parley/session"
)

// maxPath bounds the path of a socket in bytes: macOS has the least, 104 with the end.
const maxPath = 103

// keyLen is the length of [Place.Key].
const keyLen = 12

// Place is where a host and its clients meet.
type Place struct {
	// Dir is a folder of the user's that nobody else can enter, see [FindDir].
	Dir string
	// Key names what a host serves, in 12 characters: another version, configuration or login has another host.
	Key string
}

func (p Place) file(kind string) string {
	return filepath.Join(p.Dir, fmt.Sprintf("%s-v%d.%s", p.Key, Version, kind))
}

// Entry describes a host that runs.
type Entry struct {
	Pid     int       `json:"pid"`
	Started time.Time `json:"started"`
	Program string    `json:"program"` // the version of parley
	Version int       `json:"version"` // of the protocol
	Place   Place     `json:"-"`
}

// FindDir returns the folder for hosts: in the runtime folder of the user's login, else in the state folder, else in that for temporary
// files, whichever is the first that is private and short enough for the name of a socket.
func FindDir(runtime, state string) (string, error) {
	var errs []error
	for _, dir := range []string{under(runtime, "parley"), under(state, "host"), filepath.Join(os.TempDir(), fmt.Sprintf("parley-%d", os.Getuid()))} {
		if dir == "" {
			continue
		}
		if n := len(Place{dir, strings.Repeat("k", keyLen)}.file("sock")); n > maxPath {
			errs = append(errs, fmt.Errorf("%s: the path is too long for a socket", dir))
			continue
		}
		err := private(dir)
		if err == nil {
			return dir, nil
		}
		errs = append(errs, err)
	}
	return "", &session.Error{Op: "find a folder for the session host", Kind: session.KindDisk, Err: errors.Join(errs...)}
}

// under returns a folder in another one, "" if there is none.
func under(dir, name string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(dir, name)
}

// private makes the folder, and refuses one that others can enter or that is another user's.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !ours(info) {
		return fmt.Errorf("%s is not a private folder: make it yours with mode 700", dir)
	}
	return nil
}

// Entries returns what the hosts of a folder wrote, also those that were killed: only a connection says which of them run.
func Entries(ctx context.Context, dir string) []Entry {
	names, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	var all []Entry
	for _, name := range names {
		data, err := safefs.ReadFile(ctx, name, 1<<12, safefs.NoLinks)
		e := Entry{}
		if err != nil || json.Unmarshal(data, &e) != nil || e.Pid <= 0 {
			continue
		}
		key, _, _ := strings.Cut(filepath.Base(name), "-")
		e.Place = Place{dir, key}
		all = append(all, e)
	}
	return all
}
