package lines

import (
	"os"
	"strings"

	"parley/ui/core"
	"parley/ui/style"
)

// signIn asks how to sign in, because there is no login.
func (p *console) signIn(sigs <-chan os.Signal) {
	p.talk.a = newAnnouncer("", p.talk.opts.Dir, p.talk.out)
	in := p.talk.opts.SignIn
	p.result.Choice = core.ChooseQuit
	p.talk.print("note", "parley needs a GitHub login with Copilot. Looked in: "+strings.Join(in.Looked, ", "))
	if in.Problem != nil {
		p.talk.print("error", strings.TrimSpace(style.OneLine(in.Problem.What+" "+in.Problem.Next)))
	}
	ways := "d = try the demo, q = leave"
	if !in.GH && !in.Code {
		for _, way := range in.Ways {
			p.talk.print("note", way)
		}
	}
	if in.Code {
		ways = "c = sign in with a code to enter on GitHub, " + ways
	}
	if in.GH {
		ways = "s = sign in with gh, " + ways
	}
	for {
		p.talk.print("answer", ways)
		select {
		case <-p.talk.ctx.Done():
			return
		case s := <-sigs:
			p.result.Reason, p.result.Signal = core.LeftSignal, s
			return
		case line, ok := <-p.lines:
			switch l := strings.TrimSpace(line); {
			case !ok || l == "q" || l == "/quit":
				return
			case l == "d":
				p.result.Choice = core.ChooseDemo
				return
			case l == "c" && in.Code:
				p.result.Choice = core.ChooseCode
				return
			case l == "s" && in.GH:
				p.result.Choice = core.ChooseSignIn
				return
			}
		}
	}
}
