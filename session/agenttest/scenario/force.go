package scenario

import (
	"os"
	"path/filepath"
	"strings"

	"parley/session"
	"parley/session/permission"
)

// Force is how a runtime is told what is in force.
type Force struct {
	// Trust makes the directory a trusted one with rules, Mode changes the permission mode.
	Trust func(rules permission.Kept)
	Mode  func(m session.Mode)
	// Plan is what the model reads in plan mode, Run what begins a prompt whose command the model runs.
	Plan, Run string
}

// InForceAfterASummary looks at what a request carries after /compact: the project's instructions, once, and that a plan is made. The
// rules that parley keeps still deny a command.
func InForceAfterASummary(s Stage, f Force) {
	s.files(s.Dir, map[string]string{".git/HEAD": "ref: refs/heads/main\n", "AGENTS.md": "MARK-agents\n"})
	rule, err := permission.ParseRule("command touch *")
	if err != nil {
		s.Fatal(err)
	}
	rule.Ruling, rule.Origin, rule.Number = permission.Deny, permission.FromProject, 1
	f.Trust(permission.Kept{Rules: []permission.Rule{rule}})
	s.Answers(func(a session.Asked) (session.Answer, bool) {
		return session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}, true
	})
	f.Mode(session.ModePlan)
	check := func(when string) {
		s.Helper()
		body := s.Newest()
		if got := strings.Count(body, "MARK-agents"); got != 1 {
			s.Errorf("%s: the instructions are there %d times", when, got)
		}
		if !strings.Contains(body, f.Plan) {
			s.Errorf("%s: the model does not know that it makes a plan: %s", when, body[strings.Index(body, `"messages"`)+1:])
		}
	}
	s.completes("hello first")
	check("at the start")
	s.completes("hello second")
	s.completes("/compact")
	s.Until("summary", func(e session.Event) bool {
		_, is := e.(session.Compacted)
		return is
	})
	s.completes("hello third")
	check("after a summary")
	if strings.Contains(s.Newest(), "hello first") && strings.Contains(s.Newest(), "You said: hello first") {
		s.Error("nothing was left out")
	}
	f.Mode(session.ModeDefault)
	end := s.call(f.Run+"touch made", func(session.ToolStarted) bool { return true })
	if _, err := os.Lstat(filepath.Join(s.Dir, "made")); err == nil || end.Outcome == session.ToolOK || !strings.Contains(end.Result.Text, "command touch *") {
		s.Errorf("the rule does not hold: %+v", end)
	}
}
