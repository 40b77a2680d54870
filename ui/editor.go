package ui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/paint"
	"parley/ui/question"
)

// editedMsg brings back what was written in the user's editor: a prompt, or with plan the plan that is asked about.
type editedMsg struct {
	text string
	err  error
	plan *question.Question
}

// editing runs the user's editor in the foreground. Bubble Tea gives it the input; the painter gives it the screen.
type editing struct {
	painter *paint.Painter
	run     func(path string, in io.Reader, out, errs io.Writer) error
	out     io.Writer
	text    string

	in     io.Reader
	edited string
}

func (e *editing) SetStdin(r io.Reader) { e.in = r }

// SetStdout and SetStderr are handed the discarded output of the event loop; the editor writes to the terminal.
func (e *editing) SetStdout(io.Writer) {}

// SetStderr is ignored, see SetStdout.
func (e *editing) SetStderr(io.Writer) {}

// Run gives the terminal away and runs the editor on a file with the text. The terminal is taken back once it is in raw
// mode again, see editText.
func (e *editing) Run() error {
	f, err := os.CreateTemp("", "parley-*.md")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if e.text != "" {
		_, err = f.WriteString(e.text + "\n")
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	e.painter.Release()
	if in, ok := e.in.(*watchedFile); ok {
		e.in = in.File
	}
	if err := e.run(f.Name(), e.in, e.out, e.out); err != nil {
		return err
	}
	b, err := os.ReadFile(f.Name())
	e.edited = strings.TrimRight(string(b), "\n")
	return err
}

// edit opens what is written in the user's editor.
func (m *Model) edit() tea.Cmd { return m.editText(m.input.Value(), nil) }

// editText opens a text in the user's editor; plan is the question it belongs to, nil for what is in the composer.
func (m *Model) editText(text string, plan *question.Question) tea.Cmd {
	e := &editing{painter: m.painter, out: m.opts.Output, text: text, run: m.opts.Editor}
	if e.run == nil {
		e.run = m.opts.runEditor
	}
	return tea.Exec(e, func(err error) tea.Msg {
		m.painter.Retake()
		return editedMsg{e.edited, err, plan}
	})
}

// edited takes in what was written in the editor.
func (m *Model) edited(msg editedMsg) tea.Cmd {
	if msg.err != nil {
		m.notices.Warn("the editor failed: " + msg.err.Error())
		return nil
	}
	if msg.plan != nil {
		m.planEdited(msg.plan, msg.text)
		return nil
	}
	return m.input.Edited(msg.text)
}

// runEditor runs the configured editor, else VISUAL, else EDITOR, else vi. Each may hold arguments; on Unix it is a line
// for the shell, as git takes it, so that quotes count.
func (o *Options) runEditor(path string, in io.Reader, out, errs io.Writer) error {
	line := o.EditorCommand
	if line == "" {
		line = o.Getenv("VISUAL")
	}
	if line == "" {
		line = o.Getenv("EDITOR")
	}
	if strings.TrimSpace(line) == "" {
		line = "vi"
	}
	c := exec.Command("sh", "-c", line+` "$@"`, "sh", path)
	if words := strings.Fields(line); runtime.GOOS == "windows" {
		c = exec.Command(words[0], append(words[1:], path)...)
	}
	c.Stdin, c.Stdout, c.Stderr, c.Env = in, out, errs, o.Env
	err := c.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 127 { // what a shell says
		return fmt.Errorf("%s: there is no such command", line)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	return nil
}
