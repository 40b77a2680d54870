package library_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/session"
	"parley/session/library"
	"parley/session/scratch"
	"parley/session/sessiontest"
)

// TestScratchInUse keeps a scratch folder while another session works in it, below it, or by another path, whatever that is called.
func TestScratchInUse(t *testing.T) {
	for name, c := range map[string]struct {
		other func(dir, link string) session.Meta
		gone  bool
	}{
		"elsewhere":    {func(_, link string) session.Meta { return session.Meta{Dir: filepath.Dir(link)} }, true},
		"none":         {func(string, string) session.Meta { return session.Meta{} }, true},
		"beside":       {func(dir, _ string) session.Meta { return session.Meta{Dir: dir + "x"} }, true},
		"there":        {func(dir, _ string) session.Meta { return session.Meta{Dir: dir} }, false},
		"below":        {func(dir, _ string) session.Meta { return session.Meta{Dir: filepath.Join(dir, "app")} }, false},
		"by a link":    {func(_, link string) session.Meta { return session.Meta{Dir: link} }, false},
		"below a link": {func(_, link string) session.Meta { return session.Meta{Dir: filepath.Join(link, "app")} }, false},
		"gone below":   {func(dir, _ string) session.Meta { return session.Meta{Dir: filepath.Join(dir, "gone")} }, false},
		"added":        {func(dir, _ string) session.Meta { return session.Meta{Dir: "/d", Dirs: []string{"/e", dir}} }, false},
		"added below it": {func(dir, _ string) session.Meta {
			return session.Meta{Dir: "/d", Dirs: []string{filepath.Join(dir, "app")}}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := scratch.Folders{Root: filepath.Join(t.TempDir(), "scratch")}
			dir, err := f.Make(time.Now())
			if err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(dir, link); err != nil && filepath.Separator == '/' {
				t.Fatal(err)
			} else if err != nil {
				return // a system on which users may make no links
			}
			if err := os.Mkdir(filepath.Join(dir, "app"), 0o700); err != nil {
				t.Fatal(err)
			}
			w := sessiontest.NewWorld()
			w.Journals.Put(session.Meta{ID: "one", Agent: "builtin", Dir: dir})
			other := c.other(dir, link)
			other.ID, other.Agent = "other", "builtin"
			w.Journals.Put(other)
			l := library.New(library.Options{Journals: w.Journals, Scratch: f})
			if r, err := l.Removal(t.Context(), "one"); err != nil || (r.Folder == dir) != c.gone || r.Folder != "" && !c.gone {
				t.Errorf("%+v, %v", r, err)
			}
			if err := l.Remove(t.Context(), "one", false); err != nil {
				t.Fatal(err)
			}
			if f.Has(dir) == c.gone {
				t.Errorf("%+v: the folder is gone: %v", other, c.gone)
			}
		})
	}
}

// TestSweepScratch deletes the empty folder in which no session works, also none that began since the sessions were listed.
func TestSweepScratch(t *testing.T) {
	f := scratch.Folders{Root: filepath.Join(t.TempDir(), "scratch")}
	gone, listed, new := made(t, f), made(t, f), made(t, f)
	w := sessiontest.NewWorld()
	w.Journals.Put(session.Meta{ID: "new", Agent: "builtin", Dir: new})
	l := library.New(library.Options{Journals: w.Journals, Scratch: f})
	l.SweepScratch(t.Context(), []session.Meta{{ID: "other", Dir: listed}})
	if f.Has(gone) != (filepath.Separator != '/') || !f.Has(listed) || !f.Has(new) {
		t.Errorf("%v, %v, %v", f.Has(gone), f.Has(listed), f.Has(new))
	}
}

// made makes a folder as of long ago.
func made(t *testing.T, f scratch.Folders) string {
	t.Helper()
	dir, err := f.Make(time.Now())
	if err == nil {
		err = os.Chtimes(dir, time.Now(), time.Now().Add(-9*time.Hour))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
