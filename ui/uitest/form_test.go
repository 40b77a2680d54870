package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
)

// longQuestion is a question whose words do not fit into a row, partly in Japanese.
var longQuestion = session.Question{Header: "保存先", Text: "どのデータベースをテストに使うべきですか？ The choice decides how the tests are set up, and how long they take to run.",
	Free: true, Options: []session.QuestionOption{
		{Label: "SQLite, in memory, made anew for every single test and thrown away after it", Description: "fast, needs no set-up, differs in the details of locking from what is used in production"},
		{Label: "コンテナの中の PostgreSQL", Description: "本番環境と同じだが、起動に数秒かかり、Docker が必要です"},
		{Label: "none", Description: "only what needs no database is tested"}}}

func ask(turn interface {
	Ask(session.Asked) (session.AskID, <-chan session.Answer)
}, qs ...session.Question) <-chan session.Answer {
	_, answer := turn.Ask(session.Asked{Question: &session.QuestionAsk{Questions: qs}})
	return answer
}

// TestLongQuestion wraps what does not fit, and lets all of it be read where the window is low.
func TestLongQuestion(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {40, 12}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			Run(t, Config{Width: size.w, Height: size.h}, func(p *Program) {
				p.Type("go on")
				turn := p.Turn()
				answer := ask(turn, longQuestion)
				p.Pass(time.Second)
				p.Golden(fmt.Sprintf("question-long-%dx%d", size.w, size.h))
				var seen strings.Builder
				for range 20 {
					seen.WriteString(p.Text())
					p.Keys("down")
				}
				for _, want := range []string{"SQLite,", "after", "production", "コンテナ", "Docker", "no database", "something else…"} {
					if !strings.Contains(seen.String(), want) {
						t.Errorf("%q was never shown", want)
					}
				}
				p.Golden(fmt.Sprintf("question-long-end-%dx%d", size.w, size.h))
				p.Keys("up", "enter")
				if a := got(p, answer); fmt.Sprint(a.Choices) != "map["+longQuestion.Text+":[none]]" {
					t.Errorf("answered %+v", a)
				}
				turn.End(session.TurnCompleted)
				p.Settle()
			})
		})
	}
}

// TestEnterPicksOnlyWhatIsOnTheScreen has the options below the window: the first enter shows them.
func TestEnterPicksOnlyWhatIsOnTheScreen(t *testing.T) {
	Run(t, Config{Width: 40, Height: 12}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		q := longQuestion
		q.Text = strings.Repeat("This matters. ", 40)
		answer := ask(turn, q)
		p.Pass(2 * time.Second)
		p.Keys("enter")
		unanswered(t, answer)
		if !p.Has("❯ 1 SQLite") {
			t.Errorf("the selected option is not shown:\n%s", p.Text())
		}
		p.Keys("enter")
		if a := got(p, answer); a.Decision != session.Allow {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

func TestQuestionSteps(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		answer := ask(turn, session.Question{Header: "one", Text: "First?", Options: []session.QuestionOption{{Label: "a"}, {Label: "b"}}},
			session.Question{Header: "two", Text: "Second?", Multi: true, Free: true, Options: []session.QuestionOption{{Label: "c"}, {Label: "d"}}},
			session.Question{Header: "three", Text: "Third?", Options: []session.QuestionOption{{Label: "e"}}})
		p.Pass(time.Second)
		p.Keys("tab")
		p.Answer("2") // ticks the option
		p.Keys("3", "enter")
		p.Send("and more")
		p.Keys("enter")
		if !p.Has("Third?") {
			t.Errorf("enter does not go on:\n%s", p.Text())
		}
		p.Keys("shift+tab")
		p.Golden("question-own-words")
		p.Keys("shift+tab", "1", "enter", "tab", "tab")
		if !p.Has("not answered") {
			t.Errorf("the review does not say what is missing:\n%s", p.Text())
		}
		p.Answer("1")
		p.Keys("down", "enter", "tab", "tab")
		p.Golden("question-review")
		p.Keys("enter")
		if a := got(p, answer); fmt.Sprint(a.Choices) != "map[First?:[b] Second?:[d and more]]" {
			t.Errorf("answered %+v", a)
		}
		for _, keys := range [][]string{{"esc"}, {"m", "not now", "enter"}, {"tab", "tab", "tab", "enter"}} {
			answer = ask(turn, session.Question{Text: "First?", Options: []session.QuestionOption{{Label: "a"}}},
				session.Question{Text: "Second?", Options: []session.QuestionOption{{Label: "a"}}},
				session.Question{Text: "Third?", Options: []session.QuestionOption{{Label: "a"}}})
			p.Pass(time.Second)
			p.Answer(keys[0])
			p.Keys(keys[1:]...)
			a := got(p, answer)
			if a.Decision != session.Deny || (a.Message == "not now") != (keys[0] == "m") {
				t.Errorf("%v answered %+v", keys, a)
			}
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Golden("question-declined")
	})
}

const schema = `{"type":"object","required":["name","port"],"properties":{
 "name":{"type":"string","title":"サーバー名","minLength":2,"maxLength":20},
 "port":{"type":"integer","minimum":1,"maximum":65535,"default":8080},
 "mail":{"type":"string","format":"email"},
 "stage":{"type":"string","oneOf":[{"const":"t","title":"Test"},{"const":"l","title":"Live"}],"default":"l"},
 "tags":{"type":"array","items":{"type":"string","enum":["red","blue"]},"default":["blue"]},
 "tls":{"type":"boolean","default":true}}}`

func TestElicitationFields(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("deploy")
		turn := p.Turn()
		_, answer := turn.Ask(session.Asked{Elicitation: &session.ElicitationAsk{Server: "deployer", Message: "Where does it run?", Schema: []byte(schema)}})
		p.Pass(time.Second)
		p.Keys("f2", "enter")
		if !p.Has("must be filled in") {
			t.Errorf("a required field was left empty:\n%s", p.Text())
		}
		p.Keys("x", "enter")
		if !p.Has("too short") {
			t.Errorf("a short name was taken:\n%s", p.Text())
		}
		p.Golden("elicitation-trouble")
		p.Keys("y", "enter", "9", "enter")
		if !p.Has("not a whole number from 1 to 65535") && !p.Has("not a number from 1 to 65535") {
			t.Errorf("port 80809 was taken:\n%s", p.Text())
		}
		p.Keys("backspace", "enter")
		p.Send("not an address")
		p.Keys("enter")
		if !p.Has("not an e-mail address") {
			t.Errorf("no address, and it was taken:\n%s", p.Text())
		}
		p.Keys("ctrl+u", "enter", "enter", "enter", "enter")
		p.Golden("elicitation-review")
		p.Keys("enter")
		if a := got(p, answer); fmt.Sprintf("%v %v", a.Decision, a.Choices) != "allow map[name:[xy] port:[8080] stage:[l] tags:[blue] tls:[true]]" {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

func TestElicitationAddress(t *testing.T) {
	var opened []string
	open := func(o *ui.Options) {
		o.Browser = Browser(func(u string) { opened = append(opened, u) })
	}
	Run(t, Config{Options: open}, func(p *Program) {
		p.Type("deploy")
		turn := p.Turn()
		for _, c := range []struct {
			url, key string
			want     session.Decision
			opens    bool
		}{{"https://example.com/sign-in?x=" + strings.Repeat("abc", 40), "o", session.Allow, true}, {"https://example.com/", "y", session.Allow, false},
			{"https://example.com/", "esc", session.Cancel, false}, {"file:///etc/passwd", "n", session.Deny, false}} {
			opened = nil
			_, answer := turn.Ask(session.Asked{Elicitation: &session.ElicitationAsk{Server: "deployer", Message: "Sign in first.", URL: c.url}})
			p.Pass(time.Second)
			if c.opens {
				p.Golden("elicitation-address")
			} else if strings.HasPrefix(c.url, "file") && p.Has("open it  ") {
				t.Errorf("it offers to open a file:\n%s", p.Text())
			}
			p.Keys(c.key)
			if a := got(p, answer); a.Decision != c.want {
				t.Errorf("%s: answered %+v", c.key, a)
			}
			p.Settle()
			if c.opens != (len(opened) == 1) {
				t.Errorf("%s: opened %q", c.key, opened)
			}
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// got waits for an answer, and fails with what the screen shows if none comes.
func got(p *Program, answer <-chan session.Answer) session.Answer {
	p.T.Helper()
	select {
	case a := <-answer:
		return a
	case <-time.After(time.Minute):
		p.T.Fatalf("nothing was answered; the screen shows:\n%s", p.Text())
		return session.Answer{}
	}
}

// TestLightForm shows a form and a plan on a light background.
func TestLightForm(t *testing.T) {
	Run(t, Config{Options: func(o *ui.Options) { o.Light = true }}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		answer := ask(turn, longQuestion, session.Question{Text: "Second?", Multi: true, Options: []session.QuestionOption{{Label: "a"}, {Label: "b"}}})
		p.Pass(time.Second)
		p.Golden("question-light")
		p.Keys("esc")
		got(p, answer)
		answer = askPlan(turn, longPlan)
		p.Pass(time.Second)
		p.Golden("plan-light")
		p.Keys("n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestFormInANarrowWindowSaysTheWayOut shows how to leave a form, even where nothing else fits.
func TestFormInANarrowWindowSaysTheWayOut(t *testing.T) {
	Run(t, Config{Width: 50, Height: 15}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		options := []session.QuestionOption{{Label: "one"}, {Label: "two"}}
		_, answer := turn.Ask(session.Asked{Kind: session.AskQuestion, Question: &session.QuestionAsk{Questions: []session.Question{
			{Text: "Which?", Header: "Which", Options: options, Multi: true}, {Text: "And?", Header: "And", Options: options}}}})
		p.Pass(time.Second)
		if !p.Has("space pick · enter go on · esc decline") {
			t.Errorf("it does not say how to get out:\n%s", p.Text())
		}
		p.Keys("esc")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}
