package cli

import (
	"fmt"
	"io"
	"time"

	"parley/internal/human"
	"parley/session/runtimes"
	"parley/ui/md/cells"
)

// progressLine shows the progress of an installation on stderr: on a terminal one line that changes, else a line per stage.
type progressLine struct {
	w        io.Writer
	terminal bool
	stage    runtimes.Stage
	drawn    bool
}

// newProgressLine returns the line; quiet shows nothing.
func newProgressLine(a *app, quiet bool) *progressLine {
	if quiet {
		return &progressLine{w: io.Discard}
	}
	term := a.getenv("TERM")
	if f := a.err.Terminal(); f != nil && term != "" && term != "dumb" {
		return &progressLine{w: f, terminal: true}
	}
	return &progressLine{w: a.err}
}

// show shows the progress.
func (l *progressLine) show(p runtimes.Progress) {
	if l.terminal {
		fmt.Fprintf(l.w, "\r\x1b[K%s", progressText(p))
		l.drawn = true
		return
	}
	if p.Stage != l.stage {
		fmt.Fprintln(l.w, progressText(p))
	}
	l.stage = p.Stage
}

// end removes the line.
func (l *progressLine) end() {
	if l.drawn {
		io.WriteString(l.w, "\r\x1b[K")
	}
}

// progressText returns the progress in less than 80 columns.
func progressText(p runtimes.Progress) string {
	text := cells.OneLine(p.Name+"@"+p.Version+":") + " "
	switch p.Stage {
	case runtimes.StageWaiting:
		return text + "waiting for another parley that installs it"
	case runtimes.StageAsking:
		return text + "asking npm"
	case runtimes.StageDone:
		return text + "done"
	}
	text += string(p.Stage)
	switch {
	case p.Total > 0 && p.Done > 0:
		text += fmt.Sprintf(" %d%% of %s", p.Done*100/p.Total, human.Megabytes(p.Total))
	case p.Total > 0:
		text += " " + human.Megabytes(p.Total)
	case p.Done > 0:
		text += " " + human.Megabytes(p.Done)
	}
	if p.PerSecond > 0 {
		text += fmt.Sprintf(", %s/s", human.Megabytes(p.PerSecond))
	}
	if left := p.Left.Round(time.Second); left > 0 {
		text += fmt.Sprintf(", %v left", left)
	}
	return text
}
