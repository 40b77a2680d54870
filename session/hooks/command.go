package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session/proc"
)

// The bounds of what a command prints, in bytes: what is kept of each output, and after how much it is ended.
const (
	maxOutput = 256 << 10
	maxFlood  = 8 << 20
)

// setting runs a command that may set variables, and reads them once it has succeeded.
func (r *Runner) setting(ctx context.Context, h Hook, in []byte) result {
	path := newEnvFile()
	if path == "" {
		return r.command(ctx, h, in, "")
	}
	defer func() { _ = os.Remove(path) }() // at worst an empty file is left
	res := r.command(ctx, h, in, path)
	if res.failed == "" && res.code == 0 {
		res.environ, res.odd = readEnv(ctx, path, r.o.Environ())
	}
	return res
}

// command runs a command to its end, or to that of ctx. env is the file into which it may write variables, "" for none.
func (r *Runner) command(ctx context.Context, h Hook, in []byte, env string) result {
	c, err := r.prepare(h)
	if err != nil {
		return result{failed: "it cannot be started: " + err.Error()}
	}
	if env != "" {
		c.Env = append(c.Env, envVariable+"="+env)
	}
	child, err := r.o.Processes.Start(ctx, c)
	if err != nil {
		return result{failed: "it cannot be started: " + err.Error()}
	}
	crash.Go(func() {
		_, _ = child.Stdin().Write(in) // it need not read
		_ = child.Stdin().Close()
	})
	flooded := make(chan struct{})
	flood := sync.OnceFunc(func() { close(flooded) })
	behind := make(chan struct{})
	out, errs := &output{flood: flood, behind: sync.OnceFunc(func() { close(behind) })}, &output{flood: flood}
	read := make(chan struct{})
	var reading sync.WaitGroup
	reading.Go(crash.Guarded(func() { _, _ = io.Copy(out, child.Stdout()) }))
	reading.Go(crash.Guarded(func() { _, _ = io.Copy(errs, child.Stderr()) }))
	crash.Go(func() { reading.Wait(); close(read) })
	failed := ""
	select {
	case <-child.Done():
		select {
		case <-child.Quiet(read):
		case <-ctx.Done():
		}
	case <-behind:
		r.leave(child, read)
		return result{stdout: "it goes on in the background"}
	case <-ctx.Done():
		failed = "it was ended"
	case <-flooded:
		failed = "it printed more than 8 MB and was ended"
	}
	if failed != "" {
		child.KillGroup()
		crash.Go(func() { _ = child.Kill() }) // also what has left its group, which takes a while
	}
	_ = child.Stdout().Close()
	_ = child.Stderr().Close()
	<-read
	_ = child.Stdin().Close()
	res := result{stdout: out.text(), stderr: errs.text(), failed: failed}
	if failed != "" {
		return res
	}
	exit := child.Exit()
	res.code = exit.Code
	switch {
	case exit.Signal != "":
		res.failed = "it was ended by a signal: " + exit.Signal
	case exit.Code == 0 && out.cut():
		res.failed = "it printed more than 256 KB"
	case exit.Code == 126 || exit.Code == 127:
		res.failed = "it cannot be started: " + said(errs.text())
	}
	return res
}

// leave lets a command that says so go on until it ends, its time is over, or the runner closes.
func (r *Runner) leave(child *proc.Child, read <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.behind.Go(crash.Guarded(func() {
		timer := time.NewTimer(commandTime)
		defer timer.Stop()
		select {
		case <-child.Done():
		case <-timer.C:
		case <-r.life.Done():
		}
		_ = child.Kill()
		_ = child.Stdout().Close()
		_ = child.Stderr().Close()
		_ = child.Stdin().Close()
		<-read
	}))
}

// prepare returns the program that runs a hook.
func (r *Runner) prepare(h Hook) (proc.Command, error) {
	environ := slices.Clone(r.o.Environ())
	for _, name := range slices.Sorted(maps.Keys(h.Env)) {
		environ = append(environ, name+"="+h.Env[name])
	}
	environ = append(environ, "CLAUDE_PROJECT_DIR="+h.Root, "CLAUDE_CODE_SESSION_ID="+r.o.About.Session)
	places := []string{"${CLAUDE_PROJECT_DIR}", h.Root}
	if p := h.Plugin; p != nil {
		for _, name := range []string{"PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"} {
			environ = append(environ, name+"="+p.Dir)
			places = append(places, "${"+name+"}", p.Dir)
		}
		for _, name := range []string{"PLUGIN_DATA", "CLAUDE_PLUGIN_DATA"} {
			environ = append(environ, name+"="+p.Data)
			places = append(places, "${"+name+"}", p.Data)
		}
	}
	c := proc.Command{Dir: r.o.About.Dir, Label: "hook " + h.Event}
	if h.Copilot || h.Dir != "" {
		environ = append(environ, "COPILOT_PROJECT_DIR="+h.Root)
	}
	if h.Dir != "" {
		if c.Dir = h.Dir; !filepath.IsAbs(c.Dir) {
			c.Dir = filepath.Join(h.Root, c.Dir)
		}
	}
	c.Env = environ
	if len(h.Args) == 0 {
		c.Argv = shellFor(h)
		return c, nil
	}
	place := strings.NewReplacer(places...)
	c.Argv = []string{place.Replace(h.Command)}
	for _, arg := range h.Args {
		c.Argv = append(c.Argv, place.Replace(arg))
	}
	switch {
	case !strings.ContainsRune(c.Argv[0], filepath.Separator):
		path, err := exec.LookPath(c.Argv[0])
		if err != nil || !filepath.IsAbs(path) {
			return c, errors.New("there is no program " + c.Argv[0] + " on PATH")
		}
		c.Argv[0] = path
	case !filepath.IsAbs(c.Argv[0]):
		c.Argv[0] = filepath.Join(c.Dir, c.Argv[0])
	}
	return c, nil
}

// shellFor returns the shell that runs a hook's command line: bash where there is one, as Claude Code does.
func shellFor(h Hook) []string {
	if runtime.GOOS == "windows" && (h.Shell == "powershell" || h.Shell == "") {
		return []string{"powershell", "-NoProfile", "-NonInteractive", "-Command", h.Command}
	}
	if bash, err := exec.LookPath("bash"); err == nil && filepath.IsAbs(bash) {
		return []string{bash, "-c", h.Command}
	}
	return []string{"/bin/sh", "-c", h.Command}
}

// output keeps the beginning of what a command prints. It is safe for concurrent use.
type output struct {
	// flood is called once the command prints without end; behind, if set, once its first line says that nothing waits for it.
	flood, behind func()

	mu     sync.Mutex
	data   []byte
	size   int
	looked bool // at the first line
}

// Write never fails.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.size += len(p)
	if room := maxOutput - len(o.data); room > 0 {
		o.data = append(o.data, p[:min(len(p), room)]...)
	}
	if o.behind != nil && !o.looked {
		if line, _, whole := bytes.Cut(o.data, []byte("\n")); whole {
			o.looked = true
			var says struct {
				Async bool `json:"async"`
			}
			if json.Unmarshal(line, &says) == nil && says.Async {
				o.behind()
			}
		}
	}
	if o.size > maxFlood {
		o.flood()
	}
	return len(p), nil
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.data)
}

// cut reports whether something is left out.
func (o *output) cut() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.size > len(o.data)
}
