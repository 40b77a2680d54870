package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/rules"
	"parley/session/sessiontest"
	"parley/ui"
)

// permissionFor asks about a command with rules.
func permissionFor(turn *sessiontest.Turn, command string, rules ...session.Rule) <-chan session.Answer {
	call := turn.StartTool("Bash", fmt.Sprintf(`{"command":%q}`, command))
	_, answer := turn.Ask(session.Asked{Call: call, Permission: &session.PermissionAsk{Tool: "Bash", Command: command, Rules: rules}})
	return answer
}

var makeAny = session.Rule{Text: "command make *", Label: "make *"}

// TestEveryScope gives each answer that allows. What outlives the session, and what carries words, needs Enter.
func TestEveryScope(t *testing.T) {
	for _, c := range []struct {
		longer int
		key    string
		scope  session.Scope
		enter  bool
	}{{0, "y", session.ScopeOnce, false}, {0, "1", session.ScopeOnce, false}, {0, "a", session.ScopeSession, false}, {0, "2", session.ScopeSession, false},
		{1, "a", session.ScopeProject, true}, {2, "a", session.ScopeGlobal, true}, {9, "2", session.ScopeGlobal, true}} {
		Run(t, Config{}, func(p *Program) {
			p.Type("go on")
			turn := p.Turn()
			answer := permissionFor(turn, "make test", makeAny)
			p.Pass(time.Second)
			for range c.longer {
				p.Keys("right")
			}
			p.Answer(c.key)
			if c.enter {
				p.Pass(time.Minute)
				unanswered(t, answer)
				p.Keys("enter")
			}
			a := got(p, answer)
			if a.Decision != session.Allow || a.Scope != c.scope || (a.Rule == nil) != (c.scope == session.ScopeOnce) || a.Rule != nil && !a.Rule.Is(makeAny) {
				t.Errorf("%d steps and %s answered %+v", c.longer, c.key, a)
			}
			turn.End(session.TurnCompleted)
			p.Settle()
		})
	}
}

// TestYesWithWords allows, and says something to the agent.
func TestYesWithWords(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		answer := permissionFor(turn, "make test", makeAny)
		p.Pass(time.Second)
		p.Keys("tab")
		p.Send("but use -v")
		p.Golden("prompt-say")
		unanswered(t, answer)
		p.Keys("enter")
		if a := got(p, answer); a.Decision != session.Allow || a.Scope != session.ScopeOnce || a.Message != "but use -v" {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		if !p.Has("you said: but use -v") {
			t.Errorf("what was said is not shown:\n%s", p.Text())
		}
	})
}

// TestRuleIsEditedBeforeItIsSaved edits the rule that the project keeps. Nothing in the field answers.
func TestRuleIsEditedBeforeItIsSaved(t *testing.T) {
	atSizes(t, Config{}, func(p *Program, size string) {
		p.Type("go on")
		turn := p.Turn()
		answer := permissionFor(turn, "make test", makeAny)
		p.Pass(time.Second)
		p.Answer("e")
		p.Keys("ctrl+u")
		p.Send("make test")
		p.Golden("rule-wrong-" + size)
		p.Keys("enter", "enter")
		if !p.Has("a rule begins with") {
			t.Errorf("%s: a rule that nobody can read is taken:\n%s", size, p.Text())
		}
		p.Keys("ctrl+u")
		p.Send("command make lint")
		p.Keys("ctrl+w")
		p.Send("test")
		p.Golden("rule-edit-" + size)
		p.Keys("enter")
		p.Pass(time.Minute)
		unanswered(t, answer)
		p.Golden("rule-edited-" + size)
		p.Keys("right")
		p.Pass(time.Second)
		p.Keys("enter")
		if a := got(p, answer); a.Scope != session.ScopeProject || a.Rule == nil || a.Rule.Text != "command make test" || a.Rule.Label == "" {
			t.Errorf("answered %+v", a)
		}
		answer = permissionFor(turn, "make all", makeAny)
		p.Pass(time.Second)
		p.Answer("e")
		p.Send(" and more")
		p.Keys("esc")
		p.Answer("a")
		if a := got(p, answer); a.Rule == nil || !a.Rule.Is(makeAny) {
			t.Errorf("after esc it answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestRuleThatMissesTheCall says so once the edited rule was looked up.
func TestRuleThatMissesTheCall(t *testing.T) {
	home := t.TempDir()
	store := rules.New(rules.Options{Config: home, Data: home, Now: time.Now})
	Run(t, Config{Options: func(o *ui.Options) { o.Rules = store }}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		_, answer := turn.Ask(session.Asked{Permission: &session.PermissionAsk{Tool: "mcp__github__list", Input: []byte(`{"all":true}`),
			Rules: []session.Rule{{Text: "mcp github/list"}}}})
		p.Pass(time.Second)
		for _, c := range []struct {
			server string
			misses bool
		}{{"gitlab", true}, {"github", false}, {"gitlab", true}} {
			p.Answer("e")
			p.Keys("ctrl+u")
			p.Send("mcp " + c.server)
			p.Keys("enter")
			p.Pass(time.Second)
			if p.Has("does not cover this call") != c.misses {
				t.Errorf("%s misses: %v, not shown:\n%s", c.server, c.misses, p.Text())
			}
		}
		p.Golden("rule-misses")
		unanswered(t, answer)
	})
}

// TestOtherRulesAreOffered goes through the rules in the field for one. What the agent's runtime keeps has no other scope, and says where.
func TestOtherRulesAreOffered(t *testing.T) {
	own := session.Rule{Text: "Bash(make:*)", Label: "make", Destination: "Claude Code, for this project"}
	exact := session.Rule{Text: "command make test", Label: "exactly this line"}
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		answer := permissionFor(turn, "make test", makeAny, exact, own)
		p.Pass(time.Second)
		if !p.Has("don't ask again for make ") || !p.Has("‹ this session ›") {
			t.Errorf("the first rule is not offered:\n%s", p.Text())
		}
		p.Answer("e")
		p.Keys("down")
		if !p.Has("rule  command make test") || !p.Has("other rules") {
			t.Errorf("the second rule is not offered:\n%s", p.Text())
		}
		p.Keys("down", "esc")
		p.Golden("rule-runtime")
		if !p.Has("kept by Claude Code, for this project") || p.Has("‹ ") || p.Has("e edit the rule") {
			t.Errorf("the rule of the runtime is offered for what does not fit it:\n%s", p.Text())
		}
		p.Answer("a")
		if a := got(p, answer); a.Decision != session.Allow || a.Rule == nil || !a.Rule.Is(own) {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestAlikeAreAnsweredTogether answers three questions at once, having shown each.
func TestAlikeAreAnsweredTogether(t *testing.T) {
	atSizes(t, Config{}, func(p *Program, size string) {
		for _, key := range []string{"y", "a", "n"} {
			p.Type("go on")
			turn := p.Turn()
			var answers []<-chan session.Answer
			for _, command := range []string{"make one", "make two\nmake two again", "make three"} {
				answers = append(answers, permissionFor(turn, command, makeAny))
			}
			other := permissionFor(turn, "rm -rf /")
			p.Pass(time.Second)
			if size != "40x12" && !p.Has("A  All 3 like this one") {
				t.Errorf("%s: it does not say how many are alike:\n%s", size, p.Text())
			}
			p.Answer("A")
			if key == "y" {
				p.Golden("alike-" + size)
			}
			seen := p.Text()
			for range 12 {
				p.Keys("pgdown")
				seen += p.Text()
			}
			for _, words := range []string{"1  make one", "2  make two", "make two again", "3  make three"} {
				if !strings.Contains(seen, words) {
					t.Errorf("%s: %q is not shown:\n%s", size, words, p.Text())
				}
			}
			p.Answer(key)
			for i, answer := range answers {
				a := got(p, answer)
				first := key == "a" && i == 0
				if (a.Decision == session.Allow) != (key != "n") || (a.Scope == session.ScopeSession) != first || (a.Rule != nil) != first {
					t.Errorf("%s %s: %d was answered %+v", size, key, i, a)
				}
			}
			unanswered(t, other)
			turn.End(session.TurnCompleted)
			p.Settle()
			p.Keys("ctrl+u")
		}
	})
}

// TestQuestionThatEndsElsewhere has questions end while they are shown, or while something is written for them.
func TestQuestionThatEndsElsewhere(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("go on")
		turn := p.Turn()
		permissionFor(turn, "rm x", makeAny)
		p.Pass(time.Second)
		p.Answer("m")
		p.Send("it is needed")
		turn.End(session.TurnCancelled)
		p.Settle()
		p.Golden("ended-elsewhere")
		if !p.Has("The question about `rm x` ended: the turn was interrupted") || !p.Has("> it is needed") {
			t.Errorf("what ended or what was written is not shown:\n%s", p.Text())
		}
		p.Send(" for the tests")
		if !p.Has("> it is needed for the tests") {
			t.Errorf("a key was lost:\n%s", p.Text())
		}
		p.Keys("ctrl+u")
		p.Type("again")
		turn = p.Turn()
		permissionFor(turn, "rm y", makeAny)
		p.Pass(time.Second)
		p.Keys("esc")
		p.Settle()
		if p.Has("The question about") {
			t.Errorf("the user's own interruption is reported:\n%s", p.Text())
		}
	})
}
