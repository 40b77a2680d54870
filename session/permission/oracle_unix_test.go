//go:build unix

package permission

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/permission/program"
	"parley/session/toolview"
)

// oracle runs lines that the policy allows in real shells, in a directory with two files, with a PATH of programs that only
// record how they were called. It is not the judge: it sees what a shell made of the line.
type oracle struct {
	work, log string
	shells    map[string]string // what Policy.Shell calls it, to the program
	policy    Policy
}

// oracleRules are those of a user who allows much. Only these programs and the safe ones may be called.
var oracleRules = []string{"command go test *", "command make *", "command unk *", "command git *", "command find *", "command npm *", "command npm run lint *",
	"command tar *", "command sed *", "command awk *", "command sort *", "command curl *"}

// oraclePrograms are those that the PATH has. The last ones may not be called by any line.
var oraclePrograms = strings.Fields("ls cat head wc grep sort uniq sed awk find git go make npm unk tar curl sleep tr cut timeout nice nohup stdbuf " +
	"evil sh bash dash zsh python3 env xargs rm touch tee sudo node time coproc function x a")

func newOracle(t testing.TB) *oracle {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := &oracle{work: filepath.Join(root, "work"), log: filepath.Join(root, "log"), shells: map[string]string{}}
	bin := filepath.Join(root, "bin")
	for _, dir := range []string{filepath.Join(o.work, "sub"), bin} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a.go", "sub/b", "-exec", "--output=z"} {
		if err := os.WriteFile(filepath.Join(o.work, name), []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	record := "#!/bin/sh\n{ printf '%s\\001' \"${0##*/}\" \"$@\"; printf '\\002'; } >>'" + o.log + "'\n"
	for _, name := range oraclePrograms {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(record), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"bash", "dash", "zsh"} {
		path, err := exec.LookPath(name)
		if err != nil && name == "dash" {
			path, err = exec.LookPath("sh")
		}
		if err != nil {
			t.Logf("%s is not installed: its lines are not run", name)
			continue
		}
		o.shells[map[string]string{"bash": "bash", "dash": "sh", "zsh": "zsh"}[name]] = path
	}
	if len(o.shells) < 2 {
		t.Fatalf("only %v to run lines in: install bash and dash", o.shells)
	}
	o.policy = Policy{Mode: session.ModeDefault, Dirs: []string{o.work}, Base: o.work, Home: filepath.Join(root, "home"), Git: func() bool { return true }}.
		OnDisk([]string{"PATH=" + bin})
	o.policy.Rules = withRules(t, oracleRules...).Rules
	return o
}

// check runs a line in each shell for which it is allowed, and reports how many those are.
func (o *oracle) check(t testing.TB, line string) (ran int) {
	t.Helper()
	if strings.Contains(line, "while") || strings.Contains(line, "until") {
		return 0 // it may run for ever
	}
	quietly, _ := program.GitQuietly()
	for name, path := range o.shells {
		p := o.policy
		p.Shell = name
		d := p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line})
		if d.Ruling != Allow {
			continue
		}
		ran++
		_ = os.Remove(o.log)
		before := o.listing(t)
		ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
		cmd := exec.CommandContext(ctx, path, "-c", cmp.Or(d.Run, line))
		cmd.Dir, cmd.Env = o.work, []string{"PATH=" + filepath.Join(filepath.Dir(o.work), "bin"), "HOME=" + p.Home}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		out, _ := cmd.CombinedOutput()
		stop()
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left in the background
		if after := o.listing(t); after != before {
			t.Errorf("%s: %q changed files: %s, was %s", name, line, after, before)
		}
		for _, argv := range o.recorded(t) {
			if argv[0] == "git" { // without the settings of ours
				argv = slices.DeleteFunc(argv, func(a string) bool { return slices.Contains(quietly, a) })
			}
			if why := unnamed(argv); why != "" {
				t.Errorf("%s: %q called %q: %s\n%s", name, line, argv, why, out)
			}
		}
	}
	return ran
}

// unnamed returns why a call is one that no rule names.
func unnamed(argv []string) string {
	has := func(words string) bool {
		return slices.ContainsFunc(argv[1:], func(a string) bool {
			name, _, _ := strings.Cut(a, "=")
			return slices.Contains(strings.Fields(words), name)
		})
	}
	switch name := argv[0]; name {
	case "ls", "cat", "head", "wc", "grep", "uniq", "sleep", "tr", "cut", "timeout", "nice", "nohup", "stdbuf", "time", "env":
	case "go":
		if len(argv) < 2 || argv[1] != "test" && argv[1] != "version" && argv[1] != "env" || has("-exec --exec -o -toolexec -C -c -args") {
			return "not go test, or more than it"
		}
	case "unk":
		if has("--exec -exec --output -o -c -e --config") {
			return "an option that starts or writes"
		}
		if slices.ContainsFunc(argv[1:], func(a string) bool {
			return strings.Contains(a, "/etc") || strings.Contains(a, "../") || strings.Contains(a, "/home")
		}) {
			return "a file outside"
		}
	case "git":
		if len(argv) > 1 && strings.HasPrefix(argv[1], "-") && argv[1] != "-C" && argv[1] != "--version" || has("--output --ext-diff --exec-path -x --upload-pack config bisect") {
			return "an option that starts or writes"
		}
	case "find":
		if has("-exec -delete -fprint -ok") {
			return "an action"
		}
	case "sort":
		if has("-o --output --compress-program") {
			return "an option that writes"
		}
	case "make":
		if has("SHELL --eval -f -C PATH IFS") {
			return "an option that starts something"
		}
	case "npm":
		if len(argv) > 1 && (slices.Contains([]string{"exec", "x", "install"}, argv[1]) || argv[1] == "run" && (len(argv) < 3 || argv[2] != "lint" && !strings.HasPrefix(argv[2], "-"))) {
			return "a script that no rule names"
		}
	case "tar", "curl":
		if has("-I --to-command -o -O --output -K -x") {
			return "an option that starts or writes"
		}
	case "sed":
		if has("-i -f") || len(argv) > 1 && strings.HasSuffix(argv[1], "e") {
			return "a script that runs or writes something"
		}
	case "awk":
		if has("-f -i") || len(argv) > 1 && strings.Contains(argv[1], "system") {
			return "a program that runs something"
		}
	default:
		return "a program that no rule names"
	}
	if slices.ContainsFunc(argv[1:], func(a string) bool { return strings.HasPrefix(a, "/etc") || strings.HasPrefix(a, "../") }) && slices.Contains([]string{"cat", "ls", "head", "wc", "sort", "cut"}, argv[0]) {
		return "a file outside"
	}
	return ""
}

func (o *oracle) recorded(t testing.TB) [][]string {
	data, err := os.ReadFile(o.log)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var calls [][]string
	for call := range strings.SplitSeq(string(data), "\x02") {
		if call != "" {
			calls = append(calls, strings.Split(strings.TrimSuffix(call, "\x01"), "\x01"))
		}
	}
	return calls
}

func (o *oracle) listing(t testing.TB) string {
	var all strings.Builder
	err := filepath.WalkDir(filepath.Dir(o.work), func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != o.log && !d.IsDir() {
			info, err := d.Info()
			if err != nil {
				return err
			}
			fmt.Fprint(&all, path, " ", info.Size(), " ", info.ModTime().UnixNano(), "\n")
		} else if d != nil && d.IsDir() {
			fmt.Fprintln(&all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// fragments are what lines are made of.
var fragments = []string{"ls", "cat a.go", "go test", "go test ./...", "make", "unk", "unk a", "git log", "git commit -m", "npm run lint", "npm", "find . -name", "evil", "evil",
	"echo", "echo evil", "sort a.go", "sed -n 1p", "awk", "'{print $1}'", "a.go", "sub", "sub/b", "-exec", "-exec evil", "-o", "-o z", "--output=z", "--exec=evil", "z", ";", ";",
	"&&", "||", "|", "|", "|&", "&", "\n", "(", ")", "{", "}", "$(", ")", "`", "\"", "'", "\\", ">", "> z", ">>z", "2>&1", ">&2", ">& z", "&>", "&>z", ">|z", "<", "< a.go", "<>z",
	"<<E\n", "E", "\nE\n", "<<'E'\n", "<<-E\n", "<<<", "#", "!", "~", "*", "?", "[", "]", "{a,b}", "{evil,z}", "{}", "$x", "${x}", "${x:-evil}", "${x:=evil}", "$'", "$'\\x65vil'", "$\"",
	"=", "x=", "x=evil", "PATH=/", "IFS=v", "if", "then", "else", "fi", "for x in", "do", "done", "case a in", "a)", ";;", "esac", "function", "f()", "time", "coproc", "command", "exec",
	"eval", "builtin", "env", "xargs", "timeout 1", "nice", "nohup", "\\\n", "\t", "\r", "\u00a0", "\v", "<(", ">(", "[[", "]]", "[", "((", "))", "$((", "$[", "%", "^", "@(", "!(", "+(",
	"alias ls=evil", "export PATH=z", "trap evil EXIT", ". ./a.go", "cd sub", "cd ..", "cd -", "set -x", "read x", "printf -v x", "/bin/sh", "./a.go", "../x", "/etc/passwd", "-", "--",
	"=evil", "ev\"il\"", "e\\vil", "\"$(evil)\"", "'evil'", "$(evil)", "`evil`", "$(<a.go)", "${x@P}", "${!x}", "a[$(evil)]=1", "&& evil", "; evil", "| evil", "\nevil", "$evil", "é", "%1", "unk /etc", "-I/etc", "a=../x", "~/x", "@/etc/x", "unk ~/x",
	"test -f", "[ -d sub ]", "true", "false", ":", "exit", "return", "wait", "type", "printf '%s'", "printf %d", "git -c x=y", "sed -i", "e\\", "s/a/evil/e", "\"system(1)\""}

// randomLine makes a line of fragments. Many begin with one that is allowed, so that more than the first word counts.
func randomLine(r *rand.Rand) string {
	var b strings.Builder
	for i := range 1 + r.IntN(9) {
		if i > 0 && r.IntN(4) > 0 {
			b.WriteByte(' ')
		}
		pick := fragments[r.IntN(len(fragments))]
		if r.IntN(3) == 0 || i == 0 && r.IntN(2) == 0 {
			pick = fragments[r.IntN(22)]
		}
		b.WriteString(pick)
	}
	return b.String()
}

// TestNothingRunsThatNoRuleNames makes random lines, and runs those that the policy allows in real shells.
func TestNothingRunsThatNoRuleNames(t *testing.T) {
	o := newOracle(t)
	want := repeat.Times(40, 60, 150)
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]bool{}
	ran := 0
	for range 200 * want {
		if ran >= want {
			break
		}
		if line := randomLine(r); !seen[line] && len(line) > 12 {
			seen[line] = true
			ran += o.check(t, line)
		}
	}
	if ran < want {
		t.Errorf("only %d of %d lines were allowed: the oracle sees little", ran, len(seen))
	}
	for _, line := range hostileLines() {
		o.check(t, line)
	}
}

func FuzzNothingRunsThatNoRuleNames(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		f.Add(r.Uint64(), "")
	}
	for i, line := range hostileLines() {
		if i%20 == 0 {
			f.Add(uint64(0), line)
		}
	}
	o := newOracle(f)
	f.Fuzz(func(t *testing.T, seed uint64, line string) {
		if line == "" {
			line = randomLine(rand.New(rand.NewPCG(seed, 0)))
		}
		if len(line) < 300 {
			o.check(t, line)
		}
	})
}
