package signin

import (
	"os"
	"strings"

	"parley/ui/core"
	"parley/ui/style"
)

// InLines asks how to sign in, because there is no login. It returns the choice, and the signal that ended it, nil for none.
func InLines(t *core.Lines, lines <-chan string, sigs <-chan os.Signal) (core.Choice, os.Signal) {
	in := t.Options.SignIn
	t.Print("note", "parley needs a GitHub login with Copilot. Looked in: "+strings.Join(in.Looked, ", "))
	if in.Problem != nil {
		t.Print("error", strings.TrimSpace(style.OneLine(in.Problem.What+" "+in.Problem.Next)))
	}
	ways := "d = try the demo, q = leave"
	if !in.GH && !in.Code {
		for _, way := range in.Ways {
			t.Print("note", way)
		}
	}
	if in.Code {
		ways = "c = sign in with a code to enter on GitHub, " + ways
	}
	if in.GH {
		ways = "s = sign in with gh, " + ways
	}
	for {
		t.Print("answer", ways)
		select {
		case <-t.Context.Done():
			return core.ChooseQuit, nil
		case s := <-sigs:
			return core.ChooseQuit, s
		case line, ok := <-lines:
			switch l := strings.TrimSpace(line); {
			case !ok || l == "q" || l == "/quit":
				return core.ChooseQuit, nil
			case l == "d":
				return core.ChooseDemo, nil
			case l == "c" && in.Code:
				return core.ChooseCode, nil
			case l == "s" && in.GH:
				return core.ChooseSignIn, nil
			}
		}
	}
}
