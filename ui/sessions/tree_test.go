package sessions

import (
	"strings"
	"testing"
	"time"

	"parley/session"
)

// Copies stand below their originals, where the newest of the family is; a missing original, another directory and a circle change nothing.
func TestTree(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ sessions, want string }{
		{"a b c", "a | b | c"},
		{"copy<old other old", "old / └ copy / other"},
		{"x<copy y<copy copy<old old", "old / └ copy /   └ x /   └ y"},
		{"copy<gone a", "copy | a"},
		{"a<b b<a c", "b / └ a / c"},
		{"a<a b", "a | b"},
		{"e<d d<c c<b b<a a", "a / └ b /   └ c /     └ d /       └ e"},
	} {
		var all []session.Meta
		for i, word := range strings.Fields(tt.sessions) {
			id, parent, _ := strings.Cut(word, "<")
			all = append(all, session.Meta{ID: session.ID(id), Parent: session.ID(parent), Title: id, Dir: "/repos/x", Updated: now.Add(-time.Duration(i) * 20 * time.Hour)})
		}
		rows := Sessions{All: all, Dir: "/repos/x", At: now}.Rows()
		var got []string
		for _, r := range rows {
			got = append(got, strings.TrimRight(r.Cells[0], " "))
		}
		if s, want := strings.Join(got, "|"), strings.NewReplacer(" | ", "|", " / ", "|").Replace(tt.want); s != want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.sessions, s, want)
		}
		if strings.Contains(tt.want, "copy / other") && rows[0].Group != rows[1].Group {
			t.Errorf("a family in two groups: %q, %q", rows[0].Group, rows[1].Group)
		}
	}
}
