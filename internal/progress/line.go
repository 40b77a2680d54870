package progress

import (
	"fmt"
	"io"
	"time"

	"parley/internal/cli/output"
	"parley/internal/human"
	"parley/session/runtimes"
	"parley/ui/md/cells"
)

// Line shows the progress of an installation: on a terminal one line that changes, else a line per stage. One goroutine at a time
// uses it.
type Line struct {
	w        io.Writer
	terminal bool
	stage    runtimes.Stage
	drawn    bool
}

// New returns a line on the messages of a command. term is the terminal's type, "" if there is none.
func New(messages *output.Stream, term string) *Line {
	if f := messages.Terminal(); f != nil && term != "" && term != "dumb" {
		return &Line{w: f, terminal: true}
	}
	return &Line{w: messages}
}

// Show shows the progress.
func (l *Line) Show(p runtimes.Progress) {
	if l.terminal {
		fmt.Fprintf(l.w, "\r\x1b[K%s", text(p))
		l.drawn = true
		return
	}
	if p.Stage != l.stage {
		fmt.Fprintln(l.w, text(p))
	}
	l.stage = p.Stage
}

// End removes the line.
func (l *Line) End() {
	if l.drawn {
		io.WriteString(l.w, "\r\x1b[K")
	}
}

// text returns a step of an installation in less than 80 columns.
func text(p runtimes.Progress) string {
	line := cells.OneLine(p.Name+"@"+p.Version+":") + " "
	switch p.Stage {
	case runtimes.StageWaiting:
		return line + "waiting for another parley that installs it"
	case runtimes.StageAsking:
		return line + "asking npm"
	case runtimes.StageDone:
		return line + "done"
	}
	line += string(p.Stage)
	switch {
	case p.Total > 0 && p.Done > 0:
		line += fmt.Sprintf(" %d%% of %s", p.Done*100/p.Total, human.Megabytes(p.Total))
	case p.Total > 0:
		line += " " + human.Megabytes(p.Total)
	case p.Done > 0:
		line += " " + human.Megabytes(p.Done)
	}
	if p.PerSecond > 0 {
		line += fmt.Sprintf(", %s/s", human.Megabytes(p.PerSecond))
	}
	if left := p.Left.Round(time.Second); left > 0 {
		line += fmt.Sprintf(", %v left", left)
	}
	return line
}
