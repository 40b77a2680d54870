package library_test

import (
	"context"
	"errors"
	"fmt"
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
	err    error
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

func (l *labeler) SetArchived(_ context.Context, id session.ID, archived bool) error {
	l.labels = append(l.labels, fmt.Sprint(id, " archived ", archived))
	l.own.Archived = archived
	return l.err
}

// TestArchiveOfAnAgent archives a session in its agent's own form, which alone decides, and one of ours in its marks.
func TestArchiveOfAnAgent(t *testing.T) {
	w := sessiontest.NewWorld()
	w.Journals.Put(session.Meta{ID: "ours", Agent: "builtin"})
	a := &labeler{keeper: keeper{Agent: w.Agent, own: session.Meta{ID: "own", Agent: "builtin"}}}
	l := library.New(library.Options{Journals: w.Journals, Agents: []session.Agent{a}, Marks: marks.New(t.TempDir())})
	listed := func() (archived string) {
		t.Helper()
		all := []session.Meta{{ID: "ours"}, a.own}
		if err := l.Sort(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			if m.Archived {
				archived += string(m.ID) + " "
			}
		}
		return archived
	}
	mark := func(id session.ID, archived bool) {
		t.Helper()
		if now, err := l.Mark(t.Context(), id, func(m *marks.Marks) { m.Archived = archived }); err != nil || now.Archived != archived {
			t.Errorf("%s: %+v, %v", id, now, err)
		}
	}
	mark("own", true)
	mark("ours", true)
	if got := listed(); got != "ours own " {
		t.Errorf("archived are %q", got)
	}
	a.own.Archived = false // by its own program
	if got := listed(); got != "ours " {
		t.Errorf("archived are %q", got)
	}
	if _, err := l.Mark(t.Context(), "own", func(m *marks.Marks) { m.Pinned = true }); err != nil || listed() != "ours " {
		t.Errorf("%v, archived are %q", err, listed())
	}
	mark("own", true)
	if _, err := l.Mark(t.Context(), "own", func(m *marks.Marks) { m.Pinned = false }); err != nil || listed() != "ours own " {
		t.Errorf("%v, archived are %q", err, listed())
	}
	mark("own", false)
	if want := []string{"own archived true", "own archived true", "own archived false"}; !slices.Equal(a.labels, want) {
		t.Errorf("%q, want %q", a.labels, want)
	}
	a.err = errors.New("full")
	if _, err := l.Mark(t.Context(), "own", func(m *marks.Marks) { m.Archived = true }); err == nil {
		t.Error("no error")
	}
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

// filed is an agent that names a session by its file too.
type filed struct {
	keeper
	name session.ID
}

func (*filed) Name() string { return "claude" }

func (f *filed) Mark(context.Context, session.ID) session.ID { return f.name }

// TestMarksOfAFileStay finds the title and the tags of a session that got the id of another one which went away, and changes them there. What
// was said of the other one's file is not its own.
func TestMarksOfAFileStay(t *testing.T) {
	w := sessiontest.NewWorld()
	a := &filed{keeper{Agent: w.Agent, own: session.Meta{ID: "x.at-00000001", Agent: "claude"}}, "x.at-00000001"}
	store := marks.New(t.TempDir())
	l := library.New(library.Options{Journals: w.Journals, Agents: []session.Agent{a}, Marks: store})
	tag := func(id session.ID, tag string) {
		t.Helper()
		if _, err := l.Mark(t.Context(), id, func(m *marks.Marks) { m.Tags = append(m.Tags, tag) }); err != nil {
			t.Fatal(err)
		}
	}
	tag(a.own.ID, "before")
	if err := l.Rename(t.Context(), a.own.ID, "titled"); err != nil {
		t.Fatal(err)
	}
	a.own.ID = "x"
	tag("x", "after")
	for name, want := range map[session.ID]string{"x.at-00000001": "titled [after before]", "x.at-00000002": " []"} {
		a.name = name
		all := []session.Meta{{ID: "x", Agent: "claude"}}
		if err := l.Sort(t.Context(), all); err != nil || fmt.Sprint(all[0].Title, " ", all[0].Tags) != want || l.Title(t.Context(), "claude", "x") != all[0].Title {
			t.Errorf("%s: %+v, %v", name, all[0], err)
		}
	}
	a.name = "x.at-00000001"
	if err := l.Rename(t.Context(), "x", "last"); err != nil || l.Title(t.Context(), "claude", "x") != "last" || store.Has("x") {
		t.Errorf("%v, %q", err, l.Title(t.Context(), "claude", "x"))
	}
}

// listing counts how often all journals are listed.
type listing struct {
	session.Journals
	lists int
}

func (*listing) Has(session.ID) bool                                            { return true }
func (*listing) Prompts(context.Context, func([]session.PastPrompt) bool) error { return nil }

func (l *listing) List(ctx context.Context) ([]session.Meta, error) {
	l.lists++
	return l.Journals.List(ctx)
}

// Looking for a title, as with each session that is opened, lists no journals.
func TestTitleListsNothing(t *testing.T) {
	w := sessiontest.NewWorld()
	journals := &listing{Journals: w.Journals}
	l := library.New(library.Options{Journals: journals, Agents: []session.Agent{&keeper{Agent: w.Agent}}, Marks: marks.New(t.TempDir())})
	if title := l.Title(t.Context(), "builtin", "x"); title != "" || journals.lists > 0 {
		t.Errorf("%q after %d lists", title, journals.lists)
	}
	if _, _, kept := l.Keeper(t.Context(), "x"); kept || journals.lists != 1 { // which is how an agent is found
		t.Errorf("kept %v, %d lists", kept, journals.lists)
	}
}
