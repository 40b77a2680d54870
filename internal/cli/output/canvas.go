package output

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

// Measure counts columns as terminals do that were asked for nothing.
var Measure = style.Measure{Method: ansi.WcWidth}

// The styles of commands. They use the terminal's own palette.
var (
	Plain = lipgloss.NewStyle()
	Bold  = lipgloss.NewStyle().Bold(true)
	Faint = lipgloss.NewStyle().Faint(true)
	Good  = lipgloss.NewStyle().Foreground(lipgloss.Green)
	Warn  = lipgloss.NewStyle().Foreground(lipgloss.Red).Bold(true)
)

// Canvas is the stream that a command draws lines on: a terminal with its width and colors, or a pipe, which gets no styles.
type Canvas struct {
	out      *Stream
	Width    int // columns
	Terminal bool
}

// Canvas returns the stream as it is now.
func (o *Stream) Canvas() Canvas {
	f := o.Terminal()
	if f == nil {
		return Canvas{out: o, Width: pipeWidth}
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil || width < 20 {
		width = 80
	}
	return Canvas{out: o, Width: width, Terminal: true}
}

// Prose returns the number of columns for sentences.
func (c Canvas) Prose() int { return min(c.Width, proseWidth) }

// Print prints lines of visible text with styles.
func (c Canvas) Print(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	w := colorprofile.Writer{Forward: c.out.to, Profile: colorprofile.NoTTY}
	if c.Terminal {
		if c.out.profile == colorprofile.Unknown {
			c.out.profile = colorprofile.Detect(c.out.to, c.out.environ)
		}
		w.Profile = c.out.profile
	}
	_, err := io.WriteString(&w, strings.Join(lines, "\n")+"\n")
	return err
}

// Pair holds a name and its description.
type Pair struct{ Name, Text string }

// minText is the least width of the texts beside names. With less they go below the names.
const minText = 20

// Pairs lays out pairs in two columns, with the texts below the names where there is not enough room beside them. The names
// take wide columns at least.
func Pairs(all []Pair, wide, width int, name, text lipgloss.Style) (lines []string) {
	const indent = columnGap
	for _, p := range all {
		wide = max(wide, Measure.Width(p.Name))
	}
	margin, at := strings.Repeat(" ", indent), indent+wide+columnGap
	beside := at+minText <= width
	if !beside {
		at = indent + 2*columnGap
	}
	for _, p := range all {
		texts := Measure.Fold(p.Text, width-at)
		if beside {
			head := margin + name.Render(p.Name)
			if texts[0] != "" {
				head += strings.Repeat(" ", at-indent-Measure.Width(p.Name)) + text.Render(texts[0])
			}
			lines, texts = append(lines, head), texts[1:]
		} else {
			for _, row := range Measure.Fold(p.Name, width-indent) {
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
