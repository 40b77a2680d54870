package output

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

// Stream is one of the two streams that commands print to, and the only way they do: no text of theirs drives a terminal.
// What is printed for people is made visible everywhere, because pipes end at terminals too; what is printed as it is, such
// as an export, only where a terminal shows it. It is safe for concurrent use.
type Stream struct {
	to      io.Writer // the stream itself
	environ []string
	profile colorprofile.Profile // the colors of a terminal, unknown until they are needed

	mu      sync.Mutex
	visible *cells.Writer // nil if bytes go through as they are
}

// Results returns the stream of results: what it gets goes to anything but a terminal as it is.
func Results(w io.Writer, environ []string) *Stream {
	if !IsTerminal(w) {
		return &Stream{to: w, environ: environ}
	}
	return Messages(w, environ)
}

// Messages returns the stream of messages, which are made visible wherever they go.
func Messages(w io.Writer, environ []string) *Stream {
	return &Stream{to: w, environ: environ, visible: cells.NewWriter(w)}
}

// SetProfile sets the colors of a terminal; Unknown leaves them to the environment. It comes before anything is printed.
func (o *Stream) SetProfile(p colorprofile.Profile) { o.profile = p }

// Raw returns the stream itself, for what draws a whole screen on it and for programs that the user runs.
func (o *Stream) Raw() io.Writer { return o.to }

// Write prints text.
func (o *Stream) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.visible == nil {
		return o.to.Write(p)
	}
	return o.visible.Write(p)
}

// Close prints what is held back, such as half a character.
func (o *Stream) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.visible != nil {
		o.visible.Flush()
	}
}

// Terminal returns the terminal that shows this stream, nil if there is none. Only what draws for itself may use it, and
// has to make visible what it draws.
func (o *Stream) Terminal() *os.File {
	if f, ok := o.to.(*os.File); ok && IsTerminal(f) {
		return f
	}
	return nil
}

// Line prints one line, whatever the arguments hold.
func (o *Stream) Line(format string, args ...any) error {
	_, err := io.WriteString(o, cells.OneLine(fmt.Sprintf(format, args...))+"\n")
	return err
}

// JSON prints v in lines, with everything escaped that is not seen.
func (o *Stream) JSON(v any) error {
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

// JSONLine prints JSON that is encoded already on one line.
func (o *Stream) JSONLine(text []byte) error {
	_, err := o.Write(append(cells.VisibleJSON(text), '\n'))
	return err
}

// Bounds in columns and lines: neither a cell nor a message fills a screen, whatever it quotes.
const (
	MaxCell    = 200
	MaxMessage = 1000
	maxLines   = 12
)

// Table prints rows in columns. A cell is one line, whatever it holds, of at most so many columns.
func (o *Stream) Table(most int, rows [][]string) error {
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

// IsTerminal reports whether v is a terminal.
func IsTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// OrUnknown returns a text, or a word where there is none.
func OrUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}
