package uitest

import (
	"strings"
	"testing"
	"time"

	"parley/session"
)

// TestNothingHappensWhenIdle lets an hour pass without anything to show.
func TestNothingHappensWhenIdle(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Text("Hello.")
		turn.End(session.TurnCompleted)
		p.Pass(10 * time.Second)
		counts, bytes := p.Counts(), p.Bytes()
		p.Pass(time.Hour)
		if now := p.Counts(); now != counts {
			t.Errorf("in an idle hour %+v became %+v", counts, now)
		}
		if now := p.Bytes(); now != bytes {
			t.Errorf("in an idle hour %d bytes were drawn", now-bytes)
		}
	})
}

// TestStreamingIsPaced streams a thousand deltas in a second.
func TestStreamingIsPaced(t *testing.T) {
	Run(t, Config{Width: 120, Height: 40}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		p.Settle()
		counts, bytes := p.Counts(), p.Bytes()
		part := turn.OpenPart(session.PartText)
		text := 0
		for i := range 1000 {
			s := "word "
			if i%80 == 79 {
				s = "end.\n\n"
			}
			text += len(s)
			turn.Emit(session.PartDelta{Part: part, Text: s})
			time.Sleep(time.Millisecond)
		}
		p.Settle()
		now := p.Counts()
		// Some 31 wakes for text and 11 turns of the spinner.
		if frames := now.Frames - counts.Frames; frames > 50 {
			t.Errorf("%d frames in a second", frames)
		}
		if layouts := now.Layouts - counts.Layouts; layouts > now.Frames-counts.Frames+3 {
			t.Errorf("%d layouts in %d frames", layouts, now.Frames-counts.Frames)
		}
		if drawn := p.Bytes() - bytes; drawn > 4*text {
			t.Errorf("%d bytes drawn for %d bytes of text", drawn, text)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestKeyCost counts what a key costs while text streams: a frame, at once, and a few bytes.
func TestKeyCost(t *testing.T) {
	Run(t, Config{Width: 120, Height: 40}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Text(strings.Repeat("Some words.\n\n", 50))
		turn.End(session.TurnCompleted)
		p.Pass(10 * time.Second)
		p.Send("x")
		counts, bytes := p.Counts(), p.Bytes()
		const keys = 50
		for range keys {
			p.Send("y") // no time passes
		}
		now := p.Counts()
		if frames := now.Frames - counts.Frames; frames != keys {
			t.Errorf("%d keys made %d frames", keys, frames)
		}
		if now.Layouts != counts.Layouts {
			t.Errorf("%d keys laid out %d items", keys, now.Layouts-counts.Layouts)
		}
		if per := (p.Bytes() - bytes) / keys; per > 25 {
			t.Errorf("a key draws %d bytes", per)
		}
		if !p.Has("> x" + strings.Repeat("y", keys)) {
			t.Errorf("the keys are not all there without time passing:\n%s", p.Text())
		}
	})
}

// TestKeyCostWithTasksAndChildren counts the same with a task list and many child agents on the screen.
func TestKeyCostWithTasksAndChildren(t *testing.T) {
	Run(t, Config{Width: 120, Height: 40, Options: steers}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Emit(session.TodosChanged{Todos: todos})
		for range 200 {
			turn.Child("explore", "look", "Look.", true).Text("Some words.")
		}
		p.Settle()
		p.Keys("ctrl+t")
		turn.End(session.TurnCompleted)
		p.Pass(10 * time.Second)
		p.Send("x")
		counts, bytes := p.Counts(), p.Bytes()
		const keys = 50
		for range keys {
			p.Send("y")
		}
		now := p.Counts()
		if frames := now.Frames - counts.Frames; frames != keys {
			t.Errorf("%d keys made %d frames", keys, frames)
		}
		if now.Layouts != counts.Layouts {
			t.Errorf("%d keys laid out %d items", keys, now.Layouts-counts.Layouts)
		}
		if per := (p.Bytes() - bytes) / keys; per > 25 {
			t.Errorf("a key draws %d bytes", per)
		}
		counts = p.Counts()
		p.Pass(time.Hour)
		if now := p.Counts(); now != counts {
			t.Errorf("in an idle hour %+v became %+v", counts, now)
		}
	})
}

// TestChildViewFollowsCheaply streams into a child agent that is looked into: only what grows is laid out.
func TestChildViewFollowsCheaply(t *testing.T) {
	Run(t, Config{Width: 120, Height: 40}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		c := turn.Child("explore", "look", "Look.", false)
		for range 200 {
			c.Tool("Read", `{"file_path":"a.go"}`, "one\n")
		}
		p.Settle()
		p.Keys("ctrl+x")
		counts := p.Counts()
		turn.Emit(session.PartStarted{Head: c.Head(), Part: "words", Kind: session.PartText})
		for range 500 {
			turn.Emit(session.PartDelta{Head: c.Head(), Part: "words", Text: "word "})
			time.Sleep(time.Millisecond)
		}
		p.Settle()
		now := p.Counts()
		if !p.Has("word word") {
			t.Errorf("the child's words are not shown:\n%s", p.Text())
		}
		if layouts, frames := now.Layouts-counts.Layouts, now.Frames-counts.Frames; layouts > 3*frames+3 {
			t.Errorf("%d layouts in %d frames", layouts, frames)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestBlurredWindowIsDrawnSeldom streams while the window has lost the focus.
func TestBlurredWindowIsDrawnSeldom(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		part := turn.OpenPart(session.PartText)
		p.Send("\x1b[O")
		p.Pass(2 * time.Second)
		counts := p.Counts()
		for range 2000 {
			turn.Emit(session.PartDelta{Part: part, Text: "word "})
			time.Sleep(time.Millisecond)
		}
		p.Settle()
		if frames := p.Counts().Frames - counts.Frames; frames > 14 {
			t.Errorf("%d frames in two seconds that nobody sees", frames)
		}
		p.Send("\x1b[I")
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestScrollingCost pages through a long conversation: only what comes into view is laid out.
func TestScrollingCost(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		for range 300 {
			turn.Text("Some words.\n")
		}
		turn.End(session.TurnCompleted)
		p.Pass(10 * time.Second)
		before := p.Counts().Layouts
		p.Keys("home")
		if n := p.Counts().Layouts - before; n > 30 {
			t.Errorf("going to the beginning laid out %d items", n)
		}
		if !p.Has("> hello") || !p.Has("more below") {
			t.Errorf("home does not show the beginning:\n%s", p.Text())
		}
		p.Keys("end")
		if p.Has("more below") {
			t.Errorf("end does not show the end:\n%s", p.Text())
		}
	})
}
