package uitest

import (
	"strings"
	"testing"
	"time"

	"parley/session"
)

// TestSmallWindow chats in a window that is too small for everything: it shows the composer and the last lines.
func TestSmallWindow(t *testing.T) {
	Run(t, Config{Width: 30, Height: 8}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		if turn.Prompt.Text != "hello" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		turn.Text("First.\n\n", "Some words that have to be broken to fit.\n\n", "The end.")
		p.Send("and now")
		p.Settle()
		p.Golden("small-30x8")
		p.Resize(80, 24)
		if !p.Has("asks before it acts") || !p.Has("> and now") {
			t.Errorf("the chat is not there after growing:\n%s", p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestQuestionInASmallWindow shows that a question waits, which typing does not answer.
func TestQuestionInASmallWindow(t *testing.T) {
	Run(t, Config{Width: 38, Height: 6}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		_, answer := commandAsk(turn, "rm -rf /")
		p.Pass(time.Minute)
		if !p.Has("Make the window 40x10") {
			t.Errorf("the question is not mentioned:\n%s", p.Text())
		}
		p.Keys("f2")
		p.Answer("y")
		unanswered(t, answer)
		if !p.Has("> y") {
			t.Errorf("the letter is not in the composer:\n%s", p.Text())
		}
		p.Keys("backspace")
		p.Resize(80, 24)
		p.Pass(time.Second)
		p.Answer("n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestEverySmallWindow goes through all small sizes, with all that can be open: nothing breaks, and what is written is
// shown wherever there are a few cells for it.
func TestEverySmallWindow(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		talk(p)
		p.Type("more 日本語")
		turn := p.Turn()
		turn.Text("Some 日本語 words.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe end.")
		for _, open := range []string{"", "?", "ctrl+f", "ctrl+r", "alt+x", "ctrl+t"} {
			p.Resize(80, 24)
			if open != "" {
				p.Keys(open)
			}
			for w := 1; w <= 41; w += 4 {
				for h := 1; h <= 11; h++ {
					p.Resize(w, h)
					p.Send("x")
					p.Keys("backspace")
				}
			}
			p.Resize(80, 24)
			p.Keys("esc", "esc")
		}
		p.Keys("ctrl+u")
		p.Send("abc")
		for w := 6; w <= 40; w++ {
			for h := 1; h <= 10; h++ {
				p.Resize(w, h)
				if !p.Has("abc") {
					t.Fatalf("%d by %d cells do not show what is written:\n%s", w, h, p.Text())
				}
				if h >= 4 && w >= 12 && h < 10 && !strings.Contains(p.Text(), "The end.") {
					t.Fatalf("%d by %d cells do not show the last line:\n%s", w, h, p.Text())
				}
			}
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestSmallWindowSaysWhatItNeeds in as many words as there is room for.
func TestSmallWindowSaysWhatItNeeds(t *testing.T) {
	for width, want := range map[int]string{60: "A question waits. Make the window 40x10 to answer", 38: "Make the window 40x10 to answer", 30: "Make the window 40x10"} {
		Run(t, Config{Width: width, Height: 8}, func(p *Program) {
			p.Type("hello")
			turn := p.Turn()
			turn.Text("Well.")
			p.Settle()
			if !p.Has("esc to stop") {
				t.Errorf("it does not say how to stop what runs:\n%s", p.Text())
			}
			_, answer := commandAsk(turn, "make")
			p.Pass(time.Second)
			if !p.Has(want) {
				t.Errorf("no %q:\n%s", want, p.Text())
			}
			p.Keys("esc")
			got(p, answer)
			turn.End(session.TurnCancelled)
			p.Settle()
		})
	}
}
