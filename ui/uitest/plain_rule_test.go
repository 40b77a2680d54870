package uitest

import (
	"strings"
	"testing"
	"time"

	"parley/session"
)

// TestPlainRules goes through the rules, edits one, and saves it. What is written as a rule answers nothing.
func TestPlainRules(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("go on")
		turn := l.Agent.Turn(l.T)
		answer := permissionFor(turn, "make test", makeAny, session.Rule{Text: "command make test", Label: "exactly this line"})
		l.Settle()
		l.Type("r")
		if news := l.News(); !strings.Contains(news, "rule: command make test, exactly this line (2 of 2; r = the next one)") {
			t.Errorf("the second rule is not offered:\n%s", news)
		}
		l.Type("e")
		for _, words := range []string{"yes", "y", "p", "make all"} {
			l.Type(words)
			unanswered(t, answer)
		}
		if news := l.News(); !strings.Contains(news, "a rule begins with command") {
			t.Errorf("it does not say what is wrong:\n%s", news)
		}
		l.Type("command make all")
		unanswered(t, answer)
		if news := l.News(); !strings.Contains(news, "don't ask again for make all (this session; or a session, a project)") {
			t.Errorf("the edited rule is not shown:\n%s", news)
		}
		l.Type("/answer a project")
		if a := l.answered(answer); a.Decision != session.Allow || a.Rule == nil || a.Rule.Text != "command make all" {
			t.Errorf("answered %+v", a)
		}
		answer = permissionFor(turn, "make test", makeAny)
		l.Settle()
		l.Type("a command make test") // a sentence may begin so
		unanswered(t, answer)
		l.Type("/answer a command make test")
		if a := l.answered(answer); a.Scope != session.ScopeSession || a.Rule == nil || a.Rule.Text != "command make test" {
			t.Errorf("answered %+v", a)
		}
		answer = permissionFor(turn, "make test", makeAny)
		l.Settle()
		l.Type("4")
		l.Type("but use -v")
		if a := l.answered(answer); a.Decision != session.Deny || a.Message != "but use -v" {
			t.Errorf("answered %+v", a)
		}
	})
}

// TestPlainAlike answers two questions at once, each of them listed, and says of one that it ended.
func TestPlainAlike(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("go on")
		turn := l.Agent.Turn(l.T)
		first, second := permissionFor(turn, "make one", makeAny), permissionFor(turn, "make two", makeAny)
		l.Settle()
		l.News()
		l.Type("A")
		if news := l.News(); !strings.Contains(news, "1  make one") || !strings.Contains(news, "2  make two") {
			t.Errorf("not all are listed:\n%s", news)
		}
		l.Send("y\n") // before the list could be read
		unanswered(t, first)
		time.Sleep(time.Second)
		l.Type("a")
		if a, b := l.answered(first), l.answered(second); a.Scope != session.ScopeSession || b.Scope != session.ScopeOnce || b.Decision != session.Allow {
			t.Errorf("answered %+v and %+v", a, b)
		}
		permissionFor(turn, "rm x")
		l.Settle()
		turn.End(session.TurnCancelled)
		l.Settle()
		if news := l.News(); !strings.Contains(news, "The question about `rm x` ended: ") {
			t.Errorf("the end is not reported:\n%s", news)
		}
	})
}

// TestPlainRulesTogether prints every rule that one answer saves, goes to the next offer, and says where none is offered.
func TestPlainRulesTogether(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("go on")
		turn := l.Agent.Turn(l.T)
		answer := permissionFor(turn, "go vet && go test", vetAndTest, session.Rule{Text: "command go vet && go test", Label: "go vet && go test"})
		l.Settle()
		if news := l.News(); !strings.Contains(news, "a: Yes, and don't ask again for go vet and go test (this session") {
			t.Errorf("not all rules are printed:\n%s", news)
		}
		l.Type("i")
		if news := l.News(); !strings.Contains(news, "rules: command go vet *, go test * (1 of 2; r = the next one)") {
			t.Errorf("not all rules are printed:\n%s", news)
		}
		l.Type("r")
		if news := l.News(); !strings.Contains(news, "rule: command go vet && go test (2 of 2; r = the next one)") {
			t.Errorf("the very line is not offered:\n%s", news)
		}
		l.Type("r")
		l.Type("a")
		if a := l.answered(answer); a.Scope != session.ScopeSession || a.Rule == nil || !a.Rule.Is(vetAndTest) {
			t.Errorf("answered %+v", a)
		}
		answer = permissionFor(turn, "sh check.sh", session.Rule{Text: "command sh check.sh", Label: "sh check.sh"})
		l.Settle()
		l.Type("i")
		if news := l.News(); !strings.Contains(news, "rule: command sh check.sh, also after the script has changed") {
			t.Errorf("it is not said what is covered:\n%s", news)
		}
		l.Type("y")
		l.answered(answer)
		answer = permissionFor(turn, "sudo ls")
		l.Settle()
		if news := l.News(); strings.Contains(news, "ask again") {
			t.Errorf("a lasting answer is offered without a rule:\n%s", news)
		}
		l.Type("y")
		l.answered(answer)
	})
}
