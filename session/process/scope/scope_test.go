package scope

import (
	"testing"

	"parley/session"
	"parley/session/permission"
	"parley/session/toolview"
)

func TestAbsolute(t *testing.T) {
	s := Scope{Dirs: []string{"/project", "/other"}, Home: "/home/u"}
	for _, tc := range []struct{ path, dir, want string }{
		{"", "", ""},
		{"~", "", "/home/u"},
		{"~/a", "/project/b", "/home/u/a"},
		{"~u/a", "", "/project/~u/a"},
		{"/a/../b", "", "/b"},
		{"a", "", "/project/a"},
		{"../a", "/project/b", "/project/a"},
	} {
		if got := s.Absolute(tc.path, tc.dir); got != tc.want {
			t.Errorf("%q in %q: %q", tc.path, tc.dir, got)
		}
	}
	if got := (Scope{}).Absolute("a/../b", ""); got != "b" {
		t.Errorf("without a directory: %q", got)
	}
}

func TestPolicy(t *testing.T) {
	s := Scope{Dirs: []string{"/project"}, Home: "/home/u", Rules: permission.Kept{Locked: "locked"}}
	p := s.Policy(session.ModePlan, "/project", "bash")
	if p.Mode != session.ModePlan || p.Base != "/project" || p.Shell != "bash" || p.Locked != "locked" || p.Git() {
		t.Errorf("%+v", p)
	}
	s.Git = permission.WatchGit(t.Context(), t.TempDir())
	if p := s.Policy(session.ModeDefault, "/project/sub", "bash"); p.Git() {
		t.Error("git is watched in the working directory only")
	}
	if d := s.Policy(session.ModeDefault, "/project", "bash").Decide(toolview.Command, session.PermissionAsk{Tool: "bash", Command: "make"}); d.Ruling != permission.Ask {
		t.Errorf("%+v", d)
	}
}

func TestTouches(t *testing.T) {
	policy := func() permission.Policy {
		return Scope{Dirs: []string{"/project"}}.Policy(session.ModeDefault, "/project", "bash")
	}
	for name, tc := range map[string]struct {
		call session.FileCall
		want bool
	}{
		"nothing": {session.FileCall{}, false},
		"a path":  {session.FileCall{Paths: []string{"/project/a"}}, true},
		"make":    {session.FileCall{Command: "make"}, true},
	} {
		if got := Touches(tc.call, policy); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
