package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"parley/ui/md/cells"
)

// output is one of the two streams that commands print to, and the only way they do: no text of theirs drives a terminal.
// What is printed for people is made visible everywhere, because pipes end at terminals too; what is printed as it is, such
// as an export, only where a terminal shows it. It is safe for concurrent use.
type output struct {
	to      io.Writer // the stream itself
	environ []string
	profile colorprofile.Profile // the colors of a terminal, unknown until they are needed

	mu      sync.Mutex
	visible *cells.Writer // nil if bytes go through as they are
}

// newOutput returns the stream of results: what it gets goes to anything but a terminal as it is.
func newOutput(w io.Writer) *output {
	if !isTerminal(w) {
		return &output{to: w}
	}
	return newMessages(w)
}

// newMessages returns the stream of messages, which are made visible wherever they go.
func newMessages(w io.Writer) *output { return &output{to: w, visible: cells.NewWriter(w)} }

// Write prints text.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.visible == nil {
		return o.to.Write(p)
	}
	return o.visible.Write(p)
}

// close prints what is held back, such as half a character.
func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.visible != nil {
		o.visible.Flush()
	}
}

// terminal returns the terminal that shows this stream, nil if there is none. Only what draws for itself may use it, and
// has to make visible what it draws.
func (o *output) terminal() *os.File {
	if f, ok := o.to.(*os.File); ok && isTerminal(f) {
		return f
	}
	return nil
}

// line prints one line, whatever the arguments hold.
func (o *output) line(format string, args ...any) error {
	_, err := io.WriteString(o, cells.OneLine(fmt.Sprintf(format, args...))+"\n")
	return err
}

// json prints v in lines, with everything escaped that is not seen.
func (o *output) json(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := o.Write(cells.VisibleJSON(b.Bytes()))
	return err
}

// jsonLine prints JSON that is encoded already on one line.
func (o *output) jsonLine(text []byte) error {
	_, err := o.Write(append(cells.VisibleJSON(text), '\n'))
	return err
}

// Bounds in columns and lines: neither a cell nor a message fills a screen, whatever it quotes.
const (
	maxCell    = 200
	maxMessage = 1000
	maxLines   = 12
)

// table prints rows in columns. A cell is one line, whatever it holds, of at most so many columns.
func (o *output) table(most int, rows [][]string) error {
	var widths []int
	grid := make([][]string, len(rows))
	for i, row := range rows {
		for j, text := range row {
			cell := cells.Truncate(cells.OneLine(text), most, "…", cells.WcWidth)
			grid[i] = append(grid[i], cell)
			if j == len(widths) {
				widths = append(widths, 0)
			}
			widths[j] = max(widths[j], cells.Width(cell, cells.WcWidth))
		}
	}
	var b strings.Builder
	for _, row := range grid {
		var line strings.Builder
		for j, cell := range row {
			line.WriteString(cell)
			line.WriteString(strings.Repeat(" ", widths[j]-cells.Width(cell, cells.WcWidth)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(o, b.String())
	return err
}

// isTerminal reports whether v is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// orUnknown returns a text, or a word where there is none.
func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}
