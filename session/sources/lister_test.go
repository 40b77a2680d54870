package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
)

// shelf is a source in memory: the sessions of each file, by its path. "!" in place of them is an error, "-" a file that went away.
type shelf struct {
	files map[string]string
	names bool // a file has one session, and its name says which
	fails error
	stamp int64
	asked []string // the ids that were looked for
}

func (s *shelf) stampOf(path string) (Stamp, error) {
	if _, has := s.files[path]; !has {
		return Stamp{}, fs.ErrNotExist
	}
	return Stamp{{Size: int64(len(s.files[path])) + s.stamp}}, nil
}

func (s *shelf) Places(_ context.Context, id string) (all []Place, err error) {
	s.asked = append(s.asked, id)
	for path, text := range s.files {
		p := Place{Path: path}
		if p.Stamp, err = s.stampOf(path); err != nil {
			return nil, err
		}
		if s.names {
			p.ID = strings.Trim(text, "!-")
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b Place) int { return strings.Compare(b.Path, a.Path) }) // no order is relied on
	return all, s.fails
}

func (s *shelf) Describe(_ context.Context, p Place) (metas []session.Meta, err error) {
	text := s.files[p.Path]
	switch {
	case strings.HasPrefix(text, "!"):
		err = errors.New("it is damaged")
	case strings.HasPrefix(text, "-"):
		return nil, fs.ErrNotExist
	}
	for _, id := range strings.Fields(strings.Trim(text, "!-")) {
		if s.names && err != nil {
			break
		}
		m := session.Meta{ID: session.ID(id), First: p.Path}
		if strings.Contains(p.Path, "+") {
			m.Updated = at
		}
		metas = append(metas, m)
	}
	return metas, err
}

// at is when a file with "+" in its path changed, after all others.
var at = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (s *shelf) lister() *Lister {
	valid := regexp.MustCompile(`^[a-z]+$`)
	return New(s, Options{Program: "Shelf", Prefix: "shelf-", Valid: valid.MatchString, Stamp: s.stampOf,
		Home: func(p Place, _ session.Meta) bool { return strings.HasSuffix(p.Path, "home") }})
}

// inShort returns the names of sessions with their files.
func inShort(metas []session.Meta) string {
	var all []string
	for _, m := range metas {
		name := string(m.ID)
		if Marked(m.ID) {
			name = string(Raw(m.ID)) + "'"
		}
		all = append(all, name+"="+m.First)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// TestSessions lists what can be read, with a name of its own for each, and names what cannot. Each name finds the session whose row it is.
func TestSessions(t *testing.T) {
	many := map[string]string{}
	for i := range 12 {
		many[fmt.Sprintf("/bad/%02d", i)] = "!"
	}
	for name, c := range map[string]struct {
		files map[string]string
		names bool
		fails error
		want  string
		errs  []string // what the error has
	}{
		"nothing":                {nil, false, nil, "", nil},
		"several in a file":      {map[string]string{"/1": "a b"}, false, nil, "shelf-a=/1 shelf-b=/1", nil},
		"two with one id":        {map[string]string{"/1": "a", "/2": "a b"}, false, nil, "shelf-a'=/2 shelf-a=/1 shelf-b=/2", nil},
		"one is at home":         {map[string]string{"/1": "a", "/2home": "a", "/3": "a"}, false, nil, "shelf-a'=/1 shelf-a'=/3 shelf-a=/2home", nil},
		"one is newer":           {map[string]string{"/1": "a", "/2+": "a", "/3": "a"}, false, nil, "shelf-a'=/1 shelf-a'=/3 shelf-a=/2+", nil},
		"a newer copy":           {map[string]string{"/1home": "a", "/2+": "a", "/3+home": "a"}, false, nil, "shelf-a'=/1home shelf-a'=/2+ shelf-a=/3+home", nil},
		"named files":            {map[string]string{"/1": "a", "/2home": "a", "/3": "b"}, true, nil, "shelf-a'=/1 shelf-a=/2home shelf-b=/3", nil},
		"a bad one":              {map[string]string{"/1": "!", "/2": "a"}, false, nil, "shelf-a=/2", []string{"Shelf: /1: it is damaged"}},
		"a bad one at home":      {map[string]string{"/1home": "!a", "/2": "a"}, true, nil, "shelf-a=/2", []string{"Shelf: /1home: it is damaged"}},
		"a part can be read":     {map[string]string{"/1": "!a"}, false, nil, "shelf-a=/1", []string{"Shelf: /1: it is damaged"}},
		"one that went away":     {map[string]string{"/1": "-", "/2": "a"}, false, nil, "shelf-a=/2", nil},
		"bad ids":                {map[string]string{"/1": "a ../x B c.at-00000000"}, false, nil, "shelf-a=/1", []string{`/1: "../x" is not`, `"B" is not`, `"c.at-00000000" is not`}},
		"many bad ones":          {many, false, nil, "", []string{"/bad/11: it is damaged", "and 4 more files"}},
		"a place that is shut":   {map[string]string{"/1": "a"}, false, errors.New("/0: permission denied"), "shelf-a=/1", []string{"Shelf: /0: permission denied"}},
		"the same id, in a file": {map[string]string{"/1": "a a"}, false, nil, "shelf-a=/1", nil},
	} {
		s := &shelf{files: c.files, names: c.names, fails: c.fails}
		l := s.lister()
		metas, err := l.Sessions(t.Context())
		if got := inShort(metas); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		for _, want := range c.errs {
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(session.ProblemOf(err, time.Time{}).What, want) || session.KindOf(err) != session.KindDisk {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
		}
		if len(c.errs) == 0 && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, m := range metas {
			for _, known := range []*Lister{l, s.lister()} {
				one, err := known.Describe(t.Context(), m.ID)
				if p, failed := known.Find(t.Context(), m.ID, true); err != nil || failed != nil || one.First != m.First || one.ID != m.ID || p.Path != m.First {
					t.Errorf("%s: %s is %+v at %s, %v, %v", name, m.ID, one, p.Path, err, failed)
				}
				if mark := known.Mark(t.Context(), m.ID); !Marked(mark) || Raw(mark) != Raw(m.ID) {
					t.Errorf("%s: %s is marked as %s", name, m.ID, mark)
				} else if one, err := known.Describe(t.Context(), mark); err != nil || one.First != m.First {
					t.Errorf("%s: %s is %+v, %v", name, mark, one, err)
				}
			}
		}
	}
}

// TestNoSession refuses what is no session of the program.
func TestNoSession(t *testing.T) {
	s := &shelf{files: map[string]string{"/1": "a"}}
	for id, want := range map[session.ID]session.Kind{"": session.KindNotFound, "a": session.KindNotFound, "shelf-b": session.KindNotFound, "shelf-": session.KindInvalid,
		"shelf-../a": session.KindInvalid, "shelf-a\n": session.KindInvalid, "shelf-a.at-00000000": session.KindNotFound, "shelf-a.at-1": session.KindInvalid,
		"shelf-.at-00000000": session.KindInvalid, session.ID("shelf-" + strings.Repeat("A", 1<<20)): session.KindInvalid} {
		l := s.lister()
		_, err := l.Describe(t.Context(), id)
		if _, failed := l.Find(t.Context(), id, true); session.KindOf(err) != want || session.KindOf(failed) != want {
			t.Errorf("%.40q: %v, %v", string(id), err, failed)
		}
		if err != nil && len(err.Error()) > 1<<10 {
			t.Errorf("the error has %d bytes", len(err.Error()))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.lister().Sessions(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	if err := session.ProblemOf(ReadOnly("open", "Shelf", "shelf-a.at-00000000"), time.Time{}); session.KindOf(ReadOnly("", "", "")) != session.KindUnsupported ||
		!strings.Contains(err.What, "Shelf") || !strings.Contains(err.Next, "/fork") {
		t.Errorf("%+v", err)
	}
}

// TestOnlyWhatChangedIsRead counts the files that are read again.
func TestOnlyWhatChangedIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{files: map[string]string{"/1": "a", "/2": "b", "/3": "b"}}
		l := s.lister()
		reads := func(want int) {
			t.Helper()
			if got := l.Reads(); got != want {
				t.Errorf("%d reads, want %d", got, want)
			}
		}
		look := func() {
			if _, err := l.Sessions(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		look()
		look()
		reads(3)
		s.files["/1"] = "a cc"
		look()
		reads(4)
		for range 3 { // it is where it was
			if m, err := l.Describe(t.Context(), "shelf-b"); err != nil || m.First != "/2" {
				t.Errorf("%+v, %v", m, err)
			}
		}
		reads(4)
		if slices.Contains(s.asked, "b") {
			t.Error("all places were looked at for a session that is known")
		}
		s.stamp++ // the program writes all the time
		if _, err := l.Find(t.Context(), "shelf-a", true); err != nil {
			t.Error(err)
		}
		reads(4)
		if _, err := l.Find(t.Context(), "shelf-a", false); err != nil {
			t.Error(err)
		}
		reads(5)
		time.Sleep(Recently)
		s.stamp++
		if _, err := l.Find(t.Context(), "shelf-a", true); err != nil {
			t.Error(err)
		}
		reads(6)
		delete(s.files, "/2") // the other one keeps its name
		if m, err := l.Describe(t.Context(), session.ID("shelf-b"+sign+markOf("/3"))); err != nil || m.First != "/3" {
			t.Errorf("%+v, %v", m, err)
		}
		s.files["/1"] = "other"
		if _, err := l.Describe(t.Context(), "shelf-a"); session.KindOf(err) != session.KindNotFound {
			t.Errorf("one that went away: %v", err)
		}
	})
}

// FuzzNames takes the mark off a name as it was put there.
func FuzzNames(f *testing.F) {
	f.Add("a", "/1")
	f.Add("a.at-00000000", "")
	f.Add(".at-", "x\ny")
	f.Add("", "\x00")
	f.Fuzz(func(t *testing.T, id, path string) {
		name := session.ID(id + sign + markOf(path))
		if !strings.Contains(id, "\n") && id != "" && (!Marked(name) || string(Raw(name)) != id) {
			t.Errorf("%q is marked as %q, which is of %q", id, name, Raw(name))
		}
		if raw := Raw(session.ID(id)); Marked(session.ID(id)) == (string(raw) == id) {
			t.Errorf("%q is of %q", id, raw)
		}
	})
}

// TestPromptsEnd stops with the reader, and once much was read.
func TestPromptsEnd(t *testing.T) {
	said := func(n int64) func(string) ([]session.PastPrompt, int64) {
		return func(text string) ([]session.PastPrompt, int64) { return []session.PastPrompt{{Text: text}}, n }
	}
	for name, c := range map[string]struct {
		bytes int64
		most  int
		want  string
	}{"all": {1, 9, "abc"}, "the first": {1, 1, "a"}, "much": {promptBytesAll/2 + 1, 9, "a"}} {
		got := ""
		err := Prompts(t.Context(), []string{"a", "b", "c"}, said(c.bytes), func(all []session.PastPrompt) bool {
			got += all[0].Text
			return len(got) < c.most
		})
		if got != c.want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Prompts(ctx, []string{"a"}, said(1), func([]session.PastPrompt) bool { return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// TestCommand goes on with a session in its own program, and nothing else.
func TestCommand(t *testing.T) {
	for _, c := range []struct{ agent, id, dir, want string }{
		{"codex", "codex-a1", "", "codex resume a1"}, {"claude", "a1", "/work", "cd /work && claude --resume a1"}, {"builtin", "a1", "/work", ""}, {"", "", "", ""},
		{"copilot", "a; rm -rf ~", "/it's", `cd '/it'"'"'s' && copilot --resume 'a; rm -rf ~'`}, {"copilot", "a\nb", "", ""}, {"claude", "a.at-00000000", "", ""},
		{"goose", "goose-20261129_1", "/a\x1b[201~b", "goose session --resume --session-id 20261129_1"},
	} {
		if got := Command(c.agent, session.ID(c.id), c.dir); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
