package lines

import (
	"bufio"
	"io"
	"strings"

	"github.com/charmbracelet/x/term"
)

func isTerminal(r io.Reader) bool {
	f, ok := r.(term.File)
	return ok && term.IsTerminal(f.Fd())
}

// read passes lines on, one at a time.
func (p *console) read(in io.Reader) {
	defer close(p.lines)
	for r := bufio.NewReader(in); ; {
		line, err := r.ReadString('\n')
		if line != "" {
			select {
			case p.lines <- strings.TrimRight(line, "\r\n"):
			case <-p.talk.ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}
