package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"parley/internal/crash"
	"parley/session/proc"
)

// said holds the text of an agent in a run: its last words, all of them, and the names of the tools that it called.
type said struct {
	last, all string
	calls     []string
}

// checker judges what a run left.
type checker struct {
	group   *proc.Group
	environ []string
}

// checkTime bounds one command of a check.
const checkTime = 2 * time.Minute

// judge returns why a run does not pass, nil if it does. Cheap checks come first, and commands only if those hold.
func (c checker) judge(ctx context.Context, t Task, w *workspace, s said) []string {
	var wrong []string
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if t.Only != nil {
		names, err := w.changed(*t.Only)
		if err != nil {
			fail("compare the files: %v", err)
		} else if len(names) > 0 {
			fail("changed files that it should not have: %s", strings.Join(names, ", "))
		}
	}
	for _, check := range t.Check {
		if check.Run == "" {
			if err := check.holds(w.dir, s); err != nil {
				fail("%v", err)
			}
		}
	}
	if wrong != nil {
		return wrong
	}
	if err := w.write(t.hidden); err != nil {
		return []string{err.Error()}
	}
	for _, check := range t.Check {
		if check.Run != "" {
			if err := c.run(ctx, check, w.dir); err != nil {
				fail("%v", err)
			}
		}
	}
	return wrong
}

// holds judges a check that needs no program.
func (c Check) holds(dir string, s said) error {
	switch {
	case c.Answer != "":
		if !regexp.MustCompile("(?is)" + c.Answer).MatchString(s.last) {
			return fmt.Errorf("the answer does not match %s: %s", c.Answer, short(s.last))
		}
		return nil
	case c.Avoids != "":
		if found := regexp.MustCompile("(?is)" + c.Avoids).FindString(s.all); found != "" {
			return fmt.Errorf("it said what it should not: a match of %s", c.Avoids)
		}
		return nil
	case c.Uses != "":
		re, n := regexp.MustCompile("(?i)"+c.Uses), 0
		for _, name := range s.calls {
			if re.MatchString(name) {
				n++
			}
		}
		if n < max(c.Times, 1) {
			return fmt.Errorf("%d calls of a tool that matches %s, and not %d", n, c.Uses, max(c.Times, 1))
		}
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(c.File)))
	if c.Missing {
		if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is still there", c.File)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s cannot be read", c.File)
	}
	return c.content(string(text))
}

// content judges the content of a file.
func (c Check) content(text string) error {
	if c.Equals != nil && text != *c.Equals {
		return fmt.Errorf("%s is not what it should be: %s", c.File, short(text))
	}
	for _, want := range c.Contains {
		if !strings.Contains(text, want) {
			return fmt.Errorf("%s lacks %q", c.File, want)
		}
	}
	for _, no := range c.Lacks {
		if strings.Contains(text, no) {
			return fmt.Errorf("%s still has %q", c.File, no)
		}
	}
	if c.Matches != "" && !regexp.MustCompile(c.Matches).MatchString(text) {
		return fmt.Errorf("%s does not match %s", c.File, c.Matches)
	}
	return nil
}

// run runs the command of a check.
func (c checker) run(ctx context.Context, check Check, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	env := append(proc.AgentEnviron(c.environ, nil), "GOFLAGS=", "GOPROXY=off", "GOTOOLCHAIN=local", "GOWORK=off", "PYTHONDONTWRITEBYTECODE=1")
	child, err := c.group.Start(ctx, proc.Command{Argv: strings.Fields(check.Run), Dir: dir, Env: env, Merge: true, NoInput: true, Label: "check"})
	if err != nil {
		return fmt.Errorf("`%s`: %w", check.Run, err)
	}
	stop := context.AfterFunc(ctx, crash.Guarded(func() { _ = child.Kill() }))
	defer stop()
	out, _ := io.ReadAll(io.LimitReader(child.Stdout(), 1<<20))
	_, _ = io.Copy(io.Discard, child.Stdout())
	<-child.Done()
	switch code := child.Exit().Code; {
	case ctx.Err() != nil:
		return fmt.Errorf("`%s` did not end in %v", check.Run, checkTime)
	case code != 0:
		return fmt.Errorf("`%s` exits %d: %s", check.Run, code, short(string(out)))
	case check.Prints != "" && !regexp.MustCompile(check.Prints).Match(out):
		return fmt.Errorf("`%s` does not print %s: %s", check.Run, check.Prints, short(string(out)))
	}
	return nil
}

// missing returns the first program that a task needs and this machine does not have.
func (t Task) missing() string {
	for _, name := range t.Needs {
		if _, err := exec.LookPath(name); err != nil {
			return name
		}
	}
	return ""
}

// short returns the end of a text, where test programs put what matters.
func short(text string) string {
	const most = 400
	text = strings.TrimSpace(text)
	if len(text) > most {
		text = "…" + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return text
}
