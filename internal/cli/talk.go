package cli

import (
	"context"
	"fmt"
	"strings"

	"parley/internal/cli/command"
	"parley/internal/cli/headless"
	"parley/internal/cli/output"
	"parley/internal/human"
)

// talk is the program without a command: a chat, or with -p one answer.
func talk(ctx context.Context, a *app, f rootFlags, words []string) error {
	if err := checkFlags(f); err != nil {
		return err
	}
	if f.plain || !f.answer && !a.interactive() && a.out.Terminal() != nil && output.IsTerminal(a.in) {
		a.cfg.Screen = "plain" // asked for, or a terminal that can show nothing but lines
	}
	plain := a.cfg.Screen == "plain" && !f.answer && !f.detach
	if !f.answer && !f.detach && !plain && !a.interactive() {
		return command.Usagef("this is not a terminal parley can draw on; use --plain for a chat in lines, or -p to answer and exit")
	}
	prompt := strings.Join(words, " ")
	if !output.IsTerminal(a.in) && !plain && !f.print.driven() {
		piped, err := readPiped(a)
		if err != nil {
			return err
		}
		prompt = joinPrompt(prompt, piped)
	}
	if f.detach {
		if err := checkDetach(f, prompt); err != nil {
			return err
		}
	}
	if f.answer && strings.TrimSpace(prompt) == "" && !f.print.driven() {
		return command.Usagef("-p needs words or piped input to answer")
	}
	if f.demo {
		d, err := startDemo()
		if err != nil {
			return err
		}
		defer d.end()
		a.enter(d)
	}
	dir, err := a.workingDir()
	if err != nil {
		return err
	}
	if err := a.checkCustom(ctx, dir); err != nil {
		return err
	}
	if f.detach {
		return detach(ctx, a, f, dir, prompt)
	}
	if f.answer {
		return answer(ctx, a, f, dir, prompt)
	}
	return runChat(ctx, a, f, dir, prompt)
}

// checkFlags refuses flags that exclude each other.
func checkFlags(f rootFlags) error {
	switch {
	case f.cont && f.resume:
		return command.Usagef("use either -c or -r, not both")
	case f.tree != "" && (f.cont || f.resume):
		return command.Usagef("--worktree begins a session; -c and -r go on with one, in its own directory")
	case f.scratch && (f.cont || f.resume || f.tree != ""):
		return command.Usagef("--scratch begins a session in a new folder; it doesn't go with -c, -r or --worktree")
	case f.demo && (f.cont || f.resume):
		return command.Usagef("--demo has no stored sessions to resume")
	}
	return f.print.check(f.answer)
}

// readPiped reads piped input. Of more than fits, the beginning and the end become part of the prompt, with a warning.
func readPiped(a *app) (string, error) {
	text, left, err := headless.ReadContext(a.in)
	if err != nil {
		return "", fmt.Errorf("read piped input: %w", err)
	}
	if strings.ContainsRune(text, 0) {
		return "", command.Usagef("the piped input is not text: write it to a file and name that in the words")
	}
	if left > 0 {
		a.complain(fmt.Sprintf("piped input was cut: %s in its middle were left out", human.Size(left)),
			"Put it into a file and name it, so that the agent can search it.")
	}
	return text, nil
}

// joinPrompt appends piped input to words.
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
