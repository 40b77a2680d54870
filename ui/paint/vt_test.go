package paint

import (
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// virtual is an emulated terminal that a Painter can write to.
type virtual struct {
	mu   sync.Mutex
	emu  *vt.Emulator
	wire strings.Builder // everything that was written
}

func newVirtual(t *testing.T, w, h int) *virtual {
	t.Helper()
	v := &virtual{emu: vt.NewEmulator(w, h)}
	drained := make(chan struct{})
	go func() { // without a reader of its answers the emulator's Write would hang
		defer close(drained)
		b := make([]byte, 256)
		for {
			if _, err := v.emu.Read(b); err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		// Closing the emulator itself races with the reader.
		_ = v.emu.InputPipe().(io.Closer).Close()
		<-drained
	})
	return v
}

func (v *virtual) Write(b []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.wire.Write(b)
	return v.emu.Write(b)
}

func (v *virtual) resize(w, h int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.emu.Resize(w, h)
}

func (v *virtual) cursor() Pos {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.emu.CursorPosition()
	return Pos{p.X, p.Y}
}

func (v *virtual) row(y int) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return rowOf(v.emu.Width(), func(x int) *uv.Cell { return v.emu.CellAt(x, y) })
}

// rowOf describes the cells of a row with their styles, without trailing blanks.
func rowOf(width int, at func(int) *uv.Cell) string {
	end := width
	for ; end > 0; end-- {
		if c := at(end - 1); c != nil && !c.Equal(&uv.EmptyCell) {
			break
		}
	}
	var b strings.Builder
	var pen uv.Style
	for x := range end {
		c := at(x)
		if c == nil || c.Width == 0 {
			continue
		}
		if !c.Style.Equal(&pen) {
			b.WriteString("{" + c.Style.String() + "}")
			pen = c.Style
		}
		b.WriteString(c.Content)
	}
	return b.String()
}

// wanted describes a row as the screen should show it.
func wanted(row string, width int) string {
	line := make(uv.Line, width)
	r := newRowReader(colorprofile.TrueColor)
	r.method = ansi.GraphemeWidth
	r.read(row, line)
	return rowOf(width, line.At)
}

// check fails unless the screen shows these rows.
func (v *virtual) check(t *testing.T, rows []string, w, h int) {
	t.Helper()
	for y := range h {
		var want string
		if y < len(rows) {
			want = wanted(rows[y], w)
		}
		if got := v.row(y); got != want {
			t.Fatalf("row %d of %d×%d:\n got %q\nwant %q", y, w, h, got, want)
		}
	}
}

// written is everything that was written.
func (v *virtual) written() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.wire.String()
}
