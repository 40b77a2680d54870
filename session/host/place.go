package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
	for _, dir := range candidates(runtime, state) {
		if len(address(Place{dir, strings.Repeat("k", keyLen)})) > maxPath {
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

// Dirs returns every folder in which the user's hosts may be, also those of runs that have another runtime folder, or none.
func Dirs(runtime, state string) (all []string) {
	for _, dir := range append(candidates(runtime, state), filepath.Join(loginsDir, self(), "parley")) {
		if !slices.Contains(all, dir) && secure(dir) == nil {
			all = append(all, dir)
		}
	}
	return all
}

// loginsDir is where systemd has the runtime folders of users.
const loginsDir = "/run/user"

func candidates(runtime, state string) []string {
	all := []string{under(runtime, "parley"), under(state, "host"), filepath.Join(os.TempDir(), "parley-"+self())}
	return slices.DeleteFunc(all, func(dir string) bool { return dir == "" })
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
	return secure(dir)
}

// secure refuses a folder that others can enter or that is another user's, and what is none.
func secure(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || !ours(dir, info) {
		return fmt.Errorf("%s is not a private folder: %s", dir, ownIt)
	}
	return nil
}

// Entries returns what the hosts of folders wrote, also those that were killed: only a connection says which of them run.
func Entries(ctx context.Context, dirs ...string) (all []Entry) {
	for _, dir := range dirs {
		names, _ := filepath.Glob(filepath.Join(dir, "*.json"))
		for _, name := range names {
			if e, err := readEntry(ctx, name); err == nil {
				key, _, _ := strings.Cut(filepath.Base(name), "-")
				e.Place = Place{dir, key}
				all = append(all, e)
			}
		}
	}
	return all
}

func readEntry(ctx context.Context, name string) (e Entry, err error) {
	data, err := safefs.ReadFile(ctx, name, 1<<12, safefs.NoLinks)
	if err == nil {
		err = json.Unmarshal(data, &e)
	}
	if err == nil && e.Pid <= 0 {
		err = errors.New("it names no process")
	}
	return e, err
}

// silent is a host that takes connections and answers nothing, such as a process that was stopped.
type silent struct{ pid int }

// silentAt returns the error about the host of a place that does not answer.
func silentAt(op string, p Place) error {
	return &session.Error{Op: op, Kind: session.KindStalled, Err: silent{pidOf(p)}}
}

// pidOf returns the process that is the host of a place, 0 if it is unknown.
func pidOf(p Place) int {
	e, _ := readEntry(context.Background(), p.file("json"))
	return e.Pid
}

// Error says which process does not answer, and what ends it.
func (s silent) Error() string {
	if s.pid == 0 {
		return "the session host doesn't answer"
	}
	return fmt.Sprintf("session host %d doesn't answer. %s; its sessions are stored", s.pid, killing(s.pid, runtime.GOOS))
}

// killing says what ends a process.
func killing(pid int, goos string) string {
	if goos == "windows" {
		return fmt.Sprintf("`taskkill /PID %d /F` ends it", pid)
	}
	return fmt.Sprintf("`kill %d` ends it, `kill -9 %[1]d` if it is stopped", pid)
}

// Words returns what the user reads.
func (s silent) Words() (what, next string) {
	text := s.Error()
	return strings.ToUpper(text[:1]) + text[1:] + ".", ""
}
