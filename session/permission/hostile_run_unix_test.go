//go:build unix

package permission_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/session"
	"parley/session/permission"
	"parley/session/toolview"
)

// canary is the text of the files outside of the folders in which lines run.
const canary = "CANARY-7261"

// realPrograms are those that the lines find besides the recorder, where this machine has them.
var realPrograms = strings.Fields("ls cat head tail wc grep sed awk gawk mawk sort uniq find tr cut nl tac od diff cmp comm paste " +
	"rev fold expand column pr strings xxd jq rg file base64 " +
	"stat date env nice timeout nohup stdbuf setsid xargs sh bash dash perl python3 make git tee split csplit cp mv ln rm dd mkdir " +
	"mktemp install truncate chmod tree patch ed " +
	"basename dirname realpath readlink printf test true false echo time unshare taskset ionice chrt setarch linux64 busybox du seq " +
	"expr id uname which md5sum sha256sum")

// hostileShells are the shells in which lines run: what [permission.Policy] calls the dialect, and how each is started.
var hostileShells = []struct {
	dialect string
	argv    []string
	needed  bool
}{
	{"bash", []string{"bash", "--norc", "--noprofile"}, true},
	{"sh", []string{"dash"}, false},
	{"sh", []string{"busybox", "ash"}, false},
	{"zsh", []string{"zsh", "-f"}, false},
}

// hostileMode is a mode with the rules that hold in it. Where a rule denies the recorded program, nothing but its run counts.
type hostileMode struct {
	mode session.Mode
	deny []string
}

var hostileModes = []hostileMode{
	{mode: session.ModeDefault}, {mode: session.ModePlan}, {mode: session.ModeAcceptEdits},
	{mode: session.ModeBypass, deny: []string{"command touch *"}},
}

// hostileWorld is a directory with programs, folders in which lines run, and files outside of these that no line may read.
type hostileWorld struct {
	hostilePlace
	root, home, log string
	environ         []string
	made            int
	clean           []string // folders as [hostileWorld.folder] makes them
}

func newHostileWorld(t testing.TB) *hostileWorld {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &hostileWorld{root: root, home: filepath.Join(root, "home"), log: filepath.Join(root, "log"),
		hostilePlace: hostilePlace{outside: filepath.Join(root, "outside"), programs: filepath.Join(root, "programs")}}
	for _, name := range realPrograms {
		if path, err := exec.LookPath(name); err == nil {
			if path, err = filepath.EvalSymlinks(path); err != nil || strings.Contains(path, "shims") { // which needs more than itself
				path = filepath.Join("/usr/bin", name)
			}
			link(t, path, filepath.Join(w.programs, name))
		}
	}
	// The recorder writes down its call, and does what touch does.
	write(t, filepath.Join(w.programs, "touch"), "#!/bin/sh\necho \"touch $*\" >>'"+w.log+"'\nfor f; do : >>\"$f\"; done\n", 0o700)
	for _, dir := range []string{w.outside, w.home, filepath.Join(root, "work")} {
		write(t, filepath.Join(dir, "canary"), canary+"\n", 0o600)
	}
	w.environ = []string{"PATH=" + w.programs, "HOME=" + w.home, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=/dev/null", "TERM=dumb"}
	return w
}

func write(t testing.TB, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func link(t testing.TB, to, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

// folder returns a folder for a line: one that another line has left as it was, or a new one.
func (w *hostileWorld) folder(t testing.TB) string {
	t.Helper()
	if n := len(w.clean); n > 0 {
		dir := w.clean[n-1]
		w.clean = w.clean[:n-1]
		return dir
	}
	w.made++
	dir := filepath.Join(w.root, "work", fmt.Sprint(w.made))
	for name, text := range hostileFiles {
		write(t, filepath.Join(dir, name), text, 0o600)
	}
	link(t, "../../outside", filepath.Join(dir, "out"))
	return dir
}

// leave returns what has changed in a folder that is not used any longer.
func (w *hostileWorld) leave(t testing.TB, dir string) (changed string) {
	t.Helper()
	if changed = changedFolder(t, dir); changed == "" {
		w.clean = append(w.clean, dir)
	} else {
		_ = os.RemoveAll(dir)
	}
	return changed
}

// policy returns the policy of a session in a folder.
func (w *hostileWorld) policy(t testing.TB, m hostileMode, dialect, dir string) permission.Policy {
	t.Helper()
	p := permission.Policy{Mode: m.mode, Dirs: []string{dir}, Base: dir, Home: w.home, Shell: dialect,
		Git: func() bool { return false }}.OnDisk(w.environ)
	for _, text := range m.deny {
		p.Rules = append(p.Rules, ruleOf(t, permission.Deny, text))
	}
	return p
}

func ruleOf(t testing.TB, ruling permission.Ruling, text string) permission.Rule {
	t.Helper()
	r, err := permission.ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	r.Ruling, r.Origin = ruling, permission.FromGlobal
	return r
}

func judged(p permission.Policy, line string) permission.Decision {
	return p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line})
}

// hostileRun is one line that runs in a folder, and what came of it.
type hostileRun struct {
	hostileLine
	mode     hostileMode
	dir, run string
	ran      string // the calls of recorders
	changed  string // what the folder and its surroundings have, unlike before
	read     bool   // a file outside
}

// unquoted takes out of a line what may stand within the name of a program.
var unquoted = strings.NewReplacer("'", "", `"`, "", `\`, "", "\n", "", "[", "", "]", "")

// mayFail reports whether the line can have an effect that counts. Where a rule denies touch, the line has to name it: what a
// file means that was there before, no rule knows.
func (r *hostileRun) mayFail() bool {
	return len(r.mode.deny) == 0 || strings.Contains(unquoted.Replace(r.text), "ouch")
}

// effect returns what the run did that its mode does not permit, "" for nothing.
func (r *hostileRun) effect() string {
	switch {
	case r.ran != "":
		call, _, _ := strings.Cut(r.ran, "\n")
		return "ran " + call
	case strings.Contains(r.changed, "PWNED"):
		return "made PWNED"
	case len(r.mode.deny) > 0: // all else is permitted
		return ""
	case r.read:
		return "read a file outside"
	case r.mode.mode == session.ModeAcceptEdits && strings.Contains(r.text, ">") && !strings.Contains(r.changed,
		"outside"): // so are redirections
		return ""
	case r.changed != "":
		return "changed" + r.changed
	}
	return ""
}

// quote returns a text as one word of any shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// run runs lines in their folders in one shell, and fills in what came of them. It reports false if it cannot say which line
// did what, because that took too long, or because files outside of the folders have changed.
func (w *hostileWorld) run(t testing.TB, shell []string, runs []*hostileRun) bool {
	t.Helper()
	script := bytes.NewBufferString("exec 9>&1 </dev/null\n")
	for i, r := range runs {
		fmt.Fprintf(script, "(cd %s && eval %s) >%s 2>&1\necho '= %d' >>%s\n", quote(r.dir), quote(r.run), quote(r.dir+".said"), i,
			quote(w.log))
	}
	path := filepath.Join(w.root, "driver")
	write(t, path, script.String(), 0o600)
	_ = os.Remove(w.log)
	before := w.around(t)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	cmd := w.command(ctx, shell, path)
	cmd.Dir = w.root
	out, err := cmd.CombinedOutput() // which waits for all that still has descriptor 9
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if ctx.Err() != nil {
		w.clean = nil
		return false
	}
	log, _ := os.ReadFile(w.log)
	if strings.Count("\n"+string(log), "\n= ") != len(runs) {
		t.Errorf("%v: %d of %d lines ran: %v, %.300s", shell, strings.Count("\n"+string(log), "\n= "), len(runs), err, out)
	}
	i := 0
	for record := range strings.Lines(string(log)) {
		if strings.HasPrefix(record, "= ") {
			i++
		} else {
			runs[min(i, len(runs)-1)].ran += record
		}
	}
	clear := before == w.around(t)
	for _, r := range runs {
		said, _ := os.ReadFile(r.dir + ".said")
		r.read = bytes.Contains(said, []byte(canary))
		r.changed = w.leave(t, r.dir)
	}
	w.cleanAround(t)
	return clear
}

// command returns a command of the world in a process group of its own.
func (w *hostileWorld) command(ctx context.Context, shell []string, args ...string) *exec.Cmd {
	argv := slices.Concat(shell, args)
	path, err := exec.LookPath(argv[0])
	if err != nil {
		path = argv[0]
	}
	cmd := exec.CommandContext(ctx, path, argv[1:]...)
	cmd.Env = w.environ
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// around lists the files outside of the folders that lines may have made or changed.
func (w *hostileWorld) around(t testing.TB) string {
	t.Helper()
	var all strings.Builder
	for _, dir := range []string{w.outside, w.home, filepath.Join(w.root, "work"), w.root} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := e.Name()
			if dir == w.root && (name == "log" || name == "driver") || strings.Trim(strings.TrimSuffix(name, ".said"),
				"0123456789") == "" {
				continue
			}
			info, err := e.Info()
			if err == nil && !e.IsDir() {
				name += fmt.Sprint(" ", info.Size())
			}
			fmt.Fprintln(&all, dir, name)
		}
	}
	return all.String()
}

// cleanAround removes what lines have made outside of the folders.
func (w *hostileWorld) cleanAround(t testing.TB) {
	t.Helper()
	for _, dir := range []string{w.outside, w.home, filepath.Join(w.root, "work"), w.root} {
		for _, name := range []string{"PWNED", "WRITTEN"} {
			_ = os.RemoveAll(filepath.Join(dir, name))
		}
		if dir != w.root {
			write(t, filepath.Join(dir, "canary"), canary+"\n", 0o600)
		}
	}
}

// changedFolder returns the names that a folder has and should not have, lacks, or has with another text.
func changedFolder(t testing.TB, dir string) (changed string) {
	t.Helper()
	found := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		want, ours := hostileFiles[name]
		switch {
		case name == "sub" && d.IsDir() || name == "out" && d.Type() == fs.ModeSymlink:
		case !ours || !d.Type().IsRegular():
			changed += " " + name
		default:
			found++
			if got, err := os.ReadFile(path); err != nil || string(got) != want {
				changed += " " + name
			}
		}
		return nil
	})
	if err != nil || found < len(hostileFiles) {
		changed += " (files are gone)"
	}
	return changed
}

// alone runs one line by itself in a folder of its own, with the shell's own -c. text returns what runs there.
func (w *hostileWorld) alone(t testing.TB, shell []string, r hostileRun, text func(dir string) string) *hostileRun {
	t.Helper()
	r.dir = w.folder(t)
	r.run = text(r.dir)
	r.ran, r.changed, r.read = "", "", false
	_ = os.Remove(w.log)
	before := w.around(t)
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	cmd := w.command(ctx, shell, "-c", r.run)
	cmd.Dir = r.dir
	out, _ := cmd.CombinedOutput()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	log, _ := os.ReadFile(w.log)
	r.ran, r.read, r.changed = string(log), bytes.Contains(out, []byte(canary)), w.leave(t, r.dir)
	if before != w.around(t) {
		r.changed += " files outside of the folder"
	}
	if ctx.Err() != nil {
		r.changed += " (does not end)"
	}
	w.cleanAround(t)
	return &r
}

// findings collect failures by what they have in common.
type findings struct {
	count map[string]int
	first map[string][]string
}

func (f *findings) add(about, text string) {
	if f.count == nil {
		f.count, f.first = map[string]int{}, map[string][]string{}
	}
	f.count[about]++
	if len(f.first[about]) < 3 && !slices.Contains(f.first[about], text) {
		f.first[about] = append(f.first[about], text)
	}
}

// report prints one line for each thing in common, with the first three failures.
func (f *findings) report(fail func(format string, args ...any)) {
	var names []string
	for name := range f.count {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fail("%s: %d lines, such as %s", name, f.count[name], strings.Join(f.first[name], " and "))
	}
}
