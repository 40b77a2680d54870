package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"parley/internal/human"
	"parley/session"
	"parley/session/permission"
)

// PolicyFile has the path of the administrator's policy, and the check of its ownership. Tests make their own.
type PolicyFile struct {
	// Path is the file; empty: there is no policy.
	Path string
	// Guard returns why a file or a directory above it may have been written by other users than the administrator, "" if only
	// the administrator can. link asks about the link itself. The error is that of looking at it.
	Guard func(path string) (why string, err error)
}

// SystemPolicy returns the policy of this machine. No variable of the environment changes where it is.
func SystemPolicy() PolicyFile { return PolicyFile{Path: policyPath(), Guard: guard} }

// Policy is the administrator's policy as it was read.
type Policy struct {
	// File has its rules. Missing means that there is no policy.
	File File
	// Heeded reports whether the policy holds, also if it is broken. Ignored is why it does not although the file exists, for the
	// user.
	Heeded  bool
	Ignored string
	// Modes are the permission modes that are allowed; empty: all, but for NoBypass.
	Modes []session.Mode
	// Pinned is the mode that every session has, "" for none.
	Pinned session.Mode
	// NoBypass forbids the mode that bypasses permissions.
	NoBypass bool
}

// policyLook is a policy with the time at which it was read.
type policyLook struct {
	policy Policy
	at     time.Time
}

// policyAge is the time for which a policy holds before its file and the directories above it are looked at again.
const policyAge = time.Second

// Policy returns the administrator's policy, at most a second old.
func (s *Store) Policy() Policy { return s.policyNow().policy }

// policyNow returns the policy with the time at which it was read.
func (s *Store) policyNow() *policyLook {
	s.mu.Lock()
	known := s.policy
	s.mu.Unlock()
	now := time.Now()
	if known != nil && now.Sub(known.at) < policyAge && now.Sub(known.at) >= 0 {
		return known
	}
	l := &policyLook{readPolicy(s.o.Policy), now}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.policy = l
	return l
}

// readPolicy reads the policy. A file that others may have written is not heeded; one that only the administrator can write
// and that cannot be used fails closed.
func readPolicy(from PolicyFile) Policy {
	p := Policy{File: File{Origin: permission.FromPolicy, Path: from.Path, Missing: true}}
	if from.Path == "" {
		return p
	}
	if _, err := os.Lstat(from.Path); errors.Is(err, fs.ErrNotExist) {
		return p
	}
	p.File.Missing = false
	why, err := from.guarded()
	if why != "" {
		p.Ignored = fmt.Sprintf("The policy %s is not heeded: %s.", from.Path, why)
		return p
	}
	p.Heeded = true
	var data []byte
	if err == nil {
		if data, err = content(from.Path); err == nil {
			err = p.parse(data)
		}
	}
	if err != nil {
		p.File.Problem, p.NoBypass = problemOf(from.Path, err), true
	}
	return p
}

// guarded returns why users other than the administrator may have written the file, "" if they cannot have. It looks at the
// file, at every directory above it, and the same again where a link leads.
func (f PolicyFile) guarded() (why string, err error) {
	why, err = f.guardedAlong(f.Path)
	if why != "" || err != nil {
		return why, err
	}
	real, err := filepath.EvalSymlinks(f.Path)
	if err != nil {
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err
		}
		return "", err
	}
	if real == f.Path {
		return "", nil
	}
	return f.guardedAlong(real)
}

// guardedAlong looks at a path and all directories above it, from the top.
func (f PolicyFile) guardedAlong(path string) (why string, err error) {
	var all []string
	for at := path; ; at = filepath.Dir(at) {
		all = append(all, at)
		if filepath.Dir(at) == at {
			break
		}
	}
	for _, at := range slices.Backward(all) {
		why, err := f.Guard(at)
		if err != nil {
			return "", err
		}
		if why != "" {
			return at + " " + why, nil
		}
	}
	return "", nil
}

// The keys of a policy.
const (
	keyModes  = "modes"
	keyMode   = "mode"
	keyBypass = "bypass"
	forbid    = "forbid"
)

var policyKeys = []string{keyModes, keyMode, keyBypass, keyRules}

// parse reads the content of the file.
func (p *Policy) parse(data []byte) error {
	d, top, err := open(data)
	if err != nil || top == nil {
		return err
	}
	var pin *yaml.Node
	err = eachKey(top, policyKeys, func(k, v *yaml.Node) (err error) {
		switch k.Value {
		case keyModes:
			p.Modes, err = readModes(v)
		case keyMode:
			pin = v
			p.Pinned, err = readMode(v)
		case keyBypass:
			if v.Kind != yaml.ScalarNode || v.Value != forbid {
				return at(v, "bypass can only be %s, not %s", forbid, describe(v))
			}
			p.NoBypass = true
		case keyRules:
			err = d.readRules(k, v, permission.FromPolicy, policyRulings)
		}
		return err
	})
	p.File.Rules = d.rules
	if err == nil && p.Pinned != "" && !p.allows(p.Pinned) {
		return at(pin, "the mode %s is pinned and forbidden at once", p.Pinned)
	}
	return err
}

// readModes reads the list of the modes that are allowed.
func readModes(n *yaml.Node) ([]session.Mode, error) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return nil, at(n, "expected a list of modes such as [default, plan], not %s", describe(n))
	}
	var all []session.Mode
	for _, item := range n.Content {
		mode, err := readMode(item)
		if err != nil {
			return nil, err
		}
		all = append(all, mode)
	}
	return all, nil
}

func readMode(n *yaml.Node) (session.Mode, error) {
	var names []string
	for _, mode := range session.Modes {
		if n.Kind == yaml.ScalarNode && n.Value == string(mode) {
			return mode, nil
		}
		names = append(names, string(mode))
	}
	return "", at(n, "expected a mode: %s, not %s", strings.Join(names, ", "), describe(n))
}

// allows reports whether the policy allows a mode, apart from the pinned one.
func (p Policy) allows(mode session.Mode) bool {
	if mode == session.ModeBypass && p.NoBypass {
		return false
	}
	return len(p.Modes) == 0 || slices.Contains(p.Modes, mode)
}

// ModeProblem returns why the policy does not allow a permission mode, "" if it does. The empty mode is the default one.
func (p Policy) ModeProblem(mode session.Mode) string {
	if mode == "" {
		mode = session.ModeDefault
	}
	switch {
	case !p.Heeded:
		return ""
	case p.Pinned != "" && mode != p.Pinned:
		return fmt.Sprintf("your administrator set %s mode in %s", p.Pinned, p.File.Path)
	case p.allows(mode):
		return ""
	case mode == session.ModeBypass && p.File.Problem != nil:
		return fmt.Sprintf("your administrator's policy %s can't be used, so nothing bypasses permissions", p.File.Path)
	}
	return fmt.Sprintf("your administrator forbids %s mode in %s", mode, p.File.Path)
}

// Instead returns the mode that sessions have in the place of one: the mode itself if the policy allows it, else the pinned
// one, the default one, or the first that is allowed.
func (p Policy) Instead(mode session.Mode) session.Mode {
	switch {
	case p.ModeProblem(mode) == "":
		return mode
	case p.Pinned != "":
		return p.Pinned
	case p.allows(session.ModeDefault) || len(p.Modes) == 0:
		return session.ModeDefault
	}
	for _, mode := range p.Modes {
		if p.allows(mode) {
			return mode
		}
	}
	return session.ModePlan
}

// ModeProblem is [Policy.ModeProblem] of the present policy.
func (s *Store) ModeProblem(mode session.Mode) string { return s.Policy().ModeProblem(mode) }

// InsteadOf is [Policy.Instead] of the present policy.
func (s *Store) InsteadOf(mode session.Mode) session.Mode { return s.Policy().Instead(mode) }

// Summary says in a few words what the policy does.
func (p Policy) Summary() string {
	parts := []string{human.Count(len(p.File.Rules), "rule", "rules")}
	if p.Pinned != "" {
		parts = append(parts, "mode "+string(p.Pinned))
	} else if len(p.Modes) > 0 {
		names := make([]string, len(p.Modes))
		for i, mode := range p.Modes {
			names[i] = string(mode)
		}
		parts = append(parts, "modes "+strings.Join(names, ", "))
	}
	if p.NoBypass {
		parts = append(parts, "no bypass")
	}
	return strings.Join(parts, "; ")
}
