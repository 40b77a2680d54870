package permission

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// TestScriptsAreOfferedWhileUnchanged offers for a line that runs scripts this very line, for the session, while they are unchanged,
// and nothing for what runs its input or a file that cannot be compared.
func TestScriptsAreOfferedWhileUnchanged(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := testPolicy(session.ModeDefault)
	for line, names := range map[string]string{
		"sh check.sh": "check.sh", "bash -eu scripts/check.sh --all": "check.sh", "python3 x.py": "x.py", "python3.12 -u x.py a": "x.py", "node x.js": "x.js",
		"./run": "run", "./run --all a": "run", "sub/run": "run", "/home/u/src/run": "run", "/bin/bash x": "x", "timeout 5 sh check.sh": "check.sh", "ksh ./x": "x",
		"sh check.sh 2>&1 | tail -5": "check.sh", "cat a.go | python3 y.py": "y.py", "sh a.sh && go test ./... && sh b.sh": "a.sh b.sh", "sh a.sh; sh a.sh": "a.sh",
		"cd sub && sh check.sh": "check.sh", "sh check.sh > out.txt": "", "cp x check.sh && sh check.sh": "", "echo x > check.sh; sh check.sh": "",
		"sh gone.sh": "", "sh ../x.sh": "", "sh /etc/x.sh": "", "sh out/x.sh": "", "../run": "", "/etc/run": "", "sh": "", "sh -": "", "sh -s x": "", "python3": "", "python3 -": "",
		"python3 -m -x": "", "sh $X": "", "sh ~/x.sh": "", "sh /dev/stdin": "", "bash /proc/self/fd/0": "", "perl -I x": "", "sudo sh x.sh": "", "xargs sh x.sh": "", "bash --rcfile x y": "",
		"GIT_DIR=x sh x.sh": "", "ksh x": "", "/bin/sh": "", "sh *.sh": "", "$X/run": "", "sh check.sh && rm -rf x": "", "sh check.sh && ./made && $X": "",
	} {
		ask := session.PermissionAsk{Tool: "Bash", Command: line}
		offers := p.SuggestRules(toolview.Command, ask)
		if names == "" {
			if len(offers) > 0 && strings.HasPrefix(offers[0].Text, "script ") {
				t.Errorf("%s: %+v", line, offers)
			}
			continue
		}
		if len(offers) != 1 || !strings.HasPrefix(offers[0].Text, "script ") || !slices.Equal(offers[0].Unchanged, strings.Fields(names)) ||
			!slices.Equal(offers[0].Lasts(), []session.Scope{session.ScopeSession}) || !slices.Equal(offers[0].Names, []string{"exactly this"}) {
			t.Errorf("%s: %+v, want %s", line, offers, names)
			continue
		}
		with := p.with(ReadRules(offers[0])...)
		changed := with
		changed.Digest = func(string, string) (string, bool) { return strings.Repeat("0", 64), true }
		unknown := with
		unknown.Digest = nil
		for what, c := range map[string]struct {
			p    Policy
			line string
			want Ruling
		}{"the line": {with, line, Allow}, "more": {with, line + " --force", Ask}, "another": {with, "sh other.sh", Ask}, "elsewhere": {with, "cd sub && cd .. && cd sub && " + line, Ask},
			"a changed script": {changed, line, Ask}, "no digests": {unknown, line, Ask}} {
			if d := c.p.Decide(toolview.Command, session.PermissionAsk{Command: c.line}); d.Ruling != c.want {
				t.Errorf("%s, %s: %+v", line, what, d)
			}
		}
		elsewhere := with
		elsewhere.Base = "/extra"
		if d := elsewhere.Decide(toolview.Command, session.PermissionAsk{Command: line}); d.Ruling == Allow && !strings.Contains(line, "/home") {
			t.Errorf("%s is allowed in another directory", line)
		}
	}
}

// TestScriptsAreNeverKept grants a rule for a script in the session alone, whatever an answer says, and reads no such rule elsewhere.
func TestScriptsAreNeverKept(t *testing.T) {
	text := "script " + strings.Repeat("a", 64) + ` "/repos/x.sh" -- sh x.sh`
	ask := &session.PermissionAsk{Tool: "Bash", Command: "sh x.sh", Rules: []session.Rule{{Text: text}}}
	for scope, want := range map[session.Scope]int{session.ScopeSession: 1, session.ScopeProject: 0, session.ScopeGlobal: 0} {
		if runtime.GOOS == "windows" { // whose absolute paths are others
			want = 0
		}
		if got := GrantedBy(ask, session.Answer{Decision: session.Allow, Scope: scope}, scope); len(got) != want {
			t.Errorf("%s: %+v", scope, got)
		}
	}
	if r, err := ParseRule(text); err == nil {
		t.Errorf("a file may have the rule %+v", r)
	}
	for _, bad := range []string{"script", "script x -- sh", `script ` + strings.Repeat("a", 64) + ` "x.sh" -- sh x.sh`, `script -- sh x.sh`, `script ` + strings.Repeat("a", 63) + ` "/x.sh" -- sh`,
		`script ` + strings.Repeat("a", 64) + ` "/x.sh" sh x.sh`, `script ` + strings.Repeat("a", 64) + ` "/x.sh" -- `, "script " + strings.Repeat("a", 64) + " \"/x.sh\" -- a\nb"} {
		if got := ReadRules(session.Rule{Text: bad}); got != nil {
			t.Errorf("%q is read as %+v", bad, got)
		}
	}
}

// TestScriptsAreComparedOnDisk compares regular files of a bounded size that lie in the session's directories.
func TestScriptsAreComparedOnDisk(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(root, "work")
	write := func(name, text string) string {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	in, out := write("work/check.sh", "true\n"), write("outside.sh", "true\n")
	p := Policy{Dirs: []string{work}}.OnDisk(os.Environ())
	first, ok := p.digestOf(in)
	if !ok || len(first.digest) != 64 || first.path != in {
		t.Fatalf("%+v %v", first, ok)
	}
	write("work/check.sh", "false\n")
	if again, ok := p.digestOf(in); !ok || again == first {
		t.Errorf("after a change: %+v", again)
	}
	for _, path := range []string{out, work, filepath.Join(work, "none.sh"), write("work/large.sh", strings.Repeat("x", maxScript+1))} {
		if pin, ok := p.digestOf(path); ok {
			t.Errorf("%s: %+v", path, pin)
		}
	}
	link := filepath.Join(work, "link.sh")
	if os.Symlink(out, link) != nil {
		return // this system makes no links
	}
	if pin, ok := p.digestOf(link); ok {
		t.Errorf("a link out: %+v", pin)
	}
}
