package session

import (
	"strings"
	"testing"
)

func TestQueue(t *testing.T) {
	for name, c := range map[string]struct {
		do      func(q *Queue) bool
		changed bool
		want    string
	}{
		"added":              {func(q *Queue) bool { return q.add(Prompt{ID: "d"}) }, true, "abcd"},
		"added twice":        {func(q *Queue) bool { return q.add(Prompt{ID: "b"}) }, false, "abc"},
		"removed":            {func(q *Queue) bool { p, ok := q.remove("b"); return ok && p.ID == "b" }, true, "ac"},
		"unknown":            {func(q *Queue) bool { _, ok := q.remove("x"); return ok }, false, "abc"},
		"moved to the front": {func(q *Queue) bool { return q.move("c", "a") }, true, "cab"},
		"moved to the end":   {func(q *Queue) bool { return q.move("a", "") }, true, "bca"},
		"moved back":         {func(q *Queue) bool { return q.move("a", "c") }, true, "bac"},
		"moved in place":     {func(q *Queue) bool { return q.move("a", "b") }, false, "abc"},
		"before itself":      {func(q *Queue) bool { return q.move("b", "b") }, false, "abc"},
		"moved, unknown":     {func(q *Queue) bool { return q.move("x", "a") }, false, "abc"},
	} {
		t.Run(name, func(t *testing.T) {
			q := Queue{{ID: "a"}, {ID: "b"}, {ID: "c"}}
			if got := c.do(&q); got != c.changed {
				t.Errorf("changed %v, want %v", got, c.changed)
			}
			var ids strings.Builder
			for _, p := range q {
				ids.WriteString(string(p.ID))
			}
			if ids.String() != c.want {
				t.Errorf("%s, want %s", &ids, c.want)
			}
		})
	}
}
