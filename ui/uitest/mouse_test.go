package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// TestWheel scrolls the conversation, the help and pickers.
func TestWheel(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		turns(p, 10)
		before := p.Text()
		p.Wheel(-3)
		if !p.Has("more below") || p.Text() == before {
			t.Errorf("the wheel does not scroll up:\n%s", p.Text())
		}
		p.Wheel(4)
		if p.Has("more below") {
			t.Errorf("the wheel does not come back to the end:\n%s", p.Text())
		}
		p.Keys("?")
		before = p.Text()
		p.Wheel(2)
		if p.Text() == before {
			t.Error("the wheel does not scroll the help")
		}
		p.Keys("esc")
		p.Type("/mode")
		p.Settle()
		before = p.Text()
		p.Wheel(1)
		if p.Text() == before {
			t.Errorf("the wheel does not move in a picker:\n%s", p.Text())
		}
		x, y := p.Find("❯")
		p.Click(x, y, 2)
		if _, n := p.Copied(); n != 0 {
			t.Error("something behind the picker was selected")
		}
	})
}

// TestClickOnMoreBelow goes to the end with the mouse.
func TestClickOnMoreBelow(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		turns(p, 10)
		p.Wheel(-5)
		x, y := p.Find("more below")
		p.Click(x, y, 1)
		if p.Has("more below") {
			t.Errorf("it is not at the end:\n%s", p.Text())
		}
	})
}

// TestCopyLeavesOutWhatIsOurs drags over a prompt that was broken to fit, over a change and over code in a list.
func TestCopyLeavesOutWhatIsOurs(t *testing.T) {
	Run(t, Config{Width: 60, Height: 40}, func(p *Program) {
		prompt := "please look at the timer that is started too late, and then at everything else that might be wrong with it"
		p.Type(prompt)
		turn := p.Turn()
		edit := turn.StartTool("Edit", `{"file_path":"/home/ada/src/acme/retry.go","old_string":"a","new_string":"b"}`)
		turn.Emit(session.ToolEnded{Call: edit, Outcome: session.ToolOK, Edits: []session.FileEdit{retryEdit}})
		turn.Text("Done:\n\n1. first\n\n   > quoted words that are long enough to be broken somewhere in the middle\n")
		turn.End(session.TurnCompleted)
		p.Pass(time.Second)
		for _, c := range []struct {
			name, from, to string
			past           int
			want           string
		}{
			{"a prompt", "please look", "with it", 10, prompt},
			{"a change", "timer := time", "defer timer", 30, "timer := time.NewTimer(backoff)\n\ttimer := time.NewTimer(backoff)\n\tdefer timer.Stop()"},
			{"a quote in a list", "first", "middle", 10, ""},
		} {
			x, y := p.Find(c.from)
			p.Press(x, y)
			x, y = p.Find(c.to)
			p.Drag(x+c.past, y)
			p.Release(x+c.past, y)
			p.Settle()
			got, _ := p.Copied()
			if c.want != "" && got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
			if strings.ContainsAny(got, "│•") || c.want == "" && !strings.Contains(got, "quoted words that are long enough to be broken somewhere in the middle") {
				t.Errorf("%s: %q", c.name, got)
			}
			p.Pass(time.Second)
		}
	})
}

// TestFindWideCharacters marks whole characters of two cells.
func TestFindWideCharacters(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("なぜテストが失敗しますか？")
		turn := p.Turn()
		turn.Text(japanese)
		turn.End(session.TurnCompleted)
		p.Pass(time.Second)
		p.Keys("ctrl+f")
		p.Send("テスト")
		p.Settle()
		if !p.Has("2 of 2") {
			t.Errorf("not all is found:\n%s", p.Text())
		}
		p.Golden("find-cjk-80x24")
	})
}

// TestSelectingStreamingText holds what a selection costs while text streams: no more frames, and nothing that grows with
// the length of the conversation.
func TestSelectingStreamingText(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		turns(p, 30)
		p.Type("more")
		turn := p.Turn()
		part := turn.OpenPart(session.PartText, "The first words of it.\n\n")
		p.Settle()
		x, y := p.Find("The first words")
		p.Press(x, y)
		p.Drag(x+12, y)
		before := p.Counts()
		for i := range 200 {
			turn.Emit(session.PartDelta{Part: part, Text: fmt.Sprintf("word%d ", i)})
			time.Sleep(5 * time.Millisecond)
		}
		p.Settle()
		now := p.Counts()
		if n := now.Frames - before.Frames; n > 60 {
			t.Errorf("%d frames in a second", n)
		}
		if n := now.Layouts - before.Layouts; n > 2*(now.Frames-before.Frames) {
			t.Errorf("%d layouts in %d frames", n, now.Frames-before.Frames)
		}
		p.Release(x+12, y)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestWheelInDelegate scrolls the statement of work that is handed over, and not the conversation behind it.
func TestWheelInDelegate(t *testing.T) {
	w, _ := cloudWorld()
	l := newLocal()
	Run(t, Config{Width: 80, Height: 24, World: w, Options: withLocal(l)}, func(p *Program) {
		l.begin()
		discussed(p)
		p.Type("/delegate start the timer first")
		p.Pass(time.Second)
		p.Keys("ctrl+home")
		for i := range 40 {
			p.Keys("enter")
			p.Send(fmt.Sprintf("row %d", i))
		}
		p.Settle()
		if text := p.Text(); !strings.Contains(text, "row 39") || strings.Contains(text, "row 12") {
			t.Fatal(text)
		}
		p.Wheel(-30)
		if text := p.Text(); !strings.Contains(text, "row 12") || strings.Contains(text, "row 39") {
			t.Error(text)
		}
	})
}
