package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"

	"parley/copilot/login"
	"parley/session"
	"parley/session/live"
)

// maxPiped bounds how much piped input becomes part of a prompt.
const maxPiped = 10 << 20

// talk is the program without a command: a chat, or with -p one answer.
func (a *app) talk(ctx context.Context, f rootFlags, words []string) error {
	if err := checkFlags(f); err != nil {
		return err
	}
	prompt := strings.Join(words, " ")
	if f.plain {
		a.cfg.Screen = "plain"
	}
	if !f.print && !a.interactive() && a.out.terminal() != nil && isTerminal(a.in) {
		a.cfg.Screen = "plain" // a terminal that can show lines and nothing else
	}
	plain := a.cfg.Screen == "plain" && !f.print
	if !f.print && !plain && !a.interactive() {
		return usagef("this is not a terminal parley can draw on; use --plain for a chat in lines, or -p to answer and exit")
	}
	if !isTerminal(a.in) && !plain {
		piped, err := readPiped(a.in)
		if err != nil {
			return err
		}
		prompt = joinPrompt(prompt, piped)
	}
	if f.print && strings.TrimSpace(prompt) == "" {
		return usagef("-p needs words or piped input to answer")
	}
	if f.demo {
		end, err := a.startDemo()
		if err != nil {
			return err
		}
		defer end()
	}
	dir, err := a.workingDir()
	if err != nil {
		return err
	}
	if f.print {
		return a.answer(ctx, f, dir, prompt)
	}
	return a.chat(ctx, f, dir, prompt)
}

func checkFlags(f rootFlags) error {
	switch {
	case f.cont && f.resume:
		return usagef("-c and -r exclude each other")
	case f.demo && (f.cont || f.resume):
		return usagef("--demo keeps no sessions to go on with")
	case !slices.Contains(outputFormats, f.output):
		return usagef("--output-format: %q is not one of %s", f.output, strings.Join(outputFormats, ", "))
	case f.output != "text" && !f.print:
		return usagef("--output-format goes with -p")
	case f.resume && f.print:
		return nil // the first word is the id then
	}
	return nil
}

// interactive reports whether there is a terminal that can be drawn on.
func (a *app) interactive() bool {
	t := a.getenv("TERM")
	return a.out.terminal() != nil && t != "" && t != "dumb"
}

func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

func readPiped(r io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxPiped+1))
	if err != nil {
		return "", fmt.Errorf("read piped input: %w", err)
	}
	if len(b) > maxPiped {
		return "", usagef("piped input is larger than %d MiB; put it into a file and name it", maxPiped>>20)
	}
	return string(b), nil
}

func joinPrompt(words, piped string) string {
	piped = strings.TrimRight(piped, "\r\n")
	switch {
	case strings.TrimSpace(piped) == "":
		return words
	case words == "":
		return piped
	default:
		return words + "\n\n" + piped
	}
}

func (a *app) workingDir() (string, error) {
	if a.dir != "" {
		return a.dir, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the working directory: %w", err)
	}
	return dir, nil
}

// draftOptions is what a new session begins with, as configured.
func (a *app) draftOptions(agent, dir string) (live.DraftOptions, error) {
	o := live.DraftOptions{
		Agent:    agent,
		Dir:      dir,
		Settings: session.Settings{Model: a.cfg.Model, Effort: a.cfg.Effort, Mode: session.Mode(a.cfg.PermissionMode)},
	}
	for _, d := range a.cfg.AddDirs {
		abs, err := filepath.Abs(d)
		if err != nil {
			return o, usagef("--add-dir %s: %w", d, err)
		}
		if info, err := os.Stat(abs); err != nil || !info.IsDir() {
			return o, usagef("--add-dir %s is not a directory", d)
		}
		o.Dirs = append(o.Dirs, abs)
	}
	return o, nil
}

// signedOut reports whether err says that there is no usable GitHub login.
func signedOut(err error) bool { return errors.Is(err, login.ErrNoToken) }
