package lines

import (
	"fmt"

	"parley/ui/core"
	"parley/ui/style"
)

// elsewhere reports whether the session is open in another window, which alone goes on with it, and the number of its process. It can be
// copied.
func (t *talk) elsewhere() (pid int, elsewhere bool) {
	if !t.opts.Manager.CanFork(t.agent()) {
		return 0, false
	}
	return t.session.Elsewhere()
}

// warnElsewhere prints that another window has the session, and the way on.
func (t *talk) warnElsewhere() {
	pid, elsewhere := t.elsewhere()
	if !elsewhere {
		return
	}
	by := ""
	if pid > 0 {
		by = fmt.Sprintf(" (pid %d)", pid)
	}
	t.print("note", "This session is open in another window"+by+". A prompt continues in a copy")
}

// goOn continues in a copy of a session that is open in another window, or in the session if that window has closed it, and sends the
// prompts written meanwhile.
func (p *prompts) goOn() {
	next, ctx := core.GoOn(p.talk.opts.Manager, p.talk.session, p.talk.a.Transcript), p.talk.ctx
	p.talk.background(func() func() {
		s, note, err := next(ctx)
		return func() {
			texts := p.copying
			p.copying = nil
			switch {
			case err != nil:
				p.talk.problem(err)
				for _, text := range texts {
					p.talk.print("note", "Not sent: "+style.OneLine(text))
				}
				return
			case note != "":
				p.talk.print("note", note)
				p.show(s)
			}
			for _, text := range texts {
				p.post(text)
			}
		}
	})
}
