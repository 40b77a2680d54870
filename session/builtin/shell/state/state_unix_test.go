//go:build unix

package state

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/repeat"
)

// machine runs command lines one after another in a state.
type machine struct {
	t    *testing.T
	s    *State
	argv []string
	bash bool
}

func newMachine(t *testing.T, shell ...string) *machine {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere", "odd-name=1", "BASE=b"}
	return &machine{t: t, s: New(dir, env), argv: shell, bash: shell[0] == "bash"}
}

// run runs a command line and returns its output and exit status.
func (m *machine) run(line string) (string, int) {
	m.t.Helper()
	r := m.s.Begin(m.bash, true)
	defer r.Close()
	cmd := exec.CommandContext(context.Background(), m.argv[0], append(m.argv[1:], "-c", r.Script(line))...)
	cmd.Dir, cmd.Env = r.Dir(), r.Environ()
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		m.t.Fatal(err)
	}
	r.Keep()
	return string(out), cmd.ProcessState.ExitCode()
}

func (m *machine) want(line, out string, code int) {
	m.t.Helper()
	if got, exit := m.run(line); got != out || exit != code {
		m.t.Errorf("%q: %q, exit status %d", line, got, exit)
	}
}

func shells(t *testing.T, f func(t *testing.T, m *machine)) {
	for _, shell := range [][]string{{"bash"}, {"sh"}, {"dash"}, {"busybox", "sh"}} {
		if _, err := exec.LookPath(shell[0]); err != nil {
			continue
		}
		t.Run(shell[0], func(t *testing.T) { f(t, newMachine(t, shell...)) })
	}
}

// Whatever a command does, the next one begins with what it left, and its own end is what it would have been alone.
func TestTheNextCommandHasWhatTheLastLeft(t *testing.T) {
	shells(t, func(t *testing.T, m *machine) {
		home := m.s.Dir()
		m.want("mkdir -p a/b && cd a && export X=1 Y='it'\\''s \"$HOME\" `x` \\\\'", "", 0)
		m.want(`pwd; printf '%s\n' "$X" "$Y" "$PWD"`, home+"/a\n1\nit's \"$HOME\" `x` \\\\\n"+home+"/a\n", 0)
		m.want("cd b; exit 3", "", 3)
		m.want("pwd", home+"/a/b\n", 0)
		m.want("cd ..; set -e; false; echo no", "", 1)
		m.want("pwd; false; echo on", home+"/a\non\n", 0)
		m.want("unset X BASE; (cd /; export Z=1)", "", 0)
		m.want(`echo "$X$BASE$Z"; pwd`, "\n"+home+"/a\n", 0)
		m.want("cd /; exec true", "", 0)
		m.want("pwd", home+"/a\n", 0)
		m.want("cd b; kill -9 $$", "", -1)
		m.want("pwd", home+"/a\n", 0)
		m.want("exec >/dev/null 2>&1; cd b; echo lost", "", 0)
		m.want("pwd; cd $OLDPWD; exec 1>&- 2>&-", home+"/a/b\n", 0)
		m.want("pwd", home+"/a\n", 0)
		m.want("trap '' EXIT; cd b", "", 0)
		m.want("pwd; cd ..; trap 'echo bye' EXIT", home+"/a/b\nbye\n", 0)
		m.want("pwd", home+"/a\n", 0)
		m.want("export N='one\ntwo\n'; cd b", "", 0)
		m.want(`echo "$N."; cd ..`, "one\ntwo\n.\n", 0)
		m.want("cat <<E\nhere $X\nE", "here \n", 0)
		m.want("set -u; cd b; cd ..", "", 0)
		m.want("set -a; W=1; set -C; echo 1 >f; cd b", "", 0)
		m.want("echo $W; pwd", "1\n"+home+"/a/b\n", 0)
		if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
			t.Error("files are left:", left)
		}
	})
}

func TestCommandsThatAreWrong(t *testing.T) {
	shells(t, func(t *testing.T, m *machine) {
		m.want("mkdir a; cd a", "", 0)
		for _, line := range []string{"echo 'unbalanced", "if true", "echo )", "((", "cat <<", "}", "case x in"} {
			out, code := m.run(line)
			if code == 0 || out == "" {
				t.Errorf("%q: %q, %d", line, out, code)
			}
		}
		if got := m.s.Moved(); !strings.HasSuffix(got, "/a") {
			t.Error(got)
		}
	})
}

func TestADirectoryThatIsGone(t *testing.T) {
	m := newMachine(t, "bash")
	home := m.s.Dir()
	m.run("mkdir -p a/b; cd a/b; rmdir ../b")
	if m.s.Dir() != home || m.s.Moved() != "" {
		t.Error(m.s.Dir())
	}
	if notes := m.s.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "a/b is gone") {
		t.Errorf("%q", notes)
	}
	m.want("pwd", home+"\n", 0)
}

// A directory that was reached through a link keeps its name; one that only says so does not.
func TestLinksToDirectories(t *testing.T) {
	m := newMachine(t, "bash")
	home := m.s.Dir()
	m.run("mkdir real; ln -s real link; cd link")
	m.want("pwd; pwd -P", home+"/link\n"+home+"/real\n", 0)
	m.run("cd -P .; PWD=" + home)
	m.want("pwd", home+"/real\n", 0)
}

func TestFunctionsLast(t *testing.T) {
	m := newMachine(t, "bash")
	m.want("f() { echo f $1; }; g-h() { echo gh; }; export -f f", "", 0)
	m.want("f 1; g-h; bash -c 'f 2'", "f 1\ngh\nf 2\n", 0)
	if got := m.s.Functions(); !slices.Equal(got, []string{"f", "g-h"}) {
		t.Error(got)
	}
	m.want("unset -f f g-h", "", 0)
	m.want("type f 2>/dev/null || echo none", "none\n", 0)
	m.want("builtin() { :; }; cd /", "", 0) // spoils the report, and nothing else
	if m.s.Moved() != "" || len(m.s.Functions()) > 0 {
		t.Error(m.s.Moved(), m.s.Functions())
	}
	m.want("echo fine", "fine\n", 0)
}

// Functions that come with the environment come with it each time, and one that was changed does not hide behind their names.
func TestFunctionsOfTheEnvironment(t *testing.T) {
	m := newMachine(t, "bash")
	m.s = New(m.s.Dir(), append(m.s.Environ(), "BASH_FUNC_which%%=() {  echo theirs\n}"))
	m.want("which; which() { echo mine; }", "theirs\n", 0)
	m.want("which; cd /", "theirs\n", 0)
	if got := m.s.Functions(); len(got) > 0 {
		t.Error(got)
	}
	m.want("other() { :; }; which", "theirs\n", 0)
	if got := m.s.Functions(); !slices.Contains(got, "which") {
		t.Error("all names count once there are others:", got)
	}
}

func TestVariablesThatDoNotLast(t *testing.T) {
	m := newMachine(t, "bash")
	m.want("plain=1; declare -r R=1; export GH_TOKEN=abcdefghij SHELLOPTS; export E=ghp_"+strings.Repeat("a", 36)+"; set -o noglob; declare -rx RX=1; declare -ax ARR=(1 2); alias l=ls", "", 0)
	m.want(`echo "$plain$R$GH_TOKEN$E$RX $ARR" *; RX=2; echo $RX`, "1  *\n2\n", 0)
	notes := strings.Join(m.s.Notes(), "\n")
	if !strings.Contains(notes, "GH_TOKEN is not kept") || !strings.Contains(notes, "E is not kept") {
		t.Error(notes)
	}
	for _, kv := range m.s.Environ() {
		if strings.Contains(kv, "ghp_") || strings.HasPrefix(kv, "GH_") || strings.HasPrefix(kv, "__parley") {
			t.Error(kv)
		}
	}
	if !slices.Contains(m.s.Environ(), "odd-name=1") {
		t.Error("what no shell lists is lost")
	}
}

func TestChangedVariables(t *testing.T) {
	m := newMachine(t, "bash")
	m.run("true")
	if got := m.s.Changed(); len(got) > 0 {
		t.Error(got)
	}
	m.run("export A=1 HOME=/x; unset BASE")
	if got := m.s.Changed(); !slices.Equal(got, []string{"A", "BASE", "HOME"}) {
		t.Error(got)
	}
}

func TestManyAndLargeVariables(t *testing.T) {
	m := newMachine(t, "bash")
	n := repeat.Times(500, 1000, 3000)
	m.want(fmt.Sprintf("for i in {1..%d}; do export V$i=$i; done", n), "", 0)
	m.want(fmt.Sprintf("echo $V1 $V%d", n), fmt.Sprintf("1 %d\n", n), 0)
	m.run("export BIG=$(printf '%0200000d' 0)")
	m.want("echo ${#BIG} $V7", "0 7\n", 0)
	if notes := strings.Join(m.s.Notes(), ""); !strings.Contains(notes, "BIG is not kept") {
		t.Error(notes)
	}
	m.run("for i in {1..20}; do export L$i=$(printf '%050000d' 0); done")
	m.want("echo ${#L1} $V7", "0 7\n", 0)
}

// A text that was exported comes back as it was, whatever it contains.
func TestValuesAreExact(t *testing.T) {
	shells(t, func(t *testing.T, m *machine) {
		var values []string
		for c := 1; c < 256; c++ {
			values = append(values, "a"+string([]byte{byte(c)})+"b")
		}
		values = append(values, "é語🙂", "$'x'", "\n", " ", "a\\nb", `\'"`, "()", "x\n\ndeclare -x Z=1")
		for i, v := range values {
			m.s.now.environ = append(m.s.now.environ, fmt.Sprintf("V%d=%s", i, v))
		}
		m.run("true")
		environ := m.s.Environ()
		for i, v := range values {
			if !slices.Contains(environ, fmt.Sprintf("V%d=%s", i, v)) {
				t.Errorf("%q is lost", v)
			}
		}
	})
}

// What a shell wrote is read without failing, whatever it is.
func FuzzExports(f *testing.F) {
	f.Add("declare -x A=\"b\"\nexport C='d'\ndeclare -x E=$'\\n\\001'\ndeclare -x F\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := exports(text)
		for _, kv := range got {
			if name, _, ok := strings.Cut(kv, "="); !ok || !validName.MatchString(name) || strings.ContainsRune(kv, 0) || err != nil {
				t.Errorf("%q, %v", kv, err)
			}
		}
	})
}

func ExampleState_Notes() {
	s := New("/", nil)
	s.Restore("", true)
	fmt.Println(s.Notes(), s.Notes())
	// Output: [the session was resumed: variables and functions that earlier commands set are gone] []
}

// Another terminal's environment replaces that of the one before, but for what commands have set, changed or removed.
func TestRebase(t *testing.T) {
	m := newMachine(t, "bash")
	with := func(vars ...string) []string {
		return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere"}, vars...)
	}
	m.s.Rebase(with("SSH_AUTH_SOCK=/one", "https_proxy=http://one", "NO_PROXY=x"))
	m.want("export https_proxy=http://mine OWN=1; unset NO_PROXY", "", 0)
	m.s.Rebase(with("SSH_AUTH_SOCK=/two", "https_proxy=http://two", "NO_PROXY=y"))
	m.want(`echo "$SSH_AUTH_SOCK $https_proxy $OWN ${NO_PROXY-unset} ${BASE-gone}"`, "/two http://mine 1 unset gone\n", 0)
	if got := m.s.Changed(); !slices.Equal(got, []string{"NO_PROXY", "OWN", "https_proxy"}) {
		t.Errorf("changed: %q", got)
	}
	m.s.Rebase(with())
	m.want(`echo "${SSH_AUTH_SOCK-unset} $https_proxy"`, "unset http://mine\n", 0)
}
