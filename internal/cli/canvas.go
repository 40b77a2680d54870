package cli

import (
	"io"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"parley/ui/style"
)

const (
	// proseWidth is the number of columns that sentences use at most, pipeWidth that of output that no terminal shows.
	proseWidth = 100
	pipeWidth  = 80
	// columnGap is the number of columns between two cells.
	columnGap = 2
)

// measure counts columns as terminals do that were asked for nothing.
var measure = style.Measure{Method: ansi.WcWidth}

// The styles of commands. They use the terminal's own palette.
var (
	plain = lipgloss.NewStyle()
	bold  = lipgloss.NewStyle().Bold(true)
	faint = lipgloss.NewStyle().Faint(true)
	good  = lipgloss.NewStyle().Foreground(lipgloss.Green)
	warn  = lipgloss.NewStyle().Foreground(lipgloss.Red).Bold(true)
)

// canvas is the stream that a command draws lines on: a terminal with its width and colors, or a pipe, which gets no styles.
type canvas struct {
	out      *output
	width    int // columns
	terminal bool
}

// canvas returns the stream as it is now.
func (o *output) canvas() canvas {
	f := o.terminal()
	if f == nil {
		return canvas{out: o, width: pipeWidth}
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil || width < 20 {
		width = 80
	}
	return canvas{out: o, width: width, terminal: true}
}

// prose returns the number of columns for sentences.
func (c canvas) prose() int { return min(c.width, proseWidth) }

// print prints lines of visible text with styles.
func (c canvas) print(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	w := colorprofile.Writer{Forward: c.out.to, Profile: colorprofile.NoTTY}
	if c.terminal {
		if c.out.profile == colorprofile.Unknown {
			c.out.profile = colorprofile.Detect(c.out.to, c.out.environ)
		}
		w.Profile = c.out.profile
	}
	_, err := io.WriteString(&w, strings.Join(lines, "\n")+"\n")
	return err
}

// pair holds a name and its description.
type pair struct{ name, text string }

// leastText is the least width of the texts beside names. With less they go below the names.
const leastText = 20

// pairs lays out pairs in two columns, with the texts below the names where there is not enough room beside them. The names
// take wide columns at least.
func pairs(all []pair, wide, width int, name, text lipgloss.Style) (lines []string) {
	const indent = columnGap
	for _, p := range all {
		wide = max(wide, measure.Width(p.name))
	}
	margin, at := strings.Repeat(" ", indent), indent+wide+columnGap
	beside := at+leastText <= width
	if !beside {
		at = indent + 2*columnGap
	}
	for _, p := range all {
		texts := measure.Fold(p.text, width-at)
		if beside {
			head := margin + name.Render(p.name)
			if texts[0] != "" {
				head += strings.Repeat(" ", at-indent-measure.Width(p.name)) + text.Render(texts[0])
			}
			lines, texts = append(lines, head), texts[1:]
		} else {
			for _, row := range measure.Fold(p.name, width-indent) {
				lines = append(lines, margin+name.Render(row))
			}
		}
		for _, row := range texts {
			if row != "" {
				lines = append(lines, strings.Repeat(" ", at)+text.Render(row))
			}
		}
	}
	return lines
}
