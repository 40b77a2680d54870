package session

import (
	"slices"
	"testing"
)

// Each choice changes its own part of the settings, and is journaled and read again.
func TestSettingsFollowChoices(t *testing.T) {
	var s Settings
	for _, e := range []Event{
		ModelChanged{Model: "m", Effort: "high"}, ModeChanged{Mode: ModePlan}, CustomChanged{Custom: "reviewer"}, DirsChanged{Dirs: []string{"/repos/a", "/repos/b c"}}, TitleChanged{Title: "no choice"},
	} {
		data, err := EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		if e, err = DecodeEvent(data); err != nil {
			t.Fatal(err)
		}
		after, choice := s.After(e)
		if _, title := e.(TitleChanged); choice == title {
			t.Errorf("%T: a choice: %v", e, choice)
		}
		s = after
	}
	want := Settings{Model: "m", Effort: "high", Mode: ModePlan, Custom: "reviewer", Dirs: "\n/repos/a\n/repos/b c"}
	if got := s; got != want {
		t.Errorf("%+v", got)
	}
	s, _ = s.After(CustomChanged{})
	if want.Custom = ""; s != want {
		t.Errorf("after the end of the custom agent: %+v", s)
	}
	begun := []string{"/repos/begun"}
	if got := (Settings{}).Dirs.Or(begun); !slices.Equal(got, begun) {
		t.Errorf("no choice of directories: %q", got)
	}
	if got := s.Dirs.Or(begun); !slices.Equal(got, []string{"/repos/a", "/repos/b c"}) {
		t.Errorf("chosen directories: %q", got)
	}
	s, _ = s.After(DirsChanged{})
	if got := s.Dirs.Or(begun); s.Dirs == "" || len(got) != 0 {
		t.Errorf("all directories were removed: %q", got)
	}
	tr := Fold([]Event{CustomChanged{Custom: "reviewer"}, TurnStarted{Head: Head{Turn: "1"}}, CustomChanged{Custom: "other"}, CustomChanged{Custom: "other"}})
	if tr.Settings.Custom != "other" || len(tr.Turns[0].Entries) != 1 {
		t.Errorf("folded: %+v, %d marks", tr.Settings, len(tr.Turns[0].Entries))
	}
}

func TestCustomNames(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "reviewer": "reviewer", "/r/.github/agents/reviewer.agent.md": "reviewer", "/a/b.md": "b", "/a/.md": ".md", "/a/x": "x",
	} {
		if got := CustomName(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	c := Customs{Agents: []CustomAgent{{Name: "Reviewer"}, {Name: "reviewer", Title: "The second"}}}
	if a := c.Named("reviewer"); a == nil || a.Label() != "The second" {
		t.Errorf("the same spelling comes first: %+v", a)
	}
	if a := c.Named("REVIEWER"); a == nil || a.Label() != "Reviewer" {
		t.Errorf("any case: %+v", a)
	}
	if c.Named("nobody") != nil {
		t.Error("found what is not there")
	}
}
