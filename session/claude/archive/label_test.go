package archive

import (
	"os"
	"strings"
	"testing"

	"parley/session"
)

// TestLabels writes titles and tags in the runtime's own form, behind a line that was cut off, and leaves the session as old as it was.
func TestLabels(t *testing.T) {
	a := stored(t, fromUser("look"), fromModel("m1", textBlock("I looked.")))
	path, err := a.path(t.Context(), storedID)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, storedAt, storedAt); err != nil {
		t.Fatal(err)
	}
	const title = "a \"title\"\x1b[2J\nof two lines"
	for _, err := range []error{a.SetTitle(t.Context(), storedID, title), a.SetTag(t.Context(), storedID, "infra")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	m, err := a.Describe(t.Context(), storedID)
	if err != nil || m.Title != strings.ReplaceAll(title, "\n", " ") || len(m.Tags) != 1 || m.Tags[0] != "infra" || !m.Updated.Equal(storedAt) {
		t.Errorf("%+v, %v", m, err)
	}
	got, err := os.ReadFile(path)
	rest := strings.TrimPrefix(string(got), string(whole))
	want := `{"type":"custom-title","customTitle":"a \"title\"\u001b[2J\nof two lines","sessionId":"` + string(storedID) + "\"}\n" +
		`{"type":"tag","tag":"infra","sessionId":"` + string(storedID) + "\"}\n"
	if err != nil || rest != want {
		t.Errorf("%v: %s", err, rest)
	}
	if err := a.SetTag(t.Context(), storedID, ""); err != nil {
		t.Fatal(err)
	}
	if m, err := a.Describe(t.Context(), storedID); err != nil || len(m.Tags) != 0 {
		t.Errorf("%q, %v", m.Tags, err)
	}
	if said := refold(t, a); len(said.Turns) != 1 {
		t.Errorf("%d turns", len(said.Turns))
	}
	if err := a.SetTag(t.Context(), "0a1b2c3d-0000-4000-8000-000000000009", "x"); session.KindOf(err) != session.KindNotFound {
		t.Errorf("a session that is not there: %v", err)
	}
}
