package catalog

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/session"
)

// The aliases of an agent are models to that agent only, whatever the spelling.
func TestWrong(t *testing.T) {
	aliases := map[string][]string{"claude": {"opus", "sonnet"}}
	c := choices{{ID: "claude-sonnet-4.6", Efforts: []string{"low"}, Offered: true}, {ID: "hidden", Efforts: []string{"odd"}}}
	for _, tc := range []struct {
		agent, model, effort, key string
	}{
		{"claude", "opus[1m]", "", ""}, {"claude", "sonnet", "low", ""}, {"claude", "sonnet", "silly", "effort"},
		{"builtin", "sonnet", "", "model"}, {"builtin", "hidden", "odd", ""}, {"builtin", "", "odd", "effort"}, {"builtin", "", "", ""},
		{"builtin", "claude-sonnet-4-6", "", ""}, {"builtin", "Claude-Sonnet-4.6[1m]", "", ""}, {"builtin", "claude-sonnet-4-6-20260101", "", ""},
	} {
		wrong := c.wrong(aliases[tc.agent], session.Settings{Model: tc.model, Effort: tc.effort}, false)
		if (wrong != nil) != (tc.key != "") || wrong != nil && wrong.Key != tc.key {
			t.Errorf("%+v: %+v", tc, wrong)
		}
	}
	open := append(c, choice{ID: "new", Terms: true})
	if wrong := open.wrong(nil, session.Settings{Model: "NEW"}, false); wrong == nil || wrong.Terms != "new" || wrong.What != "the model new needs your yes to its terms" {
		t.Errorf("open terms: %+v", wrong)
	}
	if wrong := (choices)(nil).wrong(nil, session.Settings{Model: "x"}, false); wrong != nil {
		t.Errorf("nothing is known: %+v", wrong)
	}
}

func TestChoicesFile(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f := &choicesFile{path: filepath.Join(t.TempDir(), "sub", "models.json"), login: "me"}
	if c := f.load(now); c != nil {
		t.Errorf("out of nothing: %v", c)
	}
	want := choices{{ID: "m", Efforts: []string{"low"}, Offered: true, Default: true}}
	if err := f.save(want, now); err != nil {
		t.Fatal(err)
	}
	if got := f.load(now.Add(23 * time.Hour)); len(got) != 1 || got[0].ID != "m" {
		t.Errorf("%v", got)
	}
	other := &choicesFile{path: f.path, login: "somebody else"}
	for name, got := range map[string]choices{"old": f.load(now.Add(25 * time.Hour)), "of tomorrow": f.load(now.Add(-time.Hour)), "of another login": other.load(now)} {
		if got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	if err := os.WriteFile(f.path, []byte(`{"v":1,"models":[{`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := f.load(now); got != nil {
		t.Errorf("damaged: %v", got)
	}
	if err := f.save(append(want, choice{ID: "n"}), now); err != nil || len(f.load(now)) != 2 {
		t.Errorf("%v %v", err, f.load(now))
	}
	left, err := os.ReadDir(filepath.Dir(f.path))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
