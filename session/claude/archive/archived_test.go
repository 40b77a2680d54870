package archive

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/claude/transcript"
)

// TestArchived archives a session as the runtime does, and reads what the runtime writes: a later prompt ends it, and a record that cannot
// be read is none.
func TestArchived(t *testing.T) {
	a := stored(t, fromUser("look"), fromModel("m1", textBlock("I looked.")))
	path, err := a.path(t.Context(), storedID)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "archived.json")
	archived := func() bool {
		t.Helper()
		all, err := a.Sessions(t.Context())
		one, failed := a.Describe(t.Context(), storedID)
		if err != nil || failed != nil || len(all) != 1 || all[0].Archived != one.Archived {
			t.Fatalf("%+v, %+v, %v, %v", all, one, err, failed)
		}
		return one.Archived
	}
	if err := a.SetArchived(t.Context(), storedID, false); err != nil || archived() {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a record that nobody needs")
	}
	if err := a.SetArchived(t.Context(), storedID, true); err != nil || !archived() {
		t.Errorf("%v", err)
	}
	var written struct {
		Archived bool      `json:"archived"`
		At       time.Time `json:"at"`
	}
	data, err := os.ReadFile(file)
	if err = errors.Join(err, json.Unmarshal(data, &written)); err != nil || !written.Archived || time.Since(written.At) > time.Hour {
		t.Errorf("%s, %v", data, err)
	}
	info, err := transcript.Describe(path, storedAt)
	if err != nil || info.Prompted.IsZero() {
		t.Fatalf("%+v, %v", info, err)
	}
	at := func(d time.Duration) string { return info.Prompted.Add(d).Format(time.RFC3339Nano) }
	for text, want := range map[string]bool{
		`{"archived":true,"at":"` + at(time.Second) + `","by":"cli"}`: true, `{"archived":true,"at":"` + at(-time.Second) + `","by":"cli"}`: false,
		`{"archived":false,"at":"` + at(time.Second) + `"}`: false, `{"archived":true}`: false, `{"archived":true,"at":"soon"}`: false, `{"archived":"yes"`: false, "": false,
		strings.Repeat(" ", 5000) + `{"archived":true,"at":"` + at(time.Second) + `"}`: false,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := archived(); got != want {
			t.Errorf("%.80s: %v", text, got)
		}
	}
	if err := a.SetArchived(t.Context(), storedID, true); err != nil || !archived() {
		t.Errorf("%v", err)
	}
	if err := a.SetArchived(t.Context(), storedID, false); err != nil || archived() {
		t.Errorf("%v", err)
	}
	if err := a.SetArchived(t.Context(), "0a1b2c3d-0000-4000-8000-000000000009", true); session.KindOf(err) != session.KindNotFound {
		t.Errorf("a session that is not there: %v", err)
	}
}
