//go:build unix

package permission_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/permission"
)

// plainRepository makes the repository that all others begin as. Its last commit adds a secret.
const plainRepository = `git init -q --template= -b main .
mkdir sub2; echo 1 >f; echo k >k; cp f x; echo y >sub2/y; git add .; git commit -qm 1
echo 2 >f; git commit -qam 2
echo 3 >f; mkdir secret; echo CANARY-7261 >secret/key; git add .; git commit -qm 3
echo 4 >>f`

// gitWorld is a world with a plain repository to copy.
type gitWorld struct {
	*hostileWorld
	plain, evil string
	age         int64
}

func newGitWorld(t testing.TB) *gitWorld {
	t.Helper()
	w := &gitWorld{hostileWorld: newHostileWorld(t)}
	w.plain, w.evil = filepath.Join(w.root, "plain"), filepath.Join(w.programs, "evil")
	write(t, w.evil, "#!/bin/sh\necho \"evil $*\" >>'"+w.log+"'\nexit 1\n", 0o700)
	w.environ = append(w.environ, "GIT_CEILING_DIRECTORIES="+w.root, "FILTER_BRANCH_SQUELCH_WARNING=1", "PAGER=cat",
		"EVIL="+w.evil, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b", "GIT_AUTHOR_DATE=1600000000 +0000", "GIT_COMMITTER_DATE=1600000000 +0000")
	if err := os.Mkdir(w.plain, 0o700); err != nil {
		t.Fatal(err)
	}
	w.script(t, w.plain, plainRepository)
	web := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		answer.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		answer.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(web.Close)
	w.environ = append(w.environ, "WEB="+web.URL)
	return w
}

// script runs a script of ours.
func (w *gitWorld) script(t testing.TB, dir, text string) {
	t.Helper()
	cmd := w.command(t.Context(), []string{"bash", "-e"}, "-c", text)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%.200s: %v %s", text, err, out)
	}
}

// repository returns a copy of the plain repository.
func (w *gitWorld) repository(t testing.TB) string {
	t.Helper()
	w.made++
	dir := filepath.Join(w.root, "work", fmt.Sprint(w.made))
	if err := os.CopyFS(dir, os.DirFS(w.plain)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// stale makes files of a repository other ones than its index knows, as git remembers what it has looked at, and would start
// nothing the next time.
func (w *gitWorld) stale(repository string) {
	w.age++
	for _, name := range []string{"f", "k", "sub/g", "d/sub/g", "t/f", "b/f"} {
		_ = os.Chtimes(filepath.Join(repository, name), time.Now(), time.Unix(1_600_000_000+w.age, 0))
	}
}

// onTerminal runs a line in a directory, on a terminal and with a stale index, and returns what it printed. The log has what
// it started.
func (w *gitWorld) onTerminal(t testing.TB, repository, dir, text string) (said string) {
	t.Helper()
	said, ended := w.within(t, 20*time.Second, repository, dir, text)
	if !ended {
		t.Errorf("%q does not end", text)
	}
	return said
}

// within is onTerminal for a text that may not end, as plain git does that waits for what it has started.
func (w *gitWorld) within(t testing.TB, longest time.Duration, repository, dir, text string) (said string, ended bool) {
	t.Helper()
	_ = os.Remove(w.log)
	w.stale(repository)
	ctx, stop := context.WithTimeout(t.Context(), longest)
	defer stop()
	cmd := w.command(ctx, hostileShells[0].argv, "-c", text)
	cmd.Dir, cmd.SysProcAttr = dir, &syscall.SysProcAttr{}                       // a session of its own, whose group can be killed as well
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 5000, Cols: 200}) // no pager waits for a key
	if err != nil {
		t.Fatal(err)
	}
	out, _ := io.ReadAll(terminal) // the end of a terminal is an error
	_ = cmd.Wait()
	_ = terminal.Close()
	return string(out), ctx.Err() == nil
}

// recorded returns the first call that a recorder has written since the last line began.
func (w *gitWorld) recorded() string {
	log, _ := os.ReadFile(w.log)
	first, _, _ := strings.Cut(strings.TrimSpace(string(log)), "\n")
	return first
}

// TestReadingAHostileRepositoryStartsNothing runs what is allowed of commands that only read, in repositories that were
// hostile when the session began, and in ones that became so.
func TestReadingAHostileRepositoryStartsNothing(t *testing.T) {
	w := newGitWorld(t)
	var failures findings
	repositories := sampled(hostileRepositories, repeat.Times(2, 5, len(hostileRepositories)),
		func(hostileRepository) string { return "" })
	seen, ran := 0, 0
	for _, h := range repositories {
		dir := w.repository(t)
		plain := permission.WatchGit(t.Context(), dir)
		w.script(t, dir, "set +e\n"+h.setup+"\ntrue")
		hostile := permission.WatchGit(t.Context(), dir)
		_, _ = w.within(t, 5*time.Second, dir, dir, h.trigger)
		if w.recorded() != "" {
			seen++
		} else {
			t.Logf("%s: %s starts nothing with this git", h.name, h.trigger)
		}
		lines := append(sampled(gitReads, repeat.Times(2, 6, len(gitReads)), func(string) string { return "" }), h.trigger)
		for _, line := range lines {
			for _, r := range w.allowedReads(t, dir, line, plain, hostile) {
				ran++
				w.onTerminal(t, dir, r.dir, r.run)
				if what := w.recorded(); what != "" {
					failures.add(h.name, fmt.Sprintf("%q in %s (%.60s)", line, filepath.Base(r.dir), what))
				}
			}
		}
	}
	t.Logf("%d repositories, %d start a program with plain git; %d allowed lines run", len(repositories), seen, ran)
	if seen < len(repositories)*2/3 {
		t.Errorf("only %d of %d repositories start a program: the test sees little", seen, len(repositories))
	}
	failures.report(t.Errorf)
}

// allowedReads returns what runs for a line where one of the watches lets it, each text once. A line that begins with cd is
// also judged as one that begins in that directory.
func (w *gitWorld) allowedReads(t *testing.T, dir, line string, watches ...*permission.GitWatch) (runs []*hostileRun) {
	t.Helper()
	seen := map[string]bool{}
	places := [][2]string{{dir, line}}
	if in, rest, ok := strings.Cut(strings.TrimPrefix(line, "cd "), " && "); ok && strings.HasPrefix(line, "cd ") {
		places = append(places, [2]string{filepath.Join(dir, in), rest})
	}
	for _, place := range places {
		if _, err := os.Stat(place[0]); err != nil {
			continue
		}
		for _, watch := range watches {
			p := w.policy(t, hostileModes[0], "bash", place[0])
			p.Dirs = []string{dir}
			p.Git = func() bool { return watch.QuietIn(t.Context(), place[0]) }
			if d := judged(p, place[1]); d.Ruling == permission.Allow {
				run := whatRuns(d, place[1])
				if key := place[0] + run; !seen[key] {
					seen[key] = true
					runs = append(runs, &hostileRun{dir: place[0], run: run})
				}
			}
		}
	}
	return runs
}

// TestHostileGitLinesHaveNoEffect runs what is allowed of hostile lines of git in a plain repository.
func TestHostileGitLinesHaveNoEffect(t *testing.T) {
	w := newGitWorld(t)
	lines := hostileGitLines(w.hostilePlace)
	lines = sampled(lines, repeat.Times(10, 80, len(lines)), func(l hostileLine) string { return l.family })
	dir, counts := w.repository(t), ""
	w.script(t, dir, "mkdir sub; ln -s ../../outside out")
	watch := permission.WatchGit(t.Context(), dir)
	var runs []*hostileRun
	seen := map[string]bool{}
	for _, m := range hostileModes {
		p, n := w.policy(t, m, "bash", dir), 0
		p.Git = func() bool { return watch.Quiet(t.Context()) }
		for _, l := range lines {
			if d := judged(p, l.text); d.Ruling == permission.Allow {
				n++
				r := &hostileRun{hostileLine: l, mode: m, dir: dir, run: whatRuns(d, l.text)}
				if key := fmt.Sprint(len(m.deny), r.run); !seen[key] && r.mayFail() {
					seen[key] = true
					runs = append(runs, r)
				}
			}
		}
		counts += fmt.Sprintf(" %s %d", m.mode, n)
	}
	allowed := len(runs)
	runs = sampled(runs, repeat.Times(1, 3, len(runs)), func(r *hostileRun) string { return fmt.Sprint(r.family, len(r.mode.deny)) })
	var failures findings
	before := repositoryState(t, dir)
	for _, r := range runs {
		text := r.run
		if len(r.mode.deny) > 0 { // the agent has no terminal: a pager that it sets runs for the user only
			text = "(" + text + "\n) </dev/null 2>&1 | cat"
		}
		said := w.onTerminal(t, dir, dir, text)
		r.ran, r.read = w.recorded(), strings.Contains(strings.ReplaceAll(said, "+"+canary, ""), canary) && !strings.Contains(said,
			"secret")
		if after := repositoryState(t, dir); after != before {
			r.changed = " files of the repository"
			if _, err := os.Lstat(filepath.Join(dir, "PWNED")); err == nil {
				r.changed += ", PWNED"
			}
			_ = os.RemoveAll(dir)
			if err := os.CopyFS(dir, os.DirFS(w.plain)); err != nil {
				t.Fatal(err)
			}
			w.script(t, dir, "mkdir sub; ln -s ../../outside out")
			before = repositoryState(t, dir)
		}
		if what := r.effect(); what != "" {
			failures.add(r.family+", "+string(r.mode.mode), fmt.Sprintf("%q (%s)", r.text, what))
		}
	}
	t.Logf("%d lines judged, allowed%s; %d of %d run", len(lines), counts, len(runs), allowed)
	failures.report(t.Errorf)
}

// repositoryState returns a digest of all files but the index, which reading may write.
func repositoryState(t testing.TB, dir string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if filepath.Base(path) == "index" {
			return nil
		}
		fmt.Fprintln(h, path, d.Type())
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			h.Write(data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(h.Sum(nil))
}

// TestGitKeepsTheSecretsOfRules runs what is allowed of commands that would show a file which a rule says is not read.
func TestGitKeepsTheSecretsOfRules(t *testing.T) {
	w := newGitWorld(t)
	dir := w.repository(t)
	watch := permission.WatchGit(t.Context(), dir)
	var failures findings
	seen, ran := 0, 0
	lines := sampled(gitSecrets, repeat.Times(6, 15, len(gitSecrets)), func(string) string { return "" })
	for _, rule := range []string{"read secret/**", "read secret/key", "read " + dir + "/secret/**"} {
		for _, mode := range []session.Mode{session.ModeDefault, session.ModePlan} {
			p := w.policy(t, hostileMode{mode: mode, deny: []string{rule}}, "bash", dir)
			p.Git = func() bool { return watch.Quiet(t.Context()) }
			for _, line := range lines {
				d := judged(p, line)
				if d.Ruling != permission.Allow {
					continue
				}
				ran++
				if strings.Contains(w.onTerminal(t, dir, dir, whatRuns(d, line)), canary) {
					failures.add("git and "+strings.ReplaceAll(rule, dir, "DIR")+", "+string(mode), fmt.Sprintf("%q", line))
				}
			}
		}
	}
	for _, line := range lines {
		if strings.Contains(w.onTerminal(t, dir, dir, line), canary) {
			seen++
		}
	}
	if seen < len(lines)/2 {
		t.Errorf("only %d of %d lines show the secret: the test sees little", seen, len(lines))
	}
	t.Logf("%d lines, %d show the secret; %d allowed ones run", len(lines), seen, ran)
	failures.report(t.Errorf)
}

// TestHostileLinesAreNotCovered judges lines that do more than the rule says that seems to cover them.
func TestHostileLinesAreNotCovered(t *testing.T) {
	w := newGitWorld(t)
	for _, name := range []string{"terraform", "coverage", "npm"} {
		link(t, w.evil, filepath.Join(w.programs, name))
	}
	dir := w.repository(t)
	w.script(t, dir, "git clone -q --bare --template= . evil; mkdir evil/hooks; cp $EVIL evil/hooks/pre-receive")
	watch := permission.WatchGit(t.Context(), dir)
	var failures findings
	for _, c := range hostileRuled {
		for _, shell := range []string{"bash", "sh", "zsh", "any"} {
			p := w.policy(t, hostileModes[0], shell, dir)
			p.Rules = append(p.Rules, ruleOf(t, permission.Allow, c.rule))
			p.Git = func() bool { return watch.Quiet(t.Context()) }
			for _, line := range rows(c.lines) {
				if d := judged(p, line); d.Ruling == permission.Allow {
					failures.add(c.rule, fmt.Sprintf("%q", line))
				}
			}
		}
	}
	failures.report(t.Errorf)
}
