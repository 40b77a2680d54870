package uitest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
	"parley/ui"
)

// working plays a turn with a command and a child agent in the background, and one command that runs.
func working(p *Program, asked *[]sessiontest.WorkRequest, answer func(c *sessiontest.Conversation, r sessiontest.WorkRequest) error) (turn *sessiontest.Turn, build, wait session.CallID, child *sessiontest.Child) {
	p.World.Agent.OnWork(func(c *sessiontest.Conversation, r sessiontest.WorkRequest) error {
		*asked = append(*asked, r)
		if answer != nil {
			return answer(c, r)
		}
		return nil
	})
	p.Type("build it and look around")
	turn = p.Turn()
	turn.Text("I build it, and send somebody to look around.")
	build = turn.StartTool("Bash", `{"command":"make -j4 release","run_in_background":true}`)
	turn.ToBackground(build)
	for i := range 30 {
		turn.Emit(session.ToolOutput{Call: build, Text: fmt.Sprintf("cc -O2 -c part%02d.c\n", i)})
	}
	child = turn.Child("explore", "find every retry loop", "find them", true)
	turn.ToBackground(child.Call)
	child.Tool("Grep", `{"pattern":"retry"}`, "3 files")
	child.Text("There are three retry loops so far.")
	p.Pass(65 * time.Second)
	wait = turn.StartTool("Bash", `{"command":"go test ./..."}`)
	turn.Emit(session.ToolOutput{Call: wait, Text: "ok  \tacme/upload\n"})
	p.Pass(5 * time.Second)
	return turn, build, wait, child
}

// endBuild ends the command, and begins the turn that its end is the reason of.
func endBuild(p *Program, turn *sessiontest.Turn, build session.CallID) {
	code := 2
	c := turn.Conversation()
	c.Emit(session.ToolEnded{Call: build, Outcome: session.ToolFailed, Duration: 3 * time.Minute,
		Result: session.ToolResult{Text: "cc -O2 -c part30.c\npart30.c:7: error: expected ';'\nmake: *** [part30.o] Error 1", ExitCode: &code}})
	h := session.Head{Turn: "auto"}
	c.Emit(session.TurnStarted{Head: h, Origin: session.OriginAutonomous, Because: "make -j4 release ended with exit code 2", Call: build},
		session.PartReplaced{Head: h, Part: "p", Kind: session.PartText, Text: "The release build failed: a semicolon is missing in part30.c."},
		session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
}

func TestWorkLook(t *testing.T) {
	for name, size := range map[string][2]int{"work-120x40": {120, 40}, "work-80x24": {80, 24}, "work-40x12": {40, 12}} {
		for _, light := range []bool{false, true} {
			if light && size[0] != 120 {
				continue
			}
			if light {
				name += "-light"
			}
			var asked []sessiontest.WorkRequest
			Run(t, Config{Width: size[0], Height: size[1], Options: func(o *ui.Options) { o.Light = light }}, func(p *Program) {
				turn, build, wait, child := working(p, &asked, nil)
				p.Golden(name + "-runs")
				p.Keys("alt+j")
				p.Golden(name)
				p.Keys("enter")
				p.Golden(name + "-reads")
				p.Keys("esc", "down", "m")
				p.Send("look in proxy, too")
				p.Settle()
				p.Golden(name + "-writes")
				p.Keys("esc", "x")
				p.Golden(name + "-stops")
				p.Keys("esc", "esc")
				turn.Emit(session.ToolEnded{Call: wait, Outcome: session.ToolOK, Result: session.ToolResult{Text: "ok"}})
				turn.End(session.TurnCompleted)
				p.Settle()
				endBuild(p, turn, build)
				child.End(session.TurnCompleted, "three loops")
				p.Settle()
				p.Golden(name + "-ended")
				p.Keys("alt+j")
				p.Golden(name + "-past")
			})
		}
	}
}

// Keys reach the agent: what runs goes to the background, one command is stopped at once, a child agent at the second key.
func TestWorkKeys(t *testing.T) {
	var asked []sessiontest.WorkRequest
	Run(t, Config{Width: 100, Height: 30}, func(p *Program) {
		turn, build, wait, child := working(p, &asked, func(_ *sessiontest.Conversation, r sessiontest.WorkRequest) error {
			if r.What == "resume" {
				return &session.Error{Op: "resume", Kind: session.KindNotFound, Err: errors.New("it is gone")}
			}
			return nil
		})
		p.Send("ab")
		p.Send("\x02") // left a character
		p.Send("x")
		p.Settle()
		if len(asked) != 0 || !p.Has("axb") {
			t.Fatalf("while something is written: %+v\n%s", asked, p.Text())
		}
		p.Send("\x05\x15\x02")
		p.Settle()
		if len(asked) != 1 || asked[0].What != "background" || asked[0].Call != wait {
			t.Fatalf("ctrl+b: %+v\n%s", asked, p.Text())
		}
		turn.ToBackground(wait)
		p.Settle()
		p.Keys("alt+j", "x")
		p.Settle()
		if len(asked) != 2 || asked[1].What != "stop" || asked[1].Call != build {
			t.Fatalf("x: %+v", asked)
		}
		p.Keys("down", "x", "down", "up", "x")
		p.Settle()
		if len(asked) != 2 || !p.Has("x to stop it") {
			t.Fatalf("a child is stopped without asking: %+v\n%s", asked, p.Text())
		}
		p.Keys("x", "m")
		p.Send("mind the tests\r")
		p.Settle()
		if len(asked) != 4 || asked[2].What != "stop" || asked[2].Call != child.Call || asked[3].What != "steer" || asked[3].Child != child.ID || asked[3].Prompt.Text != "mind the tests" {
			t.Fatalf("%+v\n%s", asked, p.Text())
		}
		child.End(session.TurnCancelled, "")
		p.Settle()
		p.Keys("m")
		p.Send("again\r")
		p.Settle()
		if len(asked) != 5 || asked[4].What != "resume" || !p.Has("Couldn't resume explore") {
			t.Fatalf("%+v\n%s", asked, p.Text())
		}
	})
}

// The panel follows the end of the output, stays where the user scrolled to, and finds words in it.
func TestWorkOutput(t *testing.T) {
	var asked []sessiontest.WorkRequest
	Run(t, Config{Width: 80, Height: 16}, func(p *Program) {
		turn, build, _, _ := working(p, &asked, nil)
		p.Type("/background")
		p.Keys("enter")
		turn.Emit(session.ToolOutput{Call: build, Text: "linking\n"})
		p.Settle()
		if !p.Has("linking") {
			t.Fatalf("it does not follow:\n%s", p.Text())
		}
		p.Keys("pgup", "pgup")
		top := p.Text()
		turn.Emit(session.ToolOutput{Call: build, Text: "stripping\n"})
		p.Settle()
		if p.Has("stripping") || !strings.Contains(top, "part10.c") || !p.Has("part10.c") || !p.Has("more below") {
			t.Fatalf("it does not stay:\n%s\nwas\n%s", p.Text(), top)
		}
		p.Keys("/")
		p.Send("PART03\r")
		p.Settle()
		if !p.Has("part03.c") {
			t.Fatalf("not found:\n%s", p.Text())
		}
		p.Keys("end")
		if !p.Has("stripping") {
			t.Fatalf("not at the end:\n%s", p.Text())
		}
		p.Keys("esc", "esc")
		if !p.Has("2 in the background") {
			t.Fatalf("not counted:\n%s", p.Text())
		}
		x, y := p.Find("2 in the background")
		p.Click(x, y, 1)
		p.Settle()
		if !p.Has("in this turn") {
			t.Fatalf("the count does not open it:\n%s", p.Text())
		}
		// Leaving says what it stops.
		p.Keys("esc", "ctrl+d")
		if !p.Has("Leaving stops 2 commands and agents in the background") {
			t.Fatalf("leaving says nothing:\n%s", p.Text())
		}
	})
}
