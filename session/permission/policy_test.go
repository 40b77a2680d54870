package permission

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission/disk"
	"parley/session/toolview"
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
	if dir, err := f.resolve(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	_, ok := f[path]
	return ok
}

// readRules returns the rules of a list that allow something.
func readRules(list []session.Rule) []Rule {
	var rules []Rule
	for _, kept := range list {
		if r, ok := ReadRule(kept); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

func testPolicy(mode session.Mode, rules ...session.Rule) Policy {
	f := tree{"/": "", "/home": "", "/home/u": "", "/home/u/src": "", "/home/u/src/a.go": "", "/home/u/src/.git": "",
		"/home/u/src/sub": "", "/home/u/src/out": "/etc", "/home/u/src/dangling": "/nowhere/x", "/home/u/src/self": "/home/u/src/self",
		"/home/u/src/back": "/home/u/src/sub", "/home/u/other": "", "/home/u/.ssh": "", "/home/u/.bashrc": "", "/etc": "", "/etc/passwd": "",
		"/extra": "", "/link": "/home/u/src", "/bin": ""}
	for _, name := range []string{"ls", "cat", "pwd", "go", "git", "head", "tail", "wc", "du"} {
		f["/bin/"+name] = ""
	}
	return Policy{Mode: mode, Dirs: []string{"/home/u/src", "/extra"}, Rules: readRules(rules), Home: "/home/u", Base: "/home/u/src", Shell: "bash",
		Disk: disk.Disk{Resolve: f.resolve, Exists: f.exists}, Git: func() bool { return true },
		Filters: func(string) ([]string, bool) { return nil, true }, Remotes: func(string) []string { return []string{"origin", "upstream"} },
		Digest: func(_, name string) (string, bool) {
			sum := sha256.Sum256([]byte(name))
			return hex.EncodeToString(sum[:]), !strings.Contains(name, "gone")
		},
		Programs: func(name string) []string { return []string{"/bin/" + name} }}
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
		{"/home/u/src/a.go", Allow, Allow},
		{"/home/u/src/new.go", Allow, Allow},
		{"/home/u/src/new/deep/er.go", Allow, Allow},
		{"/home/u/src", Allow, Allow},
		{"/extra/x", Allow, Allow},
		{"/link/a.go", Allow, Allow}, // leads into the directory
		{"/home/u/src/back/x", Allow, Allow},
		{"/home/u/src/../other/x", Ask, Ask},
		{"/home/u/src/sub/../a.go", Ask, Ask}, // not worth being clever
		{"/home/u/src/out/passwd", Ask, Ask},
		{"/home/u/src/out/new", Ask, Ask},
		{"/home/u/src/dangling", Ask, Ask},
		{"/home/u/src/dangling/x", Ask, Ask},
		{"/home/u/src/self", Ask, Ask},
		{"/home/u/srcery/x", Ask, Ask},
		{"/home/u/SRC/a.go", Ask, Ask},
		{"/etc/passwd", Ask, Ask},
		{"/", Ask, Ask},
		{"a.go", Ask, Ask},
		{"", Allow, Ask},
		{"/home/u/src/a\x00.go", Ask, Ask},
		{"/home/u/src/.git/hooks/pre-commit", Allow, Ask},
		{"/home/u/src/.GIT/config", Allow, Ask},
		{"/home/u/src/sub/.git", Allow, Ask},
		{"/home/u/src/.g\u200cit/config", Allow, Ask},
		{"/home/u/src/git~1/config", Allow, Ask},
		{"/home/u/src/.git. /config", Allow, Ask},
		{"/home/u/src/.git::$INDEX_ALLOCATION/config", Allow, Ask},
		{"/home/u/src/.gitignore", Allow, Allow},
		{"/home/u/src/.env", Allow, Allow},
		{"/home/u/.ssh/authorized_keys", Ask, Ask},
		{"/home/u/.bashrc", Ask, Ask},
	} {
		ask := session.PermissionAsk{Tool: "Edit", Path: c.path}
		if got := testPolicy(session.ModeDefault).Decide(toolview.Read, ask).Ruling; got != c.read {
			t.Errorf("read %q: %s", c.path, got)
		}
		if got := testPolicy(session.ModeAcceptEdits).Decide(toolview.Edit, ask).Ruling; got != c.edit {
			t.Errorf("edit %q: %s", c.path, got)
		}
		if got := testPolicy(session.ModeDefault).Decide(toolview.Edit, ask).Ruling; got != Ask {
			t.Errorf("edit %q in default mode: %s", c.path, got)
		}
		// A rule for everything opens neither .git nor the user's dot-files, and follows no link into the dark.
		all := testPolicy(session.ModeDefault, session.Rule{Tool: "Edit"})
		if got := all.Decide(toolview.Edit, ask).Ruling; got == Allow && (isGitPath(c.path) || strings.HasPrefix(c.path, "/home/u/.") ||
			strings.Contains(c.path, "dangling") || strings.Contains(c.path, "self")) {
			t.Errorf("edit %q under a rule: %s", c.path, got)
		}
	}
	home := testPolicy(session.ModeAcceptEdits)
	home.Dirs = []string{"/home/u"}
	if got := home.Decide(toolview.Edit, session.PermissionAsk{Path: "/home/u/.bashrc"}).Ruling; got != Ask {
		t.Errorf("a dot-file of a session in the home directory: %s", got)
	}
	folds := testPolicy(session.ModeAcceptEdits)
	folds.Disk.FoldCase = true
	folds.Disk.Resolve = func(p string) (string, error) { return p, nil }
	if got := folds.Decide(toolview.Edit, session.PermissionAsk{Path: "/HOME/u/src/A.go"}).Ruling; got != Allow {
		t.Errorf("another case of the same directory: %s", got)
	}
	if got := (Policy{Mode: session.ModeAcceptEdits, Dirs: []string{"/home/u/src"}}).Decide(toolview.Edit, session.PermissionAsk{Path: "/home/u/src/a.go"}).Ruling; got != Ask {
		t.Errorf("without a way to resolve: %s", got)
	}
}

func isGitPath(p string) bool {
	for _, name := range strings.Split(p, "/") {
		if disk.IsGit(name) {
			return true
		}
	}
	return false
}

func TestDecideModes(t *testing.T) {
	ask := session.PermissionAsk{Tool: "X", Command: "rm -rf /", Path: "/etc/passwd"}
	for kind, want := range map[toolview.Kind][4]Ruling{ // default, acceptEdits, plan, bypass
		toolview.Read:    {Ask, Ask, Ask, Allow},
		toolview.Search:  {Ask, Ask, Ask, Allow},
		toolview.Edit:    {Ask, Ask, Deny, Allow},
		toolview.Command: {Ask, Ask, Deny, Allow},
		toolview.Fetch:   {Ask, Ask, Deny, Allow},
		toolview.Agent:   {Ask, Ask, Deny, Allow},
		toolview.MCP:     {Ask, Ask, Deny, Allow},
		toolview.Other:   {Ask, Ask, Deny, Allow},
		toolview.Ask:     {Allow, Allow, Allow, Allow},
		toolview.Plan:    {Allow, Allow, Allow, Allow},
		"unheard of":     {Ask, Ask, Deny, Allow},
	} {
		for i, mode := range []session.Mode{session.ModeDefault, session.ModeAcceptEdits, session.ModePlan, session.ModeBypass} {
			d := testPolicy(mode).Decide(kind, ask)
			got, why := d.Ruling, d.Reason
			if got != want[i] || got == Deny && why == "" {
				t.Errorf("%s in %s: %s %q", kind, mode, got, why)
			}
		}
	}
	if got := testPolicy("").Decide(toolview.Edit, ask).Ruling; got != Ask {
		t.Errorf("no mode: %s", got)
	}
}

func TestSuggestRules(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := testPolicy(session.ModeDefault)
	for _, c := range []struct {
		kind toolview.Kind
		ask  session.PermissionAsk
		want string // the first rule
	}{
		{toolview.Command, session.PermissionAsk{Command: "go test ./..."}, "command go test *"},
		{toolview.Command, session.PermissionAsk{Command: "ls -la"}, "command ls *"},
		{toolview.Command, session.PermissionAsk{Command: "git status"}, "command git status *"},
		{toolview.Command, session.PermissionAsk{Command: "make"}, "command make"},
		{toolview.Command, session.PermissionAsk{Command: "git -c x=y log"}, "command git -c x=y log"},
		{toolview.Command, session.PermissionAsk{Command: "npm run test:unit"}, "command npm run test:unit *"},
		{toolview.Command, session.PermissionAsk{Command: "ls; ls"}, ""},
		{toolview.Command, session.PermissionAsk{Command: "ls > x"}, "edit **"},
		{toolview.Command, session.PermissionAsk{Command: "sudo ls"}, ""},
		{toolview.Command, session.PermissionAsk{Command: "A=b ls"}, ""},
		{toolview.Command, session.PermissionAsk{Command: "rm x"}, "command rm x"},
		{toolview.Command, session.PermissionAsk{Command: "find . -delete"}, ""},
		{toolview.Command, session.PermissionAsk{Command: "sed 's/a/b/w .envrc' a.go"}, ""},
		{toolview.Command, session.PermissionAsk{Command: "go test -exec ./x"}, "command go test -exec ./x"},
		{toolview.Command, session.PermissionAsk{Command: "timeout 5 touch x"}, "command touch x"},
		{toolview.Command, session.PermissionAsk{Command: "prlimit touch x"}, "command prlimit touch x"},
		{toolview.Edit, session.PermissionAsk{Path: "/home/u/src/a.go"}, "edit **"},
		{toolview.Edit, session.PermissionAsk{Path: "/home/u/src/sub/deep/a.go"}, "edit sub/deep/**"},
		{toolview.Edit, session.PermissionAsk{Path: "/extra/a.go"}, "edit /extra/**"},
		{toolview.Edit, session.PermissionAsk{Path: "/home/u/other/a.go"}, ""},
		{toolview.Edit, session.PermissionAsk{Path: "/home/u/.bashrc"}, ""},
		{toolview.Edit, session.PermissionAsk{Path: "/home/u/src/.git/config"}, ""},
		{toolview.Edit, session.PermissionAsk{Path: "/home/u/src/out/passwd"}, ""},
		{toolview.Edit, session.PermissionAsk{Path: "/x"}, ""},
		{toolview.Edit, session.PermissionAsk{}, ""},
		{toolview.Read, session.PermissionAsk{Path: "/etc/passwd"}, "read /etc/**"},
		{toolview.Fetch, session.PermissionAsk{}, "tool T"},
		{toolview.MCP, session.PermissionAsk{}, "tool T"},
	} {
		c.ask.Tool = "T"
		got := ""
		rules := p.SuggestRules(c.kind, c.ask)
		if len(rules) > 0 {
			got = rules[0].Text
		}
		if got != c.want {
			t.Errorf("%s %+v: %q, want %q", c.kind, c.ask, got, c.want)
		}
		for _, r := range rules {
			with := p
			with.Rules = readRules([]session.Rule{r})
			if ruling := with.Decide(c.kind, c.ask).Ruling; ruling != Allow {
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
	p := Policy{Mode: session.ModeAcceptEdits, Dirs: []string{work}}.OnDisk(os.Environ())
	check := func(want Ruling, names ...string) {
		t.Helper()
		path := filepath.Join(append([]string{work}, names...)...)
		if got := p.Decide(toolview.Edit, session.PermissionAsk{Tool: "Edit", Path: path}).Ruling; got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
	check(Allow, "new.txt")
	check(Allow, "new", "deep.txt")
	check(Ask, ".git", "config")
	if os.Symlink(outside, filepath.Join(work, "out")) != nil || os.Symlink(filepath.Join(root, "gone"), filepath.Join(work, "dangling")) != nil {
		return // this system makes no links, so none can mislead
	}
	check(Ask, "out", "new.txt")
	check(Ask, "dangling")
}
