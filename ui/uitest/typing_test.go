package uitest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/sessiontest"
)

// typedWords are what people write while a question is open. Many of them begin with a letter that answers one.
var typedWords = strings.Fields("yes no so make sure that when you and nobody always summarize what next y n s m a b e o l 1 2 3 please " +
	"edit it all before the build says open later maybe 日本語 naïve go on test try again add rule p g t Yes NO Stop Go Please")

// sentence is some words, at least two characters long.
func sentence(r *rand.Rand) string {
	words := make([]string, 2+r.IntN(4))
	for i := range words {
		words[i] = typedWords[r.IntN(len(typedWords))]
	}
	return strings.Join(words, " ")
}

// typeSentence types as people do: the second character soon after the first, the others at any pace, and pauses of any
// length between words.
func typeSentence(p *Program, r *rand.Rand, text string) {
	for i, c := range []rune(text) {
		pause := time.Duration(r.Int64N(int64(180 * time.Millisecond)))
		switch {
		case i == 1:
			pause = time.Duration(r.Int64N(int64(250*time.Millisecond) + 1))
		case c == ' ' || i == 0:
			pause = time.Duration(r.Int64N(int64(3 * time.Second)))
		}
		p.Pass(pause)
		p.Send(string(c))
	}
	p.Pass(time.Duration(r.Int64N(int64(3 * time.Second))))
}

// randomAsk asks something of any kind.
func randomAsk(r *rand.Rand, turn *sessiontest.Turn, kids []*sessiontest.Child) <-chan session.Answer {
	command := &session.PermissionAsk{Tool: "Bash", Command: "touch x", Rules: []session.Rule{{Text: "command touch *", Label: "touch *"}}}
	options := []session.QuestionOption{{Label: "yes", Preview: "**all** of it"}, {Label: "no"}, {Label: "maybe"}}
	asks := []session.Asked{
		{Permission: command},
		{Head: kids[r.IntN(len(kids))].Head(), Permission: command},
		{Permission: &session.PermissionAsk{Tool: "Edit", Path: retryEdit.Path, Edit: &retryEdit}},
		{Permission: &session.PermissionAsk{Tool: "Bash", Command: "make > out.txt", Rules: []session.Rule{makeAny, {Text: "command make", Label: "exactly make"},
			{Label: "make", Destination: "Claude Code, in this session"}}, Parts: []session.CommandPart{{End: 4, Allowed: true, Why: "allowed by command make"}, {Start: 5, End: 14, Why: "writes out.txt"}}}},
		{Plan: &session.PlanAsk{Plan: "Do it."}},
		{Question: &session.QuestionAsk{Questions: []session.Question{{Text: "Which?", Options: options, Free: true}}}},
		{Question: &session.QuestionAsk{Questions: []session.Question{{Text: "Which?", Options: options, Multi: true}, {Text: "Why?", Free: true}}}},
		{Question: &session.QuestionAsk{Questions: []session.Question{{Text: "In what words?", Free: true}}}},
		{Elicitation: &session.ElicitationAsk{Server: "s", Message: "m", Schema: []byte(schema)}},
		{Elicitation: &session.ElicitationAsk{Server: "s", Message: "m", URL: "https://example.com/"}},
	}
	_, answer := turn.Ask(asks[r.IntN(len(asks))])
	return answer
}

// TestSentencesAnswerNothing types a hundred sentences, in .ci/full a thousand, over questions of all kinds, also of child
// agents while their agent is idle: nothing is answered, and every sentence is in the composer whole.
func TestSentencesAnswerNothing(t *testing.T) {
	const sentences = 50
	for seed := range uint64(repeat.Times(2, 2, 20)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			typeOver(t, rand.New(rand.NewPCG(seed, 3)), sentences)
		})
	}
}

func typeOver(t *testing.T, r *rand.Rand, sentences int) {
	Run(t, Config{Options: withTruster(&truster{items: repository})}, func(p *Program) {
		p.Type("begin")
		turn := p.Turn()
		kids := []*sessiontest.Child{turn.Child("one", "looks", "Look.", true), turn.Child("two", "looks", "Look.", true)}
		var open []<-chan session.Answer
		ask := func() { open = append(open, randomAsk(r, turn, kids)) }
		ask()
		for range sentences {
			if r.IntN(4) == 0 && len(open) < 4 {
				ask()
			}
			text := sentence(r)
			typeSentence(p, r, text)
			for _, answer := range open {
				unanswered(t, answer)
			}
			if !p.Has("> " + text) {
				t.Fatalf("%q is not in the composer:\n%s", text, p.Text())
			}
			switch r.IntN(3) {
			case 0:
				p.Keys("enter") // it is queued
			case 1:
				p.Keys("ctrl+u")
			default:
				p.Keys("ctrl+c")
			}
			if r.IntN(5) == 0 { // answered on purpose, so that the next one is asked
				p.Keys("f2")
				p.Pass(time.Second)
				p.Keys("f2")
			}
		}
	})
}

// TestIdleAgentsChildrenAsk has two child agents ask while their agent is idle, and types what would have answered both.
func TestIdleAgentsChildrenAsk(t *testing.T) {
	for _, text := range []string{"summarize", "what next", "you", "no", "m1", "make sure that when you"} {
		Run(t, Config{}, func(p *Program) {
			p.Type("begin")
			turn := p.Turn()
			one, two := turn.Child("one", "looks", "Look.", true), turn.Child("two", "looks", "Look.", true)
			turn.Text("They work on.")
			turn.End(session.TurnCompleted)
			var open []<-chan session.Answer
			for _, c := range []*sessiontest.Child{one, two} {
				_, answer := turn.Ask(session.Asked{Head: c.Head(), Permission: &session.PermissionAsk{Tool: "Bash", Command: "touch x",
					Rules: []session.Rule{{Text: "command touch *", Label: "touch *"}}}})
				open = append(open, answer)
			}
			p.Pass(10 * time.Second)
			for _, c := range text {
				p.Send(string(c))
				p.Pass(250 * time.Millisecond)
			}
			p.Pass(10 * time.Second)
			if !p.Has("one: Run this") {
				t.Fatalf("nothing is asked:\n%s", p.Text())
			}
			for _, answer := range open {
				unanswered(t, answer)
			}
			if !p.Has("> " + text) {
				t.Errorf("%q is not in the composer:\n%s", text, p.Text())
			}
		})
	}
}

// TestAnswerThatEndsWhileALetterIsHeld has a question go away at that moment: the letter is text.
func TestAnswerThatEndsWhileALetterIsHeld(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("begin")
		turn := p.Turn()
		commandAsk(turn, "make")
		p.Pass(time.Second)
		p.Send("y")
		p.Pass(100 * time.Millisecond)
		turn.End(session.TurnCompleted)
		p.Pass(time.Second)
		if !p.Has("> y") {
			t.Errorf("the letter is gone:\n%s", p.Text())
		}
	})
}

// TestBothChordsGiveTheKeyboard answers with text in the composer, which stays.
func TestBothChordsGiveTheKeyboard(t *testing.T) {
	for _, chord := range []string{"f2", "alt+q"} {
		Run(t, Config{}, func(p *Program) {
			p.Type("begin")
			turn := p.Turn()
			p.Send("half a sentence")
			_, answer := commandAsk(turn, "make")
			p.Pass(time.Minute)
			if !p.Has("f2 or alt+q to answer") || p.Has("❯") {
				t.Errorf("the keys are not shown, or the question has the keyboard:\n%s", p.Text())
			}
			p.Keys(chord)
			if !p.Has("❯ y  Yes") {
				t.Errorf("%s does not give the keyboard:\n%s", chord, p.Text())
			}
			p.Keys(chord)
			p.Answer("y")
			unanswered(t, answer)
			if !p.Has("half a sentencey") {
				t.Errorf("%s does not take the keyboard back:\n%s", chord, p.Text())
			}
			p.Keys("backspace", chord)
			p.Answer("y")
			if a := got(p, answer); a.Decision != session.Allow || !p.Has("> half a sentence") {
				t.Errorf("answered %+v:\n%s", a, p.Text())
			}
			turn.End(session.TurnCompleted)
			p.Settle()
		})
	}
}

// TestClicksOnAnswers clicks: at once that counts for nothing, after a look it answers.
func TestClicksOnAnswers(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("begin")
		turn := p.Turn()
		_, answer := commandAsk(turn, "make")
		p.Pass(600 * time.Millisecond)
		x, y := p.Find("y  Yes")
		p.Click(x, y, 1)
		p.Pass(100 * time.Millisecond)
		unanswered(t, answer)
		p.Pass(time.Second)
		p.Send("x")
		p.Click(x, y, 1)
		unanswered(t, answer)
		p.Pass(time.Second)
		p.Press(x, y)
		p.Release(x, y+1)
		unanswered(t, answer)
		p.Click(x, y, 1)
		if a := got(p, answer); a.Decision != session.Allow {
			t.Errorf("answered %+v", a)
		}
		p.Keys("backspace")
		q := ask(turn, session.Question{Text: "Which?", Options: []session.QuestionOption{{Label: "left"}, {Label: "right"}}})
		p.Pass(time.Second)
		x, y = p.Find("2 right")
		p.Click(x, y, 1)
		if a := got(p, q); fmt.Sprint(a.Choices) != "map[Which?:[right]]" {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}
