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

// shells are those that lines are judged for.
var shells = []string{"bash", "sh", "zsh", "any"}

// withRules returns the test policy with rules that allow.
func withRules(t testing.TB, texts ...string) Policy {
	t.Helper()
	p := testPolicy(session.ModeDefault)
	for _, text := range texts {
		r, err := ParseRule(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		p.Rules = append(p.Rules, r)
	}
	return p
}

func rulingOn(p Policy, command string) Ruling {
	return p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: command}).Ruling
}

func TestSafeCommandsNeedNoRule(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	for _, command := range []string{
		"ls", "ls -la", "ls -l sub", "ls\tsub", "ls a.go sub/new /home/u/src /extra", "pwd", "cat a.go", "head -20 a.go", "head -n 20 a.go",
		"wc -l a.go", "du -sh sub", "git status", "git status --short", "git diff --stat", "git diff HEAD", "git log --oneline -5", "git log -n 3 main..side",
		"git show --stat HEAD", "git diff -- a.go", "ls ", " ls", "ls  sub", "ls;ls", "ls; pwd", "ls && pwd || ls", "ls | wc -l", "(ls)", "{ ls; }", "! ls",
		"ls\nls", "ls 2>/dev/null", "ls >/dev/null 2>&1", "'ls' 'a.go'", `ls "a.go"`, "echo 'a;b'", "if ls sub; then cat a.go; fi", "cat < a.go",
		"for f in a b; do echo x; done", "while false; do ls; done", "cd sub && ls", "cd /home/u/src/sub; cat x", "cat <<'EOF'\n$(rm x)\nEOF", "echo $(ls)",
		"grep -rn 'a|b' sub", "grep -e -x a.go", "find . -name '*.go' -type f", "sed -n '1,20p' a.go", "sed 's/a/b/g;2d' a.go", "awk '{print $1}' a.go", "sort a.go | uniq -c | sort -rn",
		"cat a.go | head -5 | tail -1", "test -f a.go && echo yes", "[ -d sub ] || echo no", "true", "command -v go", "ls \\\n -l", "LC_ALL=C ls", "git log --oneline | head", "printf '%s\\n' x",
		"timeout 5 ls", "nice -n 5 ls", "git -P log -3", "rg -n foo sub", "rg --files", "jq .a a.json", "git branch", "tree -L 2", "diff a.go sub/b.go", "date +%s", "which go",
	} {
		for _, name := range shells {
			if (name == "zsh" || name == "any") && strings.ContainsAny(command, "!") {
				continue
			}
			p := testPolicy(session.ModeDefault)
			p.Shell = name
			d := p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: command})
			if d.Ruling != Allow || d.Rule == nil || d.Rule.Origin != FromParley {
				t.Errorf("%s: %q: %s %q %+v", name, command, d.Ruling, d.Reason, d.Parts)
			}
			p.Mode = session.ModePlan
			if got := rulingOn(p, command); got != Allow {
				t.Errorf("%s, plan mode: %q: %s", name, command, got)
			}
			p.Locked = "The rules cannot be read."
			for _, p.Mode = range []session.Mode{session.ModeDefault, session.ModeAcceptEdits, session.ModeBypass} {
				if d := p.Decide(toolview.Command, session.PermissionAsk{Command: command}); d.Ruling != Ask || d.Reason != p.Locked {
					t.Errorf("%s, locked, %s: %q: %s %q", name, p.Mode, command, d.Ruling, d.Reason)
				}
			}
		}
	}
}

func TestRulesCoverNothingThatIsNotSure(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	unsure := map[string]func(*Policy){
		"programs that nobody finds": func(p *Policy) { p.Programs = func(string) []string { return nil } },
		"no way to find programs":    func(p *Policy) { p.Programs = nil },
		"a program of the directory": func(p *Policy) {
			p.Programs = func(string) []string { return []string{"/bin/git", "/home/u/src/a.go"} }
		},
		"a program behind a link":     func(p *Policy) { p.Programs = func(string) []string { return []string{"/link/a.go"} } },
		"a program nobody can follow": func(p *Policy) { p.Programs = func(string) []string { return []string{"/home/u/src/dangling"} } },
		"a relative program":          func(p *Policy) { p.Programs = func(string) []string { return []string{"git"} } },
		"a repository that changed":   func(p *Policy) { p.Git = func() bool { return false } },
		"no way to see repositories":  func(p *Policy) { p.Git = nil },
		"a shell nobody knows":        func(p *Policy) { p.Shell = "fish" },
		"no shell":                    func(p *Policy) { p.Shell = "" },
		"rules that cannot be read":   func(p *Policy) { p.Locked = "x" },
	}
	for name, spoil := range unsure {
		p := withRules(t, "command git add *", "command git commit *")
		for _, command := range []string{"git add a.go", "git commit -m x"} {
			if got := rulingOn(p, command); got != Allow {
				t.Fatal(got)
			}
			spoiled := p
			spoil(&spoiled)
			if got := rulingOn(spoiled, command); got != Ask {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
	p := withRules(t, "command go test *")
	p.Base = ""
	for command, want := range map[string]Ruling{"ls": Allow, "ls sub": Ask, "ls /home/u/src/sub": Allow, "go test ./...": Allow, "git status": Ask, "grep -r x": Ask,
		"cd sub; ls": Ask} {
		if got := rulingOn(p, command); got != want {
			t.Errorf("%q where commands begin anywhere: %s", command, got)
		}
	}
}

func TestProgramsAreLookedUpAsAShellDoes(t *testing.T) {
	if runtime.GOOS == "windows" {
		if got := programsIn(os.Environ(), "cmd"); got != nil {
			t.Errorf("%q", got)
		}
		return
	}
	one, two := t.TempDir(), t.TempDir()
	for _, dir := range []string{one, two} {
		if err := os.WriteFile(filepath.Join(dir, "ls"), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string][]string{
		one + ":" + two: {filepath.Join(one, "ls"), filepath.Join(two, "ls")}, one: {filepath.Join(one, "ls")}, "": nil, one + ":": nil, "bin:" + one: nil,
		one + "::" + two: nil, ".:" + one: nil, filepath.Join(one, "none"): nil,
	} {
		if got := programsIn([]string{"PATH=/bin", "PATH=" + path, "XPATH=" + one}, "ls"); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
