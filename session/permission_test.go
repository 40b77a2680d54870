package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// tree is a file system of which only names and links matter.
type tree map[string]string // path to link target, "" for what is no link

func (f tree) resolve(path string) (string, error) {
	for range 20 {
		again := false
		for link, target := range f {
			if target == "" || path != link && !strings.HasPrefix(path, link+"/") {
				continue
			}
			path, again = target+strings.TrimPrefix(path, link), true
		}
		if !again {
			if _, ok := f[path]; !ok {
				return "", fs.ErrNotExist
			}
			return path, nil
		}
	}
	return "", errors.New("too many links")
}

func (f tree) exists(path string) bool {
	_, ok := f[path]
	return ok
}

func testPolicy(mode Mode, rules ...Rule) Policy {
	f := tree{"/": "", "/home": "", "/home/u": "", "/home/u/src": "", "/home/u/src/a.go": "", "/home/u/src/.git": "",
		"/home/u/src/sub": "", "/home/u/src/out": "/etc", "/home/u/src/dangling": "/nowhere/x", "/home/u/src/self": "/home/u/src/self",
		"/home/u/src/back": "/home/u/src/sub", "/home/u/other": "", "/home/u/.ssh": "", "/home/u/.bashrc": "", "/etc": "", "/etc/passwd": "",
		"/extra": "", "/link": "/home/u/src", "/bin": ""}
	for _, name := range []string{"ls", "cat", "pwd", "go", "git", "head", "tail", "wc", "du"} {
		f["/bin/"+name] = ""
	}
	return Policy{Mode: mode, Dirs: []string{"/home/u/src", "/extra"}, Rules: rules, Home: "/home/u", Base: "/home/u/src",
		Resolve: f.resolve, Exists: f.exists, Git: func() bool { return true }, Programs: func(name string) []string { return []string{"/bin/" + name} }}
}

func TestDecideFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths; TestDecideOnDisk covers this system")
		return
	}
	for _, c := range []struct {
		path       string
		read, edit Ruling // in mode acceptEdits
	}{
		{"/home/u/src/a.go", RulingAllow, RulingAllow},
		{"/home/u/src/new.go", RulingAllow, RulingAllow},
		{"/home/u/src/new/deep/er.go", RulingAllow, RulingAllow},
		{"/home/u/src", RulingAllow, RulingAllow},
		{"/extra/x", RulingAllow, RulingAllow},
		{"/link/a.go", RulingAllow, RulingAllow}, // leads into the directory
		{"/home/u/src/back/x", RulingAllow, RulingAllow},
		{"/home/u/src/../other/x", RulingAsk, RulingAsk},
		{"/home/u/src/sub/../a.go", RulingAsk, RulingAsk}, // not worth being clever
		{"/home/u/src/out/passwd", RulingAsk, RulingAsk},
		{"/home/u/src/out/new", RulingAsk, RulingAsk},
		{"/home/u/src/dangling", RulingAsk, RulingAsk},
		{"/home/u/src/dangling/x", RulingAsk, RulingAsk},
		{"/home/u/src/self", RulingAsk, RulingAsk},
		{"/home/u/srcery/x", RulingAsk, RulingAsk},
		{"/home/u/SRC/a.go", RulingAsk, RulingAsk},
		{"/etc/passwd", RulingAsk, RulingAsk},
		{"/", RulingAsk, RulingAsk},
		{"a.go", RulingAsk, RulingAsk},
		{"", RulingAllow, RulingAsk},
		{"/home/u/src/a\x00.go", RulingAsk, RulingAsk},
		{"/home/u/src/.git/hooks/pre-commit", RulingAllow, RulingAsk},
		{"/home/u/src/.GIT/config", RulingAllow, RulingAsk},
		{"/home/u/src/sub/.git", RulingAllow, RulingAsk},
		{"/home/u/src/.g\u200cit/config", RulingAllow, RulingAsk},
		{"/home/u/src/git~1/config", RulingAllow, RulingAsk},
		{"/home/u/src/.git. /config", RulingAllow, RulingAsk},
		{"/home/u/src/.git::$INDEX_ALLOCATION/config", RulingAllow, RulingAsk},
		{"/home/u/src/.gitignore", RulingAllow, RulingAllow},
		{"/home/u/src/.env", RulingAllow, RulingAllow},
		{"/home/u/.ssh/authorized_keys", RulingAsk, RulingAsk},
		{"/home/u/.bashrc", RulingAsk, RulingAsk},
	} {
		ask := PermissionAsk{Tool: "Edit", Path: c.path}
		if got, _ := testPolicy(ModeDefault).Decide(ToolRead, ask); got != c.read {
			t.Errorf("read %q: %s", c.path, got)
		}
		if got, _ := testPolicy(ModeAcceptEdits).Decide(ToolEdit, ask); got != c.edit {
			t.Errorf("edit %q: %s", c.path, got)
		}
		if got, _ := testPolicy(ModeDefault).Decide(ToolEdit, ask); got != RulingAsk {
			t.Errorf("edit %q in default mode: %s", c.path, got)
		}
		// A rule for everything opens neither .git nor the user's dot-files, and follows no link into the dark.
		all := testPolicy(ModeDefault, Rule{Tool: "Edit"})
		if got, _ := all.Decide(ToolEdit, ask); got == RulingAllow && (isGitPath(c.path) || strings.HasPrefix(c.path, "/home/u/.") ||
			strings.Contains(c.path, "dangling") || strings.Contains(c.path, "self")) {
			t.Errorf("edit %q under a rule: %s", c.path, got)
		}
	}
	home := testPolicy(ModeAcceptEdits)
	home.Dirs = []string{"/home/u"}
	if got, _ := home.Decide(ToolEdit, PermissionAsk{Path: "/home/u/.bashrc"}); got != RulingAsk {
		t.Errorf("a dot-file of a session in the home directory: %s", got)
	}
	folds := testPolicy(ModeAcceptEdits)
	folds.FoldCase = true
	folds.Resolve = func(p string) (string, error) { return p, nil }
	if got, _ := folds.Decide(ToolEdit, PermissionAsk{Path: "/HOME/u/src/A.go"}); got != RulingAllow {
		t.Errorf("another case of the same directory: %s", got)
	}
	if got, _ := (Policy{Mode: ModeAcceptEdits, Dirs: []string{"/home/u/src"}}).Decide(ToolEdit, PermissionAsk{Path: "/home/u/src/a.go"}); got != RulingAsk {
		t.Errorf("without a way to resolve: %s", got)
	}
}

func isGitPath(p string) bool {
	for _, name := range strings.Split(p, "/") {
		if isGit(name) {
			return true
		}
	}
	return false
}

func TestDecideModes(t *testing.T) {
	ask := PermissionAsk{Tool: "X", Command: "rm -rf /", Path: "/etc/passwd"}
	for kind, want := range map[ToolKind][4]Ruling{ // default, acceptEdits, plan, bypass
		ToolRead:     {RulingAsk, RulingAsk, RulingAsk, RulingAllow},
		ToolSearch:   {RulingAsk, RulingAsk, RulingAsk, RulingAllow},
		ToolEdit:     {RulingAsk, RulingAsk, RulingDeny, RulingAllow},
		ToolCommand:  {RulingAsk, RulingAsk, RulingDeny, RulingAllow},
		ToolFetch:    {RulingAsk, RulingAsk, RulingDeny, RulingAllow},
		ToolAgent:    {RulingAsk, RulingAsk, RulingDeny, RulingAllow},
		ToolMCP:      {RulingAsk, RulingAsk, RulingDeny, RulingAllow},
		ToolOther:    {RulingAsk, RulingAsk, RulingDeny, RulingAllow},
		ToolAsk:      {RulingAllow, RulingAllow, RulingAllow, RulingAllow},
		ToolPlan:     {RulingAllow, RulingAllow, RulingAllow, RulingAllow},
		"unheard of": {RulingAsk, RulingAsk, RulingDeny, RulingAllow},
	} {
		for i, mode := range []Mode{ModeDefault, ModeAcceptEdits, ModePlan, ModeBypass} {
			got, why := testPolicy(mode).Decide(kind, ask)
			if got != want[i] || (got == RulingDeny) != (why != "") {
				t.Errorf("%s in %s: %s %q", kind, mode, got, why)
			}
		}
	}
	if got, _ := testPolicy("").Decide(ToolEdit, ask); got != RulingAsk {
		t.Errorf("no mode: %s", got)
	}
}

func TestSuggestRules(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := testPolicy(ModeDefault)
	for _, c := range []struct {
		kind ToolKind
		ask  PermissionAsk
		want string // pattern and label of the first rule
	}{
		{ToolCommand, PermissionAsk{Command: "go test ./..."}, "go test|go test, which runs this project's tests"},
		{ToolCommand, PermissionAsk{Command: "ls -la"}, "ls|ls, on files of this session's directories"},
		{ToolCommand, PermissionAsk{Command: "git status"}, "git status|git status, which reads this repository"},
		{ToolCommand, PermissionAsk{Command: "make"}, ""},
		{ToolCommand, PermissionAsk{Command: "git -c x=y log"}, ""},
		{ToolCommand, PermissionAsk{Command: "npm run test:unit"}, ""},
		{ToolCommand, PermissionAsk{Command: "ls; ls"}, ""},
		{ToolCommand, PermissionAsk{Command: "ls > x"}, ""},
		{ToolCommand, PermissionAsk{Command: "sudo ls"}, ""},
		{ToolCommand, PermissionAsk{Command: "/bin/bash x"}, ""},
		{ToolCommand, PermissionAsk{Command: "A=b ls"}, ""},
		{ToolCommand, PermissionAsk{Command: "rm x"}, ""},
		{ToolEdit, PermissionAsk{Path: "/home/u/src/a.go"}, "/home/u/src|edits under ./"},
		{ToolEdit, PermissionAsk{Path: "/extra/a.go"}, "/extra|edits under /extra"},
		{ToolEdit, PermissionAsk{Path: "/home/u/other/a.go"}, "/home/u/other|edits under /home/u/other"},
		{ToolEdit, PermissionAsk{Path: "/home/u/.bashrc"}, ""},
		{ToolEdit, PermissionAsk{Path: "/home/u/src/.git/config"}, ""},
		{ToolEdit, PermissionAsk{Path: "/home/u/src/out/passwd"}, "/etc|edits under /etc"},
		{ToolEdit, PermissionAsk{Path: "/x"}, ""},
		{ToolEdit, PermissionAsk{}, ""},
		{ToolRead, PermissionAsk{Path: "/etc/passwd"}, "/etc|reads under /etc"},
		{ToolFetch, PermissionAsk{}, "|every use of T"},
		{ToolMCP, PermissionAsk{}, "|every use of T"},
	} {
		c.ask.Tool = "T"
		got := ""
		rules := p.SuggestRules(c.kind, c.ask)
		if len(rules) > 0 {
			got = rules[0].Pattern + "|" + rules[0].Label
		}
		if got != c.want {
			t.Errorf("%s %+v: %q, want %q", c.kind, c.ask, got, c.want)
		}
		for _, r := range rules {
			with := p
			with.Rules = []Rule{r}
			if ruling, _ := with.Decide(c.kind, c.ask); ruling != RulingAllow {
				t.Errorf("%+v does not allow %+v", r, c.ask)
			}
		}
	}
}

// TestDecideOnDisk looks at real files, as the policy does in earnest.
func TestDecideOnDisk(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work, outside := filepath.Join(root, "work"), filepath.Join(root, "outside")
	for _, dir := range []string{work, outside} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p := Policy{Mode: ModeAcceptEdits, Dirs: []string{work}}.OnDisk(os.Environ())
	check := func(want Ruling, names ...string) {
		t.Helper()
		path := filepath.Join(append([]string{work}, names...)...)
		if got, _ := p.Decide(ToolEdit, PermissionAsk{Tool: "Edit", Path: path}); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
	check(RulingAllow, "new.txt")
	check(RulingAllow, "new", "deep.txt")
	check(RulingAsk, ".git", "config")
	if os.Symlink(outside, filepath.Join(work, "out")) != nil || os.Symlink(filepath.Join(root, "gone"), filepath.Join(work, "dangling")) != nil {
		return // this system makes no links, so nobody can be led astray by one
	}
	check(RulingAsk, "out", "new.txt")
	check(RulingAsk, "dangling")
}
