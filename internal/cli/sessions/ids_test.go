package sessions

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/live"
)

// TestShortIDsNameSessions lists sessions whose ids begin alike: each short id names one, and less of it names the candidates.
func TestShortIDsNameSessions(t *testing.T) {
	metas := []session.Meta{{ID: "aaaaaaaa-1"}, {ID: "aaaaaaaa-2", Title: "the second"}, {ID: "bbbbbbbb-3"}, {ID: "short"}}
	want := []string{"aaaaaaaa-1", "aaaaaaaa-2", "bbbbbbbb", "short"}
	got := ShortIDs(metas)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for i, id := range got {
		if found, err := live.Match(metas, id); err != nil || found.ID != metas[i].ID {
			t.Errorf("%q names %q: %v", id, found.ID, err)
		}
	}
	_, err := live.Match(metas, "aaaa")
	several, ok := errors.AsType[*live.MatchError](err)
	if !ok || len(several.Fits) != 2 {
		t.Fatalf("%v", err)
	}
	if steps := strings.Join(Candidates(several.Fits), "\n"); !strings.Contains(steps, "aaaaaaaa-1") || !strings.Contains(steps, "the second") {
		t.Errorf("candidates:\n%s", steps)
	}
}
