package uitest

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// kindsOfAsks are all that can be asked, each with the answers that must not be given.
var kindsOfAsks = map[string]func(turn *sessiontest.Turn) []<-chan session.Answer{
	"command": func(turn *sessiontest.Turn) []<-chan session.Answer {
		_, a := commandAsk(turn, "make test")
		return []<-chan session.Answer{a}
	},
	"command without a rule": func(turn *sessiontest.Turn) []<-chan session.Answer {
		return []<-chan session.Answer{permissionFor(turn, "rm -rf /")}
	},
	"command in parts": func(turn *sessiontest.Turn) []<-chan session.Answer {
		line := "make test > out.txt"
		_, a := turn.Ask(session.Asked{Permission: &session.PermissionAsk{Tool: "Bash", Command: line, Rules: []session.Rule{makeAny},
			Parts: []session.CommandPart{part(line, "make test", true, "command make *"), part(line, "> out.txt", false, "writes out.txt")}}})
		return []<-chan session.Answer{a}
	},
	"edit": func(turn *sessiontest.Turn) []<-chan session.Answer { return []<-chan session.Answer{editAsk(turn)} },
	"alike": func(turn *sessiontest.Turn) []<-chan session.Answer {
		return []<-chan session.Answer{permissionFor(turn, "make one", makeAny), permissionFor(turn, "make two", makeAny)}
	},
	"rule of the runtime": func(turn *sessiontest.Turn) []<-chan session.Answer {
		return []<-chan session.Answer{permissionFor(turn, "make", session.Rule{Label: "make", Destination: "Claude Code, in this session"}, makeAny)}
	},
	"plan": func(turn *sessiontest.Turn) []<-chan session.Answer {
		_, a := turn.Ask(session.Asked{Plan: &session.PlanAsk{Plan: "Do it."}})
		return []<-chan session.Answer{a}
	},
	"one option": func(turn *sessiontest.Turn) []<-chan session.Answer {
		return []<-chan session.Answer{ask(turn, session.Question{Text: "Which?", Options: someOptions})}
	},
	"some options": func(turn *sessiontest.Turn) []<-chan session.Answer {
		return []<-chan session.Answer{ask(turn, session.Question{Text: "Which?", Options: someOptions, Multi: true}, session.Question{Text: "Why?", Free: true})}
	},
	"words": func(turn *sessiontest.Turn) []<-chan session.Answer {
		return []<-chan session.Answer{ask(turn, session.Question{Text: "In what words?", Free: true})}
	},
	"form": func(turn *sessiontest.Turn) []<-chan session.Answer {
		_, a := turn.Ask(session.Asked{Elicitation: &session.ElicitationAsk{Server: "s", Message: "m", Schema: []byte(schema)}})
		return []<-chan session.Answer{a}
	},
	"page": func(turn *sessiontest.Turn) []<-chan session.Answer {
		_, a := turn.Ask(session.Asked{Elicitation: &session.ElicitationAsk{Server: "s", Message: "m", URL: "https://example.com/"}})
		return []<-chan session.Answer{a}
	},
}

var someOptions = []session.QuestionOption{{Label: "yes"}, {Label: "no"}, {Label: "maybe"}}

// overAll runs a test over each kind of ask, once the question has the keyboard.
func overAll(t *testing.T, f func(p *Program, answered func())) {
	for name, put := range kindsOfAsks {
		t.Run(name, func(t *testing.T) {
			Run(t, Config{Options: withTruster(&truster{items: repository})}, func(p *Program) {
				p.Type("begin")
				open := put(p.Turn())
				p.Pass(time.Second)
				f(p, func() {
					for _, answer := range open {
						unanswered(p.T, answer)
					}
				})
			})
		})
	}
}

// wholeSentences are what internal/cli writes over questions on a real terminal.
var wholeSentences = []string{"yes do it", "please go on", "all of them", "edit the rule", "YES", "1 is fine", "yes make sure that", "so what next",
	"no you build it", "make it so", "summarize"}

// TestWholeSentencesAnswerNothing types sentences as people do, and sends each in one piece, over each kind of ask and over the
// question of trust: all of it is text.
func TestWholeSentencesAnswerNothing(t *testing.T) {
	over := func(p *Program, answered func()) {
		r := rand.New(rand.NewPCG(8, 9))
		is := func(text string) {
			p.T.Helper()
			p.Settle()
			if answered(); !p.Has("> " + text) {
				p.T.Fatalf("%q is not in the composer:\n%s", text, p.Text())
			}
			p.Keys("ctrl+u")
			p.Pass(2 * time.Second)
		}
		for _, text := range wholeSentences {
			typeSentence(p, r, text)
			is(text)
			p.Send(text)
			is(text)
		}
		p.Send("\x1b[200~yes\ry\rp\r\x1b[201~")
		is("yes")
	}
	overAll(t, over)
	t.Run("trust", func(t *testing.T) {
		tr := &truster{items: repository}
		Run(t, Config{Options: withTruster(tr)}, func(p *Program) {
			p.Pass(time.Second)
			if !p.Has("Load this project's settings?") {
				t.Fatalf("nothing is asked:\n%s", p.Text())
			}
			over(p, func() {
				if said := tr.said(); said != "" {
					t.Fatalf("answered %s", said)
				}
			})
		})
	})
}

// TestCapitalsAnswerNothing types the letters of answers as capitals, with pauses that would let them answer.
func TestCapitalsAnswerNothing(t *testing.T) {
	overAll(t, func(p *Program, answered func()) {
		for _, r := range "YSPGTNMEIOLBR" {
			p.Pass(2 * time.Second)
			p.Send(string(r))
			p.Pass(2 * time.Second)
			if answered(); !p.Has("> " + string(r)) {
				p.T.Fatalf("%c is not in the field:\n%s", r, p.Text())
			}
			p.Keys("ctrl+u")
		}
	})
}

// TestHeldKeysAnswerNothing holds keys down, as keyboards repeat them.
func TestHeldKeysAnswerNothing(t *testing.T) {
	overAll(t, func(p *Program, answered func()) {
		for _, r := range "yspgtnmeaoi1234A " {
			p.Pass(2 * time.Second)
			p.Send(string(r))
			p.Pass(250 * time.Millisecond)
			for range 60 {
				p.Send(string(r))
				p.Pass(33 * time.Millisecond)
			}
			answered()
			p.Pass(2 * time.Second)
			answered()
			p.Keys("ctrl+u")
		}
	})
}

// TestPastesAnswerNothing pastes lines that would answer if they were typed.
func TestPastesAnswerNothing(t *testing.T) {
	overAll(t, func(p *Program, answered func()) {
		for _, text := range []string{"y", "s\r", "yes\ry\rs\rp\rg\ra\ry\r", "1\r1\r1\r", "t\rplease\r", "e\rcommand *\rp\r"} {
			p.Send("\x1b[200~" + text + "\x1b[201~")
			p.Pass(2 * time.Second)
			answered()
			p.Keys("ctrl+u")
			p.Pass(2 * time.Second)
		}
	})
}

// TestHastyClicksAnswerNothing clicks on every cell of the question before it could be read, drags over it and turns the wheel.
func TestHastyClicksAnswerNothing(t *testing.T) {
	for name, put := range kindsOfAsks {
		t.Run(name, func(t *testing.T) {
			Run(t, Config{}, func(p *Program) {
				p.Type("begin")
				open := put(p.Turn())
				p.Settle()
				for y := range 24 {
					for x := 2; x < 80; x += 6 {
						p.Press(x, y)
						p.Release(x, y)
					}
				}
				p.Pass(time.Second)
				p.Press(4, 10)
				p.Drag(30, 20)
				p.Release(30, 21)
				p.Wheel(3)
				p.Wheel(-3)
				for _, answer := range open {
					unanswered(t, answer)
				}
			})
		})
	}
}

// TestSentencesIntoFieldsAnswerNothing writes sentences, with Enter behind each, into the field for a rule, and over the list of
// all that are alike.
func TestSentencesIntoFieldsAnswerNothing(t *testing.T) {
	for name, keys := range map[string]string{"rule": "e", "list": "A"} {
		t.Run(name, func(t *testing.T) {
			Run(t, Config{}, func(p *Program) {
				p.Type("begin")
				turn := p.Turn()
				open := kindsOfAsks["alike"](turn)
				p.Pass(time.Second)
				p.Answer(keys)
				for _, text := range []string{"yes please", "go on with it", "stop", "all of them", "Put it there", "make sure", "command make *"} {
					for _, r := range text {
						p.Send(string(r))
						p.Pass(120 * time.Millisecond)
					}
					p.Keys("enter")
					p.Pass(3 * time.Second)
					for _, answer := range open {
						unanswered(t, answer)
					}
				}
				p.Send("\x1b[200~command rm *\ry\rp\r\x1b[201~")
				p.Pass(3 * time.Second)
				for _, answer := range open {
					unanswered(t, answer)
				}
			})
		})
	}
}

// TestSelectionIsSafeAgain selects another answer, types over the question, and finds the first under Enter afterwards.
func TestSelectionIsSafeAgain(t *testing.T) {
	for _, keys := range [][]string{{"down"}, {"down", "down"}, {"right"}, {"right", "right"}, {"right", "a"}} {
		Run(t, Config{}, func(p *Program) {
			p.Type("begin")
			answer := permissionFor(p.Turn(), "make test", makeAny, session.Rule{Text: "command make test", Label: "exactly this line"})
			p.Pass(time.Second)
			for _, k := range keys {
				p.Answer(k)
			}
			if p.Has("❯ y  Yes") {
				t.Fatalf("%v selected nothing:\n%s", keys, p.Text())
			}
			p.Send("x")
			p.Pass(time.Second)
			p.Keys("backspace")
			p.Pass(2 * time.Second)
			if !p.Has("❯ y  Yes") {
				t.Errorf("%v: the first answer is not selected again:\n%s", keys, p.Text())
			}
			p.Keys("enter")
			if a := got(p, answer); a.Decision != session.Allow || a.Scope != session.ScopeOnce {
				t.Errorf("%v answered %+v", keys, a)
			}
		})
	}
}

// TestSentencesConfirmNoBypass types sentences, with Enter behind each, over the confirmation of the mode that asks nothing.
func TestSentencesConfirmNoBypass(t *testing.T) {
	for _, text := range []string{"yes", "yes please", "y", "turn it on", "ok", strings.Repeat("y", 40)} {
		Run(t, Config{Settings: opus}, func(p *Program) {
			p.Type("/mode bypassPermissions")
			for _, r := range text {
				p.Send(string(r))
				p.Pass(90 * time.Millisecond)
			}
			p.Keys("enter")
			p.Settle()
			if got := p.Session.Settings().Mode; got == session.ModeBypass {
				t.Errorf("%q turned bypass on", text)
			}
		})
	}
}
