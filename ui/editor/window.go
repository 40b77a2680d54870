package editor

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"parley/internal/crash"
)

// starting is the time within which an editor that cannot open a file says so.
const starting = 2 * time.Second

// windows are the editors with windows of their own, with how they are told the place in a file.
var windows = map[string]func(path string, line int) []string{
	"code": goTo, "code-insiders": goTo, "codium": goTo, "cursor": goTo, "windsurf": goTo, "subl": colon, "zed": colon,
	"gvim": plus, "mvim": plus, "gedit": plus,
	"idea": option("--line"), "goland": option("--line"), "pycharm": option("--line"), "webstorm": option("--line"), "kate": option("-l"),
}

// inTerminal are editors that take a terminal, with how they are told the place in a file.
var inTerminal = map[string]func(path string, line int) []string{"vi": plus, "vim": plus, "nvim": plus, "nano": plus, "micro": plus, "emacs": plus,
	"kak": plus, "hx": colon, "helix": colon}

func goTo(path string, line int) []string { return append([]string{"--goto"}, colon(path, line)...) }

func colon(path string, line int) []string {
	if line == 0 {
		return []string{path}
	}
	return []string{fmt.Sprintf("%s:%d", path, line)}
}

func plus(path string, line int) []string { return []string{fmt.Sprintf("+%d", max(line, 1)), path} }

func option(name string) func(path string, line int) []string {
	return func(path string, line int) []string { return []string{name, fmt.Sprint(max(line, 1)), path} }
}

// placed returns the arguments by which an editor goes to a line of a file, or only the file for one that is unknown.
func placed(name, path string, line int) []string {
	for _, known := range []map[string]func(string, int) []string{windows, inTerminal} {
		if place := known[name]; place != nil {
			return place(path, line)
		}
	}
	return []string{path}
}

// Window returns what opens a file beside parley, at a line unless it is 0: an editor with a window of its own, or within tmux any
// editor in a new pane. It is nil where the editor would take parley's terminal.
func (c Command) Window(getenv func(string) string) func(ctx context.Context, path string, line int) error {
	words := strings.Fields(c.Line)
	if len(words) == 0 || runtime.GOOS == "windows" {
		return nil
	}
	name := filepath.Base(words[0])
	if windows[name] != nil {
		return func(ctx context.Context, path string, line int) error {
			return c.start(ctx, append([]string{"sh", "-c", c.Line + ` "$@"`, "sh"}, placed(name, path, line)...))
		}
	}
	if getenv("TMUX") == "" {
		return nil
	}
	return func(ctx context.Context, path string, line int) error {
		return c.start(ctx, append([]string{"tmux", "split-window", "-h", "sh", "-c", c.Line + ` "$@"`, "sh"}, placed(name, path, line)...))
	}
}

// start starts a program that may run as long as the user wants, and reports that it failed at once.
func (c Command) start(ctx context.Context, args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = c.Env
	var errs strings.Builder
	cmd.Stderr = &limited{b: &errs}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w", c.Line, err)
	}
	ended := make(chan error, 1)
	crash.Go(func() { ended <- cmd.Wait() })
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("%s: %s", c.Line, cmp.Or(strings.TrimSpace(errs.String()), err.Error()))
		}
	case <-time.After(starting):
	case <-ctx.Done():
	}
	return nil
}

// limited takes the first kilobyte that a program says.
type limited struct{ b *strings.Builder }

func (l *limited) Write(p []byte) (int, error) {
	l.b.Write(p[:min(len(p), 1000-min(l.b.Len(), 1000))])
	return len(p), nil
}
