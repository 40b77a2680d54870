package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// TestFindScreens looks for something in what is folded, goes through the matches and leaves.
func TestFindScreens(t *testing.T) {
	eachReadSize(t, Config{}, func(p *Program, size string) {
		p.Keys("ctrl+f")
		p.Send("timer")
		p.Settle()
		p.Golden("find-typed-" + size)
		p.Keys("enter")
		p.Keys("n")
		p.Golden("find-walked-" + size)
		p.Keys("/", "ctrl+u")
		p.Send("lost the race")
		p.Settle()
		if !p.Has("lost the race again") {
			t.Errorf("what holds the match is not open:\n%s", p.Text())
		}
		p.Golden("find-unfolds-" + size)
		p.Keys("esc")
		if p.Has("lost the race again") {
			t.Errorf("what was opened for the search stays open:\n%s", p.Text())
		}
		p.Keys("ctrl+f")
		p.Send("no such thing")
		p.Settle()
		p.Golden("find-nothing-" + size)
		p.Keys("esc")
		p.Send("x")
		if !p.Has("> x") {
			t.Errorf("the keyboard is not back:\n%s", p.Text())
		}
	})
}

// TestFindGoesThroughAll walks through matches in both directions and around the ends.
func TestFindGoesThroughAll(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		turns(p, 30)
		p.Keys("ctrl+f")
		p.Send("needle")
		p.Settle()
		if !p.Has("30 of 30") || !p.Has("needle29 in the output") {
			t.Fatalf("the newest match is not shown:\n%s", p.Text())
		}
		p.Keys("enter")
		for range 5 {
			p.Keys("n")
		}
		if !p.Has("25 of 30") || !p.Has("needle24 in the output") || p.Has("needle25 in the output") {
			t.Errorf("five before:\n%s", p.Text())
		}
		p.Keys("N", "N")
		if !p.Has("27 of 30") || !p.Has("needle26 in") {
			t.Errorf("two after:\n%s", p.Text())
		}
		p.Keys("N", "N", "N", "N")
		if !p.Has("1 of 30") || !p.Has("needle0 in") {
			t.Errorf("around the end:\n%s", p.Text())
		}
		p.Keys("esc")
		if !p.Has("needle0 in the output") || !p.Has("question 0") {
			t.Errorf("closing does not stay at the match:\n%s", p.Text())
		}
		p.Keys("ctrl+f")
		p.Send("has several")
		p.Settle()
		if !p.Has(" of 30 ") {
			t.Errorf("words are not found:\n%s", p.Text())
		}
		p.Keys("esc")
		// Capitals count if there are any.
		p.Keys("ctrl+f")
		p.Send("NEEDLE")
		p.Settle()
		if !p.Has("not found") {
			t.Errorf("capitals do not count:\n%s", p.Text())
		}
	})
}

// TestFindWhileTextStreams finds what comes while the search is open.
func TestFindWhileTextStreams(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		turns(p, 3)
		p.Type("more")
		turn := p.Turn()
		part := turn.OpenPart(session.PartText, "A needle. ")
		p.Settle()
		p.Keys("ctrl+f")
		p.Send("needle")
		p.Settle()
		if !p.Has("4 of 4") {
			t.Errorf("before:\n%s", p.Text())
		}
		turn.Emit(session.PartDelta{Part: part, Text: "Another needle, and a needle."})
		p.Settle()
		if !p.Has("4 of 6") {
			t.Errorf("what came is not counted:\n%s", p.Text())
		}
		_, answer := commandAsk(turn, "make")
		p.Pass(3 * time.Second)
		p.Send("y") // belongs to the search
		p.Settle()
		if !p.Has("needley") {
			t.Errorf("an ask took the keyboard:\n%s", p.Text())
		}
		p.Keys("esc")
		p.Pass(time.Second)
		p.Keys("n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestFindIsBounded counts what a key costs in a long conversation.
func TestFindIsBounded(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		for i := range 2000 {
			turn.Text(fmt.Sprintf("Part %d. ", i) + strings.Repeat("Some words of no meaning. ", 60))
		}
		turn.End(session.TurnCompleted)
		p.Pass(5 * time.Second)
		p.Keys("ctrl+f")
		before := p.Counts()
		p.Send("p") // no time passes: one step is made
		p.Send("a")
		p.Send("r")
		if n := p.Counts().Frames - before.Frames; n > 6 {
			t.Errorf("three keys made %d frames", n)
		}
		if p.Has("of 2,000") {
			t.Error("everything was searched within the keys")
		}
		p.Send("\x1b[I") // what was counted was read before what comes now
		p.Pass(time.Second)
		if !p.Has("2,000 of 2,000") {
			t.Errorf("not everything was searched:\n%s", p.Text())
		}
		if n := p.Counts().Layouts - before.Layouts; n > 60 {
			t.Errorf("searching laid out %d items", n)
		}
		before = p.Counts()
		p.Send("\x1b[I")
		p.Pass(time.Minute)
		if now := p.Counts(); now.Updates > before.Updates+1 {
			t.Errorf("after the search %d updates", now.Updates-before.Updates)
		}
	})
}

// TestFindInLinks takes the reader to each match as it is drawn, also where there are links.
func TestFindInLinks(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("and links?")
		turn := p.Turn()
		turn.Text("Read [the docs](https://docs.example.org/docs), the docs know.")
		turn.End(session.TurnCompleted)
		p.Pass(time.Second)
		for _, k := range []string{"", "n", "n", "n"} { // every match is drawn where the reader is taken
			if k == "" {
				p.Keys("ctrl+f")
				p.Send("docs")
				p.Settle()
				p.Keys("enter")
			} else {
				p.Keys(k)
			}
			if dump := p.Dump(); !strings.Contains(dump, "bg=#ffaf5f") {
				t.Errorf("after %q the match is not drawn:\n%s", k, dump)
			}
		}
	})
}

// TestFindReadsAsPeopleDo looks for words as they are read, and for marks where those are asked for.
func TestFindReadsAsPeopleDo(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Text("The test closes the server before the **last retry** has been\nread. In `retry.go` the timer starts.\n\n```c\nint *p = *q;\n```\n")
		turn.End(session.TurnCompleted)
		p.Pass(time.Second)
		for query, n := range map[string]int{"the last retry has": 1, "been read. In retry.go the": 1, "**last": 1, "int *p": 1, "nothing*": 0} {
			p.Keys("ctrl+f")
			p.Send(query)
			p.Settle()
			if n == 0 && !p.Has("not found") || n > 0 && !p.Has(fmt.Sprintf("%d of %d", n, n)) {
				t.Errorf("%q:\n%s", query, p.Text())
			}
			p.Keys("esc")
		}
		p.Keys("ctrl+f")
		p.Send("the last retry has been read")
		p.Settle()
		p.Golden("find-marks")
	})
}
