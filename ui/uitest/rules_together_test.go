package uitest

import (
	"strings"
	"testing"
	"time"

	"parley/session"
)

var vetAndTest = session.Rule{Text: "command go vet *\ncommand go test *", Label: "go vet *, go test *", Names: []string{"go vet", "go test"}}

// partsAsked asks about a line of two parts, for each of which a rule is offered.
func partsAsked(line string, rules ...session.Rule) session.Asked {
	perm := &session.PermissionAsk{Tool: "Bash", Command: line, Rules: rules}
	at := 0
	for part := range strings.SplitSeq(line, " && ") {
		perm.Parts = append(perm.Parts, session.CommandPart{Start: at, End: at + len(part), Why: "no rule allows " + strings.Fields(part)[0]})
		at += len(part) + len(" && ")
	}
	return session.Asked{Permission: perm}
}

// TestRulesTogetherAreShownAndGranted shows every rule that one answer saves, and the very line as the next offer.
func TestRulesTogetherAreShownAndGranted(t *testing.T) {
	line := "go vet ./... && go test ./..."
	atSizes(t, Config{}, func(p *Program, size string) {
		p.Type("go on")
		turn := p.Turn()
		_, answer := turn.Ask(partsAsked(line, vetAndTest, session.Rule{Text: "command " + line, Label: line}))
		p.Pass(time.Second)
		p.Golden("rules-together-" + size)
		if size != "40x12" && !p.Has("don't ask again for go vet and go test") {
			t.Errorf("%s", p.Text())
		}
		p.Answer("a")
		if a := got(p, answer); a.Scope != session.ScopeSession || a.Rule == nil || !a.Rule.Is(vetAndTest) {
			t.Errorf("answered %+v", a)
		}
		_, answer = turn.Ask(partsAsked(line, vetAndTest, session.Rule{Text: "command " + line, Label: line}))
		p.Pass(time.Second)
		p.Answer("e")
		if size != "40x12" && !p.Has("rule  command "+line) {
			t.Errorf("%s", p.Text())
		}
		p.Keys("esc")
		p.Answer("a")
		if a := got(p, answer); a.Rule == nil || a.Rule.Text != "command "+line {
			t.Errorf("answered %+v", a)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// TestManyRulesTogetherAreReadInFull scrolls through the most rules that one answer saves where they do not fit.
func TestManyRulesTogetherAreReadInFull(t *testing.T) {
	var parts, texts []string
	for _, what := range []string{"lint", "test", "docs", "build", "check", "publish-to-staging"} {
		parts = append(parts, "make "+what)
		texts = append(texts, "command make "+what)
	}
	many := session.Rule{Text: strings.Join(texts, "\n"), Label: strings.Join(parts, ", "), Names: parts}
	atSizes(t, Config{}, func(p *Program, size string) {
		p.Type("go on")
		turn := p.Turn()
		_, answer := turn.Ask(partsAsked(strings.Join(parts, " && "), many))
		p.Pass(time.Second)
		p.Golden("rules-many-" + size)
		seen := p.Text()
		for range 20 {
			p.Answer("pgdown")
			seen += p.Text()
		}
		for _, part := range []string{"make lint", "check and make publish-to-staging"} {
			if !strings.Contains(strings.Join(strings.Fields(seen), " "), part) {
				t.Errorf("%s: %q is not to be read:\n%s", size, part, p.Text())
			}
		}
		p.Answer("n")
		got(p, answer)
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}
