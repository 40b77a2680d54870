package library_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/library"
	"parley/session/sessiontest"
	"parley/session/store/marks"
)

// labeler is an agent with titles and a tag of its own.
type labeler struct {
	keeper
	labels []string
}

func (l *labeler) SetTitle(_ context.Context, id session.ID, title string) error {
	l.labels = append(l.labels, string(id)+" titled "+title)
	return nil
}

func (l *labeler) SetTag(_ context.Context, id session.ID, tag string) error {
	l.labels = append(l.labels, string(id)+" tagged "+tag)
	l.own.Tags = nil
	if tag != "" {
		l.own.Tags = []string{tag}
	}
	return nil
}

// TestMark sorts a session of ours, one that is open, and one of an agent, which gets its title and one tag.
func TestMark(t *testing.T) {
	w := sessiontest.NewWorld()
	for _, id := range []session.ID{"ours", "held"} {
		w.Journals.Put(session.Meta{ID: id, Agent: "builtin"})
	}
	j, _, _, err := w.Journals.Open(t.Context(), "held")
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	a := &labeler{keeper: keeper{Agent: w.Agent, own: session.Meta{ID: "own", Agent: "builtin", Tags: []string{"Theirs"}}}}
	l := library.New(library.Options{Journals: w.Journals, Agents: []session.Agent{a}, Marks: marks.New(t.TempDir())})
	add := func(tags ...string) func(*marks.Marks) {
		return func(m *marks.Marks) { m.Tags = append(m.Tags, tags...) }
	}
	for _, c := range []struct {
		id     session.ID
		change func(*marks.Marks)
		tags   string
	}{
		{"ours", add("upload"), "upload"}, {"held", func(m *marks.Marks) { m.Pinned = true }, ""}, {"own", add("infra"), "infra,theirs"},
		{"own", func(m *marks.Marks) { m.Tags = []string{"infra"} }, "infra"}, {"own", func(m *marks.Marks) { m.Tags = nil }, ""},
	} {
		now, err := l.Mark(t.Context(), c.id, c.change)
		if got := strings.Join(now.Tags, ","); err != nil || got != c.tags {
			t.Errorf("%s: %q, want %q, %v", c.id, got, c.tags, err)
		}
	}
	if err := l.Rename(t.Context(), "own", "after"); err != nil {
		t.Fatal(err)
	}
	if want := []string{"own tagged infra", "own tagged ", "own titled after"}; !slices.Equal(a.labels, want) {
		t.Errorf("%q, want %q", a.labels, want)
	}
	all := []session.Meta{{ID: "ours"}, {ID: "held"}, {ID: "own", Tags: []string{"of an agent"}}, {ID: "other"}}
	if err := l.Sort(t.Context(), all); err != nil || !slices.Equal(all[0].Tags, []string{"upload"}) || !all[1].Pinned || len(all[3].Tags) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if err := l.Remove(t.Context(), "ours", false); err != nil {
		t.Fatal(err)
	}
	if all[0].Tags = nil; l.Sort(t.Context(), all[:1]) != nil || all[0].Tags != nil {
		t.Errorf("the marks outlive the session: %+v", all[0])
	}
	if _, err := library.New(library.Options{Journals: w.Journals}).Mark(t.Context(), "ours", add("x")); session.KindOf(err) != session.KindUnsupported {
		t.Errorf("without a store: %v", err)
	}
}
