package permission

import (
	"slices"
	"testing"
	"time"

	"parley/session"
)

// What was granted for the session holds until it is revoked, whichever of the two events comes first.
func TestGrantsUntilRevoked(t *testing.T) {
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	ask := func(id session.AskID, rule string) []session.Event {
		return []session.Event{
			session.Asked{Ask: id, Kind: session.AskPermission, Permission: &session.PermissionAsk{Tool: "Bash", Rules: []session.Rule{{Text: rule}}}},
			session.Settled{Head: session.Head{At: at}, Ask: id, How: session.SettledAnswered, Answer: session.Answer{Decision: session.Allow, Scope: session.ScopeSession}},
		}
	}
	project := ask("c", "command make")
	settled := project[1].(session.Settled)
	settled.Answer.Scope = session.ScopeProject
	project[1] = settled
	granted := slices.Concat(ask("a", "command go test *"), ask("b", "command go vet *"), project)
	set := ask("d", "command go test *\ncommand go vet *")
	for name, c := range map[string]struct {
		events []session.Event
		want   []string
	}{
		"all":              {granted, []string{"a command go test *", "b command go vet *"}},
		"revoked":          {append(slices.Clone(granted), session.RuleRevoked{Ask: "a"}), []string{"b command go vet *"}},
		"earlier":          {append([]session.Event{session.RuleRevoked{Ask: "b"}}, granted...), []string{"a command go test *"}},
		"a set":            {set, []string{"d command go test *", "d command go vet *"}},
		"one of a set":     {append(slices.Clone(set), session.RuleRevoked{Ask: "d", Rule: "command go test *"}), []string{"d command go vet *"}},
		"one, before":      {append([]session.Event{session.RuleRevoked{Ask: "d", Rule: "command go vet *"}}, set...), []string{"d command go test *"}},
		"a set as a whole": {append(slices.Clone(set), session.RuleRevoked{Ask: "d"}), nil},
		"unknown":          {append(slices.Clone(granted), session.RuleRevoked{Ask: "x"}), []string{"a command go test *", "b command go vet *"}},
	} {
		var got []string
		for _, g := range Grants(session.Fold(c.events)) {
			got = append(got, string(g.Ask)+" "+g.Rule.String())
			if !g.Rule.Since.Equal(at) {
				t.Errorf("%s: since %s", name, g.Rule.Since)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
