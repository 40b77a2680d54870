//go:build unix

package rules

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
)

// guarded returns a policy with a content, and an ownership that is looked up by the end of a path; all other paths are root's.
func guarded(t *testing.T, text string, owners map[string]string) PolicyFile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "etc", "parley", "policy.yaml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return PolicyFile{Path: path, Guard: func(at string) (string, error) {
		for end, why := range owners {
			if strings.HasSuffix(filepath.ToSlash(at), end) {
				if why == "unreadable" {
					return "", fs.ErrPermission
				}
				return why, nil
			}
		}
		return "", nil
	}}
}

// The policy is heeded only if no other user than the administrator can have written it; what cannot be looked at fails closed.
func TestPolicyOwnership(t *testing.T) {
	const foreign = "is not owned by root"
	for name, c := range map[string]struct {
		owners  map[string]string
		ignored string
		broken  bool
	}{
		"root's":            {nil, "", false},
		"file of a user":    {map[string]string{"/policy.yaml": foreign}, "policy.yaml is not owned by root", false},
		"folder of a user":  {map[string]string{"/etc/parley": foreign}, "parley is not owned by root", false},
		"folder above":      {map[string]string{"/etc": "can be written by its group or by others"}, "etc can be written by its group", false},
		"cannot be seen":    {map[string]string{"/policy.yaml": "unreadable"}, "", true},
		"user above unseen": {map[string]string{"/policy.yaml": "unreadable", "/etc": foreign}, "etc is not owned by root", false},
	} {
		p := readPolicy(guarded(t, "bypass: forbid\nrules:\n- deny: tool X\n", c.owners))
		if (p.Ignored == "") != (c.ignored == "") || !strings.Contains(p.Ignored, c.ignored) || (p.File.Problem != nil) != c.broken {
			t.Errorf("%s: ignored %q, problem %v", name, p.Ignored, p.File.Problem)
		}
		if p.Heeded == (c.ignored != "") || p.Heeded && !p.NoBypass || !p.Heeded && (p.NoBypass || len(p.File.Rules) > 0) {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestJudgeModes(t *testing.T) {
	for mode, fine := range map[fs.FileMode]bool{
		0o644: true, 0o600: true, fs.ModeDir | 0o755: true, fs.ModeSymlink | 0o777: true,
		0o664: false, 0o646: false, 0o666: false, fs.ModeDir | 0o775: false, fs.ModeDir | fs.ModeSticky | 0o777: false,
	} {
		if why := judge(mode, true); (why == "") != fine {
			t.Errorf("%v of root: %q", mode, why)
		}
		if judge(mode, false) == "" {
			t.Errorf("%v of a user is heeded", mode)
		}
	}
}

// A link is looked at itself, and so is where it leads.
func TestPolicyBehindALink(t *testing.T) {
	p := guarded(t, "bypass: forbid\n", map[string]string{"/other/policy.yaml": "is not owned by root"})
	other := filepath.Join(filepath.Dir(filepath.Dir(p.Path)), "other")
	if err := errors.Join(os.Mkdir(other, 0o700), os.Rename(p.Path, filepath.Join(other, "policy.yaml")),
		os.Symlink(filepath.Join(other, "policy.yaml"), p.Path)); err != nil {
		t.Fatal(err)
	}
	if got := readPolicy(p); got.Heeded || !strings.Contains(got.Ignored, "other") {
		t.Errorf("%+v", got)
	}
}

func TestPolicyModes(t *testing.T) {
	const d, e, pl, b = session.ModeDefault, session.ModeAcceptEdits, session.ModePlan, session.ModeBypass
	for name, c := range map[string]struct {
		text    string
		allowed []session.Mode
		instead session.Mode // of one that is not
		says    string
	}{
		"none":      {"", session.Modes, "", ""},
		"no bypass": {"bypass: forbid\n", []session.Mode{d, e, pl}, d, "forbids bypassPermissions mode in"},
		"two modes": {"modes: [plan, acceptEdits]\n", []session.Mode{e, pl}, pl, "forbids"},
		"both":      {"modes: [default, bypassPermissions]\nbypass: forbid\n", []session.Mode{d}, d, "forbids"},
		"pinned":    {"mode: plan\n", []session.Mode{pl}, pl, "set plan mode in"},
		"broken":    {"modes: [default\n", []session.Mode{d, e, pl}, d, "can't be used, so nothing bypasses"},
		"unknown":   {"mode: yolo\n", []session.Mode{d, e, pl}, d, "can't be used"},
		"allows":    {"rules:\n- allow: tool X\n", []session.Mode{d, e, pl}, d, "can't be used"},
		"at odds":   {"bypass: forbid\nmode: bypassPermissions\n", nil, "", "set bypassPermissions"},
	} {
		p := readPolicy(guarded(t, c.text, nil))
		if name == "at odds" {
			if p.File.Problem == nil || p.ModeProblem(b) == "" && !p.NoBypass {
				t.Errorf("%s: %+v", name, p)
			}
			continue
		}
		for _, mode := range session.Modes {
			why := p.ModeProblem(mode)
			if want := slices.Contains(c.allowed, mode); (why == "") != want || !want && (!strings.Contains(why, c.says) || !strings.Contains(why, p.File.Path)) {
				t.Errorf("%s: %s: %q", name, mode, why)
			}
			if got := p.Instead(mode); why == "" && got != mode || why != "" && got != c.instead {
				t.Errorf("%s: instead of %s %s", name, mode, got)
			}
		}
	}
}

func TestBrokenPolicies(t *testing.T) {
	for text, says := range map[string]string{
		"modes: plan\n":                "expected a list of modes",
		"modes: []\n":                  "expected a list of modes",
		"modes: [auto]\n":              `not "auto"`,
		"bypass: allow\n":              "bypass can only be forbid",
		"mods: [plan]\n":               "did you mean modes?",
		"rules:\n- allow: tool X\n":    `unknown key "allow"; there is ask, deny, since`,
		"modes: [plan]\nmode: default": "pinned and forbidden",
	} {
		s := New(Options{Policy: guarded(t, text, nil)})
		k := s.Kept(t.TempDir())
		if !strings.Contains(k.Locked, says) || !strings.Contains(k.Locked, "administrator") || s.ModeProblem(session.ModeBypass) == "" {
			t.Errorf("%q: locked %q", text, k.Locked)
		}
	}
}
