package editor

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Program edits a file, at a line unless that is 0, and returns once the user is done. It runs in the foreground, with the terminal as
// its input and output.
type Program interface {
	Edit(path string, line int, in io.Reader, out, errs io.Writer) error
}

// Command is a program that is started by a command line, such as "code --wait". On Unix the line is for the shell, as git
// takes it, so that quotes count.
type Command struct {
	Line string
	Env  []string
}

// FromEnvironment returns the editor that the user configured: line, else VISUAL, else EDITOR, else vi.
func FromEnvironment(line string, env []string, getenv func(string) string) Command {
	for _, l := range []string{line, getenv("VISUAL"), getenv("EDITOR")} {
		if strings.TrimSpace(l) != "" {
			return Command{l, env}
		}
	}
	return Command{"vi", env}
}

// Edit runs the command on a file.
func (c Command) Edit(path string, line int, in io.Reader, out, errs io.Writer) error {
	words, args := strings.Fields(c.Line), []string{path}
	if line > 0 && len(words) > 0 {
		args = placed(filepath.Base(words[0]), path, line)
	}
	cmd := exec.Command("sh", append([]string{"-c", c.Line + ` "$@"`, "sh"}, args...)...)
	if runtime.GOOS == "windows" {
		cmd = exec.Command(words[0], append(words[1:], args...)...)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = in, out, errs, c.Env
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 127 { // from the shell
		return fmt.Errorf("%s: there is no such command", c.Line)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Line, err)
	}
	return nil
}

// Edit is a text in an editor. Text holds what was saved once Run has returned.
type Edit struct {
	Text    string
	Program Program
	// Release gives the terminal away before the program runs. Out is the terminal.
	Release func()
	Out     io.Writer

	in io.Reader
}

// SetStdin sets the input of the editor.
func (e *Edit) SetStdin(r io.Reader) { e.in = r }

// SetStdout is ignored: the editor writes to Out.
func (e *Edit) SetStdout(io.Writer) {}

// SetStderr is ignored: the editor writes to Out.
func (e *Edit) SetStderr(io.Writer) {}

// Run edits a file with the text and reads it back. Line breaks at its end are dropped.
func (e *Edit) Run() error {
	f, err := os.CreateTemp("", "parley-*.md")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if e.Text != "" {
		_, err = f.WriteString(e.Text + "\n")
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	e.Release()
	if err := e.Program.Edit(f.Name(), 0, terminalOf(e.in), e.Out, e.Out); err != nil {
		return err
	}
	b, err := os.ReadFile(f.Name())
	e.Text = strings.TrimRight(string(b), "\n")
	return err
}

// File is a file in an editor, at a line unless that is 0.
type File struct {
	Path    string
	Line    int
	Program Program
	// Release gives the terminal away before the program runs. Out is the terminal.
	Release func()
	Out     io.Writer

	in io.Reader
}

// SetStdin sets the input of the editor.
func (f *File) SetStdin(r io.Reader) { f.in = r }

// SetStdout is ignored: the editor writes to Out.
func (f *File) SetStdout(io.Writer) {}

// SetStderr is ignored: the editor writes to Out.
func (f *File) SetStderr(io.Writer) {}

// Run edits the file.
func (f *File) Run() error {
	f.Release()
	return f.Program.Edit(f.Path, f.Line, terminalOf(f.in), f.Out, f.Out)
}

// terminalOf returns the terminal behind an input, so that a program gets the file itself and not a pipe that is copied into
// it.
func terminalOf(r io.Reader) io.Reader {
	if t, ok := r.(interface{ Terminal() *os.File }); ok {
		return t.Terminal()
	}
	return r
}
