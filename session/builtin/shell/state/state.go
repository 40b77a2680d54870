package state

import (
	"os"
	"slices"
	"strings"
	"sync"

	"parley/session/proc"
)

const (
	// maxEnviron bounds the environment that is kept, in bytes, and maxValue one entry, which systems limit to 128 KiB.
	maxEnviron = 512 << 10
	maxValue   = 100 << 10
	// maxFunctions bounds the text of functions that are kept, in bytes.
	maxFunctions = 1 << 20
)

// State holds the directory, variables and functions that the commands of one agent have left. It is safe for concurrent use.
type State struct {
	home string // the session's directory

	mu   sync.Mutex
	base []string // the environment of the first command
	pass []string // names in base that may look like secrets
	now  content
	// notes are for the model, with its next result.
	notes []string
}

// content is one state. Nothing changes its slices.
type content struct {
	dir       string
	environ   []string
	functions string
	// names are those of the functions, exported those that programs get.
	names, exported []string
}

// quiet are variables that prevent commands from waiting for input.
var quiet = []string{"PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "TERM=dumb"}

// New returns the state before the first command: it begins in home, absolute, with an environment to which only variables are
// added that prevent commands from waiting for input.
func New(home string, environ []string) *State {
	var base []string
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		if name != "PWD" && !slices.ContainsFunc(quiet, func(q string) bool { return strings.HasPrefix(q, name+"=") }) {
			base = append(base, kv)
		}
	}
	base = append(base, quiet...)
	s := &State{home: home, base: slices.Clip(base), now: content{dir: home, environ: slices.Clip(base)}}
	left := proc.AgentEnviron(base, nil)
	for _, kv := range base {
		if !slices.Contains(left, kv) {
			name, _, _ := strings.Cut(kv, "=")
			s.pass = append(s.pass, name)
		}
	}
	return s
}

// Rebase begins with another environment for the first command. What commands have set, changed or removed stays.
func (s *State) Rebase(environ []string) {
	next := New(s.home, environ)
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Equal(next.base, s.base) {
		return
	}
	old, now := byName(s.base), byName(s.now.environ)
	changed := func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		was, had := old[name]
		is, has := now[name]
		return has != had || is != was
	}
	kept := slices.DeleteFunc(slices.Clone(next.base), changed)
	for _, kv := range s.now.environ {
		if changed(kv) {
			kept = append(kept, kv)
		}
	}
	s.base, s.pass, s.now.environ = next.base, next.pass, kept
}

// Dir returns the directory in which the next command begins. If that is gone, it is the session's from now on, and the model
// is told.
func (s *State) Dir() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dir()
}

// dir is Dir with the lock held.
func (s *State) dir() string {
	if s.now.dir == s.home {
		return s.home
	}
	if info, err := os.Stat(s.now.dir); err != nil || !info.IsDir() {
		s.notes = append(s.notes, s.now.dir+" is gone: back in the working directory "+s.home)
		s.now.dir = s.home
	}
	return s.now.dir
}

// Moved returns the directory of the next command if it is not the session's, "" otherwise.
func (s *State) Moved() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.dir == s.home {
		return ""
	}
	return s.now.dir
}

// Environ returns the environment of the next command, which nobody changes.
func (s *State) Environ() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.environ
}

// Changed returns the names of the variables that commands have set, changed or removed, sorted.
func (s *State) Changed() []string {
	s.mu.Lock()
	base, now := s.base, s.now.environ
	s.mu.Unlock()
	before, after := byName(base), byName(now)
	var out []string
	for name, value := range after {
		if old, ok := before[name]; !ok || old != value {
			out = append(out, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// byName returns the values of an environment; the last entry of a name counts.
func byName(environ []string) map[string]string {
	out := make(map[string]string, len(environ))
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if name != "PWD" && name != "OLDPWD" {
			out[name] = value
		}
	}
	return out
}

// Functions returns the names of the functions that the next command has.
func (s *State) Functions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.names
}

// Notes returns what the model should know about the state, each note once.
func (s *State) Notes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.notes
	s.notes = nil
	return out
}

// Restore begins where an earlier process left off. Its variables are gone; if there were any, the model is told.
func (s *State) Restore(dir string, environ bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if dir != "" {
		s.now.dir = dir
	}
	if environ {
		s.notes = append(s.notes, "the session was resumed: variables and functions that earlier commands set are gone")
	}
}
