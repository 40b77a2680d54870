package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"parley/internal/output"
)

// maxPiped bounds how much piped input becomes part of a prompt.
const maxPiped = 10 << 20

// talk is the program without a command: a chat, or with -p one answer.
func talk(ctx context.Context, a *app, f rootFlags, words []string) error {
	if err := checkFlags(f); err != nil {
		return err
	}
	if f.plain || !f.print && !a.interactive() && a.out.Terminal() != nil && output.IsTerminal(a.in) {
		a.cfg.Screen = "plain" // asked for, or a terminal that can show nothing but lines
	}
	plain := a.cfg.Screen == "plain" && !f.print
	if !f.print && !plain && !a.interactive() {
		return usagef("this is not a terminal parley can draw on; use --plain for a chat in lines, or -p to answer and exit")
	}
	prompt := strings.Join(words, " ")
	if !output.IsTerminal(a.in) && !plain {
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
	if f.print {
		return answer(ctx, a, f, dir, prompt)
	}
	return runChat(ctx, a, f, dir, prompt)
}

// checkFlags refuses flags that exclude each other.
func checkFlags(f rootFlags) error {
	switch {
	case f.cont && f.resume:
		return usagef("use either -c or -r, not both")
	case f.demo && (f.cont || f.resume):
		return usagef("--demo has no stored sessions to resume")
	case !slices.Contains(outputFormats, f.output):
		return usagef("--output-format: %q is not one of %s", f.output, strings.Join(outputFormats, ", "))
	case f.output != "text" && !f.print:
		return usagef("--output-format needs -p")
	case f.resume && f.print:
		return nil // the first word is the id then
	}
	return nil
}

// readPiped reads piped input.
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
