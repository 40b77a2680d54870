package clipboard

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"parley/internal/human"
)

// System is the machine as a Clipboard needs it. All fields must be set.
type System struct {
	GOOS     string
	Getenv   func(string) string
	LookPath func(string) (string, error)
	// Run runs a program and returns what it printed. It ends the program when ctx ends.
	Run func(ctx context.Context, c Command) ([]byte, error)
}

// Command is a program to be run.
type Command struct {
	Name  string
	Args  []string
	Stdin []byte
	// Output asks for what it prints. Without it the program's output must go nowhere and not to a pipe: xclip stays in the
	// background to answer for what was copied, and would keep the pipe open.
	Output bool
}

// Clipboard is the clipboard of the person at the terminal. It is safe for concurrent use.
type Clipboard struct{ sys System }

// New returns the clipboard. Nothing is run before it is used.
func New(sys System) *Clipboard { return &Clipboard{sys} }

// patience is the time that a program may take. One that waits for a display that is gone never ends.
const patience = 3 * time.Second

// Result describes what became of a text to copy.
type Result struct {
	// Sequence is to be written to the terminal, if it is not empty.
	Sequence string
	// Tool is the program that has taken the text, "" if none has.
	Tool string
	// Certain reports whether the text is known to be on the clipboard.
	Certain bool
	// Bytes is the length of the text, Lines the number of its lines.
	Bytes, Lines int
	// Err is the reason why the text went nowhere, nil if it did go somewhere.
	Err error
}

// ErrTooLarge reports that a text is too long for the only way to copy it.
var ErrTooLarge = errors.New("too long for the terminal's clipboard")

// size returns how long the text is, in words.
func (r Result) size() string {
	switch {
	case r.Lines > 1:
		return human.Count(r.Lines, "line", "lines")
	case r.Bytes == 1:
		return "1 byte"
	case r.Bytes >= 10_000:
		return human.Kilobytes(r.Bytes)
	}
	return fmt.Sprintf("%d bytes", r.Bytes)
}

// Short is Message in at most 36 columns, but for a program with a long name: where it went, and whether that is known.
func (r Result) Short() string {
	switch {
	case errors.Is(r.Err, ErrTooLarge):
		return "Not copied: too long"
	case r.Err != nil:
		return "Not copied"
	case r.Certain:
		return fmt.Sprintf("Copied %s with %s", r.size(), r.Tool)
	case r.Tool != "":
		return fmt.Sprintf("Copied %s to %s", r.size(), r.Tool)
	}
	return fmt.Sprintf("Sent %s, not confirmed", r.size())
}

// Message returns what happened in a few words, for the status line.
func (r Result) Message() string {
	size := r.size()
	switch {
	case r.Err != nil:
		return fmt.Sprintf("Couldn't copy: %v", r.Err)
	case r.Certain:
		return fmt.Sprintf("Copied %s with %s", size, r.Tool)
	case r.Tool != "" && r.Sequence != "":
		return fmt.Sprintf("Copied %s to %s, and to the terminal if it allows OSC 52", size, r.Tool)
	case r.Tool != "":
		return fmt.Sprintf("Copied %s to %s; too long for the terminal's own clipboard", size, r.Tool)
	}
	return fmt.Sprintf("Copied %s. Not there? Allow OSC 52 in the terminal, or see /help copy", size)
}

// Copy puts a text on the clipboard. It may run a program and is not for the event loop. The sequence of the result is for
// the caller to write.
func (c *Clipboard) Copy(ctx context.Context, text string) Result {
	r := Result{Bytes: len(text), Lines: strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1}
	var failed error
	if !c.remote() {
		for _, t := range c.tools() {
			if _, err := c.sys.LookPath(t.name); err != nil {
				continue
			}
			if _, err := c.run(ctx, Command{Name: t.name, Args: t.copy, Stdin: t.input(text)}); err != nil {
				failed = fmt.Errorf("%s: %w", t.name, err)
				continue
			}
			r.Tool, r.Certain = t.name, true
			return r
		}
	}
	m := c.multiplexer()
	if m == Tmux {
		// Its own buffer, from which it can be pasted in any case; -w copies it to the terminal too.
		if _, err := c.run(ctx, Command{Name: "tmux", Args: []string{"load-buffer", "-w", "-"}, Stdin: []byte(text)}); err == nil {
			r.Tool = "tmux"
		}
	}
	r.Sequence = Sequence(text, m)
	if r.Sequence == "" && r.Tool == "" {
		if r.Err = ErrTooLarge; failed != nil {
			r.Err = fmt.Errorf("%w, and %w", ErrTooLarge, failed)
		}
	}
	return r
}

func (c *Clipboard) run(ctx context.Context, cmd Command) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return c.sys.Run(ctx, cmd)
}

// ErrNothing reports that the clipboard holds nothing that can be read, or that there is no program to read it.
var ErrNothing = errors.New("nothing on the clipboard that can be read here")
