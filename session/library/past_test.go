package library

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// The sessions of two sources come in the order of their newest prompts, also if the caller stops early or one fails.
func TestPastPromptsNewestFirst(t *testing.T) {
	source := func(err error, sessions ...string) pastPrompts {
		return func(_ context.Context, yield func([]session.PastPrompt) bool) error {
			for _, s := range sessions {
				var all []session.PastPrompt
				for text := range strings.FieldsSeq(s) {
					all = append(all, session.PastPrompt{Text: text, At: time.Unix(int64(text[0]), 0)})
				}
				if !yield(all) {
					return nil
				}
			}
			return err
		}
	}
	broken := errors.New("broken")
	for _, c := range []struct {
		a, b  pastPrompts
		most  int
		want  string
		fails bool
	}{
		{source(nil, "z1 a1", "m1"), source(nil, "y2 x2", "b2"), 9, "z1 a1 y2 x2 m1 b2", false},
		{source(nil), source(nil, "y2"), 9, "y2", false},
		{source(broken, "z1"), source(nil, "y2", "", "x2"), 9, "z1 y2 x2", true},
		{source(nil, "z1", "x1"), source(nil, "y2"), 2, "z1 y2", false},
		{source(nil, "z1"), source(nil, "z2"), 9, "z1 z2", false},
	} {
		var got []string
		sessions := 0
		err := newestFirst(c.a, c.b)(t.Context(), func(all []session.PastPrompt) bool {
			for _, p := range all {
				got = append(got, p.Text)
			}
			sessions++
			return sessions < c.most
		})
		if strings.Join(got, " ") != c.want || (err != nil) != c.fails {
			t.Errorf("%v, %v; want %s", got, err, c.want)
		}
	}
}
