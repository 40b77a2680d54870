package uitest

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
	"parley/ui/core"
)

// answered waits for an answer that must have been given.
func (l *Lines) answered(ch <-chan session.Answer) session.Answer {
	l.T.Helper()
	select {
	case a := <-ch:
		return a
	case <-time.After(time.Second):
		l.T.Fatalf("no answer was given; it was said:\n%s", l.Said())
	}
	return session.Answer{}
}

func TestPlainForms(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("ask me")
		turn := l.Agent.Turn(l.T)
		_, answer := turn.Ask(session.Asked{Question: &session.QuestionAsk{Questions: []session.Question{
			{Header: "Store", Text: "Which store?", Options: []session.QuestionOption{{Label: "SQLite", Description: "one file"}, {Label: "Postgres"}}},
			{Header: "Parts", Text: "Which parts?", Multi: true, Free: true, Options: []session.QuestionOption{{Label: "API"}, {Label: "UI"}, {Label: "Docs"}}},
			{Header: "Name", Text: "Which name?", Free: true},
		}}})
		l.Settle()
		l.Type("7")
		l.Type("/answer sqlite")
		l.Type("1, 3")
		l.Type("/answer acme")
		unanswered(t, answer) // all answers are reviewed first
		l.Type("2")
		l.Type("1, 2")
		l.Type("y")
		if a := l.answered(answer); a.Decision != session.Allow || strings.Join(a.Choices["Which parts?"], "+") != "API+UI" ||
			a.Choices["Which store?"][0] != "SQLite" || a.Choices["Which name?"][0] != "acme" {
			t.Errorf("answered %+v", a)
		}
		_, answer = turn.Ask(session.Asked{Elicitation: &session.ElicitationAsk{Server: "db", Message: "Who are you?",
			Schema: json.RawMessage(`{"properties":{"port":{"type":"integer","minimum":1},"tls":{"type":"boolean"}},"required":["port"]}`)}})
		l.Settle()
		l.Type("/answer many")
		l.Type("/answer 5432")
		l.Type("")
		l.Type("y")
		if a := l.answered(answer); a.Decision != session.Allow || a.Choices["port"][0] != "5432" {
			t.Errorf("answered %+v", a)
		}
		_, answer = turn.Ask(session.Asked{Plan: &session.PlanAsk{Plan: "# Plan\n\n1. do it"}})
		l.Settle()
		l.Type("n")
		if a := l.answered(answer); a.Decision != session.Deny {
			t.Errorf("answered %+v", a)
		}
		_, answer = turn.Ask(session.Asked{Question: &session.QuestionAsk{Questions: []session.Question{{Text: "Really?", Free: true}}}})
		l.Settle()
		l.Type("/decline")
		if a := l.answered(answer); a.Decision != session.Deny {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		l.Settle()
		l.Golden("plain-forms")
	})
}

// Leaving, stopping and looking around work while something is asked; an answer in one's own words may be any word.
func TestPlainCommandsWhileAsked(t *testing.T) {
	for _, word := range []string{"/quit", " /quit ", "exit", "quit", ":q"} {
		t.Run(word, func(t *testing.T) {
			RunLines(t, Config{}, func(l *Lines) {
				l.Type("half a line \\")
				l.Type("and its end")
				turn := l.Agent.Turn(l.T)
				l.Type("another half \\")
				_, answer := commandAsk(turn, "make clean")
				l.Settle()
				for line, want := range map[string]string{"/help": "/quit: quit parley", "/status": "Permissions: default", "/output": "tool: "} {
					l.News()
					l.Type(line)
					if news := l.News(); !strings.Contains(news, want) || strings.Contains(news, "that is no answer") {
						t.Errorf("%s:\n%s", line, news)
					}
				}
				unanswered(t, answer)
				l.Type(word)
				if r := l.Left(); r.Reason != core.LeftQuit {
					t.Errorf("left with %+v", r)
				}
			})
		})
	}
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("ask me")
		turn := l.Agent.Turn(l.T)
		_, answer := turn.Ask(session.Asked{Question: &session.QuestionAsk{Questions: []session.Question{{Text: "Which command?", Free: true}}}})
		l.Settle()
		l.Type("/answer exit")
		if a := l.answered(answer); a.Decision != session.Allow || a.Choices["Which command?"][0] != "exit" {
			t.Errorf("answered %+v", a)
		}
		_, answer = turn.Ask(session.Asked{Question: &session.QuestionAsk{Questions: []session.Question{{Text: "And which?", Free: true}}}})
		l.Settle()
		l.Type("/quit")
		if r := l.Left(); r.Reason != core.LeftQuit {
			t.Errorf("left with %+v", r)
		}
		unanswered(t, answer)
	})
}

// What was typed before a question could be read does not answer it.
func TestPlainTypeAheadAnswersNothing(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("clean up")
		turn := l.Agent.Turn(l.T)
		_, answer := commandAsk(turn, "rm -rf /")
		l.Settle()
		l.Send("y\n")
		unanswered(t, answer)
		if !strings.Contains(l.News(), "before the question could be read") {
			t.Errorf("it does not say why:\n%s", l.Said())
		}
		l.Type("n")
		if a := l.answered(answer); a.Decision != session.Deny {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		l.Settle()
	})
}

// TestPlainSentencesAnswerNothing types sentences over questions of all kinds: they are prompts, which wait, and nothing is
// answered.
func TestPlainSentencesAnswerNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("begin")
		turn := l.Agent.Turn(l.T)
		kids := []*sessiontest.Child{turn.Child("one", "looks", "Look.", true)}
		var sent []string
		for range 100 {
			answer := randomAsk(r, turn, kids)
			l.Settle()
			for range 3 {
				text := sentence(r)
				if strings.Trim(text, "0123456789 ") == "" {
					continue // numbers alone answer
				}
				time.Sleep(time.Duration(r.Int64N(int64(2 * time.Second))))
				l.Send(text + "\n")
				sent = append(sent, text)
				unanswered(t, answer)
			}
			if !strings.Contains(l.News(), "the question is still open") {
				t.Fatalf("it does not say that nothing was answered:\n%s", l.Said())
			}
			time.Sleep(time.Second)
			for range 6 { // through the steps of a form
				select {
				case <-answer:
				default:
					l.Type("/decline")
					l.Type("n")
				}
			}
		}
		turn.End(session.TurnCompleted)
		for _, want := range sent {
			next := l.Agent.Turn(l.T)
			for next.Prompt.Text == "n" && want != "n" { // meant for a question that was answered already
				next.End(session.TurnCompleted)
				next = l.Agent.Turn(l.T)
			}
			if next.Prompt.Text != want {
				t.Fatalf("the prompt is %q, want %q", next.Prompt.Text, want)
			}
			next.End(session.TurnCompleted)
		}
	})
}
