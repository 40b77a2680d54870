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

// commandRules are what a user may have allowed, and what an older parley or a runtime may have offered.
func commandRules() []session.Rule {
	var rules []session.Rule
	for _, known := range programs {
		rules = append(rules, session.Rule{Tool: "Bash", Pattern: strings.Join(known.words, " ")})
	}
	for _, other := range []string{"", "go", "git", "python3.12", "pypy3", "gawk", "busybox", "busybox sh", "stdbuf", "chroot", "uv", "uv run",
		"systemd-run", "l?", "*", "echo", "npm run", "npm test", "make", "find", "env", "sudo", "xargs", "./x", "if", "ls\u00a0", " ls", "ls -la"} {
		rules = append(rules, session.Rule{Tool: "Bash", Pattern: other})
	}
	return rules
}

func rulingOn(p Policy, command string) Ruling {
	return p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: command}).Ruling
}

func TestCommandsThatRulesCover(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := testPolicy(session.ModeDefault, commandRules()...)
	for _, command := range []string{
		"ls", "ls -la", "ls -l sub", "ls\tsub", "ls a.go sub/new /home/u/src /extra", "pwd", "cat a.go", "head -20 a.go", "head -n 20 a.go",
		"wc -l a.go", "du -sh sub", "go test", "go test ./...", "go test -run TestX -count=1 ./...", "go test -v -race -timeout 30s parley/session",
		"go vet ./...", "git status", "git status --short", "git diff --stat", "git diff HEAD", "git log --oneline -5", "git log -n 3 main..side",
		"git show --stat HEAD", "git diff -- a.go",
	} {
		if got := rulingOn(p, command); got != Allow {
			t.Errorf("%q: %s", command, got)
		}
		if rules := testPolicy(session.ModeDefault).SuggestRules(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: command}); len(rules) != 1 ||
			!strings.HasPrefix(rules[0].Text, "command "+strings.Fields(command)[0]) || rules[0].Text != "command "+rules[0].Label {
			t.Errorf("%q: %+v is offered", command, rules)
		}
	}
}

// hostileLines are lines that no rule may cover, each tried where any of these rules was given.
func hostileLines() []string {
	lines := []string{
		"", " ", ";", " ; ", "\n", "ls ", " ls", "ls  sub", "ls \t sub", "ls\n", "ls\nls", "ls\r", "ls\rrm x", "ls\x00", "ls \x1b[2J", "ls \x7f",
		"lsof", "go testing", "go", "git", "l?", "*", "LS", "./ls", "/bin/ls", "ls;rm x", "ls; rm -rf /", "ls && rm x", "ls || rm x",
		"ls | sh", "ls|sh", "ls & rm x", "ls &", "ls `rm x`", "ls $(rm x)", "ls ${x:-y}", "ls $HOME", "ls $'\\x41'", "ls > /etc/passwd", "ls >x",
		"ls >>x", "ls < x", "ls <(rm x)", "ls 2>&1>x", "ls 2>&1", "ls 2>/dev/null", "ls >/dev/null touch X", "ls &>/dev/null touch X",
		"ls &> /dev/null touch X", "ls >&2 rm x", "ls 1>&2", "(ls)", "{ ls; }", "ls {a,b}", "ls \\\nrm", "ls \\a", "ls 'a;b'", "ls 'a'", `ls "a"`,
		"ls ';' rm", "PATH=/tmp ls", "A=b ls", "sudo ls", "'ls' x", "! ls", "ls !x", "!!", "if ls; then rm x; fi", "ls #x", "ls ~", "ls ~root/x", "ls *",
		"ls a?", "ls [ab]", "ls %1", "ls =sh", "ls ^x", "ls ^x^y", "coproc ls", "time ls", "exec ls", "command ls", "builtin ls", "eval ls",
		"ls -I x", "ls --color", "ls -RL out", "ls -L", "ls /", "ls /etc", "ls out", "ls out/passwd", "ls dangling", "ls ../other", "ls sub/../..", "ls ..",
		"cat /etc/passwd", "cat out/passwd", "cat ../other/x", "cat -", "head -c", "tail -f a.go", "tail -F a.go", "tail --follow=name a.go",
		"wc --files0-from=/etc/passwd", "du --files0-from=x", "du -L out", "pwd x",
		// programs that start what their arguments name
		"python3.12 x.py", "pypy3 x.py", "gawk 1", "busybox sh x", "stdbuf -o0 sh x", "chroot / sh", "uv run x", "systemd-run x", "echo x", "env ls",
		"npm run x", "npm test", "make", "find . -delete", "xargs ls", "./x", "if ls", "sort -o x a.go", "tree -o x", "file -C", "diff -l a.go a.go",
		"rg --pre sh x", "less a.go", "date -s x", "sh run.txt", "bash", "node x", "perl x",
		// options of go that run or write
		"go test -exec sh ./...", "go test -exec=sh ./...", "go test --exec sh", "go test -exec 'sh -c \"rm x\"' .", "go test -toolexec sh ./...",
		"go test -toolexec=sh", "go test -o x", "go test -o=x", "go test -c", "go test -c=true", "go test -cpuprofile x", "go test -cpuprofile=x",
		"go test -coverprofile=x", "go test -coverprofile x", "go test -memprofile=x", "go test -blockprofile=x", "go test -mutexprofile=x",
		"go test -trace x", "go test -trace=x", "go test -outputdir x", "go test -outputdir=x", "go test -C /etc", "go test -C=/etc",
		"go test -ldflags=-X", "go test -ldflags -X", "go test -gcflags=x", "go test -asmflags=x", "go test -gccgoflags=x", "go test -compiler=gccgo",
		"go test -overlay=x.json", "go test -modfile=x.mod", "go test -mod=mod", "go test -pkgdir=x", "go test -vettool=x", "go test -vet=all",
		"go test -fuzz=F", "go test -fuzz F", "go test -args x", "go test . -args -test.cpuprofile=x", "go test -test.cpuprofile=x",
		"go test --test.cpuprofile=x", "go test -x", "go test -n", "go test -a", "go test -work", "go test -i", "go test -tags=x", "go test -testlogfile=x",
		"go test -artifacts", "go test -unknown", "go test --", "go test /tmp/x_test.go", "go test ../other", "go test ./../other/...",
		"go test -run -exec=sh", "go vet -vettool=x ./...", "go vet -C x", "go vet -json", "go build ./...", "go run x.go", "go generate", "go env -w A=b",
		"go install", "go tool x",
		// options of git that run or write
		"git -c core.fsmonitor=x status", "git -C sub status", "git --git-dir=x status", "git --exec-path=x status", "git st", "git push", "git commit",
		"git fetch", "git checkout x", "git branch -D x", "git config a.b c", "git grep -O sh x", "git bisect run sh", "git diff --ext-diff",
		"git diff --output=x", "git diff --output x", "git diff --textconv", "git diff --no-index a.go out/passwd", "git diff /etc/passwd a.go",
		"git diff ../other a.go", "git log --output=x", "git log -p --ext-diff", "git log --show-signature", "git show --textconv x", "git show --output=x",
		"git log -O x", "git log -Gx", "git status -v -v --ignore-submodules", "git rebase --exec x", "git submodule foreach x", "git help -w x", "git",
	}
	for _, blank := range oddBlanks() {
		lines = append(lines, "ls"+blank+"/../../../../bin/sh run.txt", "ls"+blank+"sub", "go"+blank+"test", "ls sub"+blank, blank+"ls", "ls "+blank+" sub",
			"ls"+blank, "go test"+blank+"-exec sh")
	}
	for r := rune(0x80); r < 0x250; r++ {
		lines = append(lines, "ls a"+string(r)+"b")
	}
	return append(lines, "ls \xff", "ls \xc2", "ls \xe2\x80", "ls \xed\xa0\x80")
}

// oddBlanks are characters that look like nothing or a blank, and that no shell takes for one.
func oddBlanks() []string {
	var all []string
	for _, r := range []rune{'\v', '\f', 0x1c, 0x1d, 0x1e, 0x1f, 0x85, 0xa0, 0xad, 0x1680, 0x180e, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
		0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x200b, 0x200c, 0x200d, 0x200e, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x2800, 0x3000, 0x3164,
		0x115f, 0xffa0, 0xfeff, 0xe0020} {
		all = append(all, string(r))
	}
	return all
}

func TestHostileCommandsAreAsked(t *testing.T) {
	p := testPolicy(session.ModeDefault, commandRules()...)
	for _, command := range hostileLines() {
		if got := rulingOn(p, command); got != Ask {
			t.Errorf("%q: %s", command, got)
		}
		if rules := testPolicy(session.ModeDefault).SuggestRules(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: command}); len(rules) > 0 {
			t.Errorf("%q: %+v is offered", command, rules)
		}
	}
}

func TestRulesCoverNothingThatIsNotSure(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	unsure := map[string]func(*Policy){
		"another tool's rule":        func(p *Policy) { p.Rules = readRules([]session.Rule{{Tool: "Other", Pattern: "git status"}}) },
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
	}
	for name, spoil := range unsure {
		p := testPolicy(session.ModeDefault, commandRules()...)
		if got := rulingOn(p, "git status"); got != Allow {
			t.Fatal(got)
		}
		spoil(&p)
		if got := rulingOn(p, "git status"); got != Ask {
			t.Errorf("%s: %s", name, got)
		}
	}
	p := testPolicy(session.ModeDefault, commandRules()...)
	p.Base = ""
	for command, want := range map[string]Ruling{"ls": Allow, "ls sub": Ask, "ls /home/u/src/sub": Allow, "go test ./...": Allow} {
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

// Whatever is covered consists of plain words between single blanks, and begins with the words of a rule.
func FuzzCoveredCommands(f *testing.F) {
	for _, line := range hostileLines() {
		f.Add(line)
	}
	f.Add("go test ./...")
	f.Add("git log --oneline -5")
	rules := commandRules()
	p := testPolicy(session.ModeDefault, rules...)
	f.Fuzz(func(t *testing.T, line string) {
		if rulingOn(p, line) != Allow {
			return
		}
		for i := range len(line) {
			c := line[i]
			if c < ' ' && c != '\t' || c > '~' || strings.IndexByte("|&;<>()$`\\\"'*?[]#~%!{}^", c) >= 0 {
				t.Fatalf("%q has %q in it", line, c)
			}
		}
		words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
		if len(strings.Join(words, " ")) != len(line) {
			t.Fatalf("%q has more than single blanks between its words", line)
		}
		if !slices.ContainsFunc(programs, func(known *program) bool {
			return strings.HasPrefix(strings.Join(words, " ")+" ", strings.Join(known.words, " ")+" ")
		}) {
			t.Fatalf("%q begins with no program of the list", line)
		}
		for _, w := range words {
			if w[0] == '=' || slices.Contains(strings.Split(w, "/"), "..") {
				t.Fatalf("%q has the word %q", line, w)
			}
		}
	})
}
