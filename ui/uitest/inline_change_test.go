package uitest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// longPast are the events of a session of so many turns.
func longPast(id session.ID, turns int) []session.Event {
	var events []session.Event
	at := time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC)
	for i := range turns {
		h := session.Head{Session: id, Turn: session.TurnID(fmt.Sprintf("t%d", i)), At: at}
		part := session.PartID(fmt.Sprintf("p%d", i))
		events = append(events, session.TurnStarted{Head: h, Prompt: session.Prompt{ID: session.PromptID(fmt.Sprint(i)), Text: "again"}, Origin: session.OriginUser},
			session.PartStarted{Head: h, Part: part, Kind: session.PartText}, session.PartDelta{Head: h, Part: part, Text: fmt.Sprintf("Paragraph number %d", i+1)},
			session.PartEnded{Head: h, Part: part}, session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
	}
	return events
}

// longEdit asks whether a file of so many lines may be written, and returns the call and what ends it well.
func longEdit(turn *sessiontest.Turn, lines int) (call session.CallID, done session.ToolEnded, answer <-chan session.Answer) {
	var b strings.Builder
	fmt.Fprintf(&b, "@@ -0,0 +1,%d @@\n", lines)
	for i := range lines {
		fmt.Fprintf(&b, "+Paragraph number %d of the file.\n", i+1)
	}
	edit := session.FileEdit{Path: Dir + "/new.txt", Patch: b.String(), Added: lines}
	in := json.RawMessage(`{"file_path":"/home/ada/src/acme/new.txt","content":"x"}`)
	call = turn.StartTool("Write", string(in))
	_, answer = turn.Ask(session.Asked{Call: call, Permission: &session.PermissionAsk{Tool: "Write", Input: in, Path: edit.Path, Edit: &edit}})
	return call, session.ToolEnded{Call: call, Outcome: session.ToolOK, Edits: []session.FileEdit{edit}}, answer
}

// A change that is asked about is written whole, once: neither is its end repeated above the question, nor all of it when
// it is made.
func TestInlineWritesALongChangeOnce(t *testing.T) {
	Run(t, Config{Options: inlined}, func(p *Program) {
		p.Type("write it")
		turn := p.Turn()
		_, done, answer := longEdit(turn, 60)
		p.Pass(time.Second)
		once := func(when string) {
			t.Helper()
			var got []int
			for _, r := range p.Everything() {
				var n int
				if _, rest, ok := strings.Cut(r, "+ Paragraph number "); ok {
					fmt.Sscan(rest, &n)
					got = append(got, n)
				}
			}
			if len(got) != 60 || got[0] != 1 || got[59] != 60 {
				t.Errorf("%s there is %v", when, got)
			}
		}
		once("while it asks")
		p.resizeAsTerminalsDo(80, 12)
		once("in a lower window")
		p.Keys("y")
		got(p, answer)
		turn.Emit(done)
		turn.End(session.TurnCompleted)
		p.Settle()
		once("when it is made")
		p.GoldenLines("inline-long-change")
	})
}

// What a window that gets lower has pushed into the scrollback is not said again when it is finished.
func TestInlineSaysWhatWasPushedAwayOnce(t *testing.T) {
	Run(t, Config{Width: 80, Height: 40, Options: inlined}, func(p *Program) {
		p.Type("a table")
		turn := p.Turn()
		part := turn.OpenPart(session.PartText)
		text := "| Paragraph |\n|---|\n"
		for i := range 24 {
			text += fmt.Sprintf("| Paragraph number %d |\n", i+1)
		}
		turn.Emit(session.PartDelta{Part: part, Text: text})
		p.Settle()
		p.resizeAsTerminalsDo(80, 30)
		p.resizeAsTerminalsDo(80, 16)
		turn.Emit(session.PartDelta{Part: part, Text: "\nDone.\n"}, session.PartEnded{Part: part})
		turn.End(session.TurnCompleted)
		p.Settle()
		all := p.Everything()
		if got := numbers(all); len(got) != 24 || got[0] != 1 || got[23] != 24 {
			t.Errorf("there is %v:\n%s", got, strings.Join(all, "\n"))
		}
	})
}
