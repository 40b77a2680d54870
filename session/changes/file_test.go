package changes

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"parley/session"
	"parley/session/changes/snapshot"
)

// Lines that are torn, damaged or of a newer parley are left out, and an append after them begins a line.
func TestDamagedLinesAreLeftOut(t *testing.T) {
	good := func(path string) string {
		c := change(path, "A", "B")
		c.ID = 1
		data, err := line{Change: &c}.encode()
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, c := range []struct{ name, content, want, after string }{
		{"nothing", "", "", "new open"},
		{"a line", good("/f"), "f open", "f open, new open"},
		{"a torn line", good("/f") + good("/g")[:30], "f open", "f open, new open"},
		{"only a torn line", good("/g")[:30], "", "new open"},
		{"a line without its end", strings.TrimSuffix(good("/f"), "\n"), "", "f open, new open"},
		{"damage in the middle", "\x00\xff{\n" + good("/f"), "f open", "f open, new open"},
		{"blank lines", "\n\n" + good("/f") + "\n", "f open", "f open, new open"},
		{"of a newer parley", `{"later":{"id":1}}` + "\n" + good("/f") + `{"step":{"id":7,"kind":"later"}}` + "\n", "f open", "f open, new open"},
		{"no object", "[]\n7\nnull\n\"x\"\n" + good("/f"), "f open", "f open, new open"},
		{"another type", `{"change":{"id":"one"}}` + "\n" + good("/f"), "f open", "f open, new open"},
		{"incomplete", `{"change":{"id":1}}` + "\n" + `{"mark":{"step":9,"file":-1,"fate":"done"}}` + "\n" + `{"end":{}}` + "\n", "", "new open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newLibrary(t)
			l := b.Log("s1")
			if err := os.MkdirAll(b.o.Dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(l.path(), []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := summary(t, l); got != c.want {
				t.Errorf("read: %q, want %q", got, c.want)
			}
			if err := l.Add(t.Context(), change("/new", "A", "B")); err != nil {
				t.Fatal(err)
			}
			for name, l := range map[string]*Log{"this": l, "another process": again(b).Log("s1")} {
				if got := summary(t, l); got != c.after {
					t.Errorf("%s, after an append: %q, want %q", name, got, c.after)
				}
			}
		})
	}
}

// A file that was removed, replaced, cut or written over is read from its beginning.
func TestTheFileMayBeReplaced(t *testing.T) {
	b := newLibrary(t)
	l := b.Log("s1")
	write := func(paths ...string) []byte {
		other := newLibrary(t).Log("s1")
		for _, p := range paths {
			if err := other.Add(t.Context(), change(p, "A", "B")); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(other.path())
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if err := l.Add(t.Context(), change("/a", "A", "B"), change("/b", "A", "B")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		do   func() error
		want string
	}{
		{"removed", func() error { return os.Remove(l.path()) }, ""},
		{"made again", func() error { return os.WriteFile(l.path(), write("/c"), 0o600) }, "c open"},
		{"written over with more", func() error { return os.WriteFile(l.path(), write("/d", "/e", "/f"), 0o600) }, "d open, e open, f open"},
		{"cut", func() error { return os.WriteFile(l.path(), write("/d"), 0o600) }, "d open"},
		{"replaced", func() error {
			if err := os.WriteFile(l.path()+".new", write("/g", "/h"), 0o600); err != nil {
				return err
			}
			return os.Rename(l.path()+".new", l.path())
		}, "g open, h open"},
	} {
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
		if got := summary(t, l); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if err := l.Add(t.Context(), change("/i", "A", "B")); err != nil {
		t.Fatal(err)
	}
	if got := summary(t, again(b).Log("s1")); got != "g open, h open, i open" {
		t.Errorf("at the end: %q", got)
	}
}

// Two processes, and several goroutines of one, append at once: nothing is lost, and every change has an id.
func TestManyAppendAtOnce(t *testing.T) {
	b := newLibrary(t)
	logs := []*Log{b.Log("s1"), b.Log("s1"), again(b).Log("s1"), again(b).Log("s1")}
	const each = 25
	var wg sync.WaitGroup
	for n, l := range logs {
		wg.Go(func() {
			for i := range each {
				if err := l.Add(t.Context(), change(fmt.Sprintf("/%d/%d", n, i), "A", "B"), change(fmt.Sprintf("/%d/%d", n, i), "B", "C")); err != nil {
					t.Error(err)
				}
				if i%5 == 0 {
					if _, err := l.Accept(t.Context(), Scope{Paths: []string{fmt.Sprintf("/%d", n)}}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	for _, l := range append(logs, again(b).Log("s1")) {
		all, err := l.Changes(t.Context())
		if err != nil || len(all) != 2*each*len(logs) {
			t.Fatalf("%d changes: %v", len(all), err)
		}
		for i, c := range all {
			if c.ID != ChangeID(i+1) {
				t.Errorf("change %d has the id %d", i+1, c.ID)
			}
			if i%2 == 1 && c.Path != all[i-1].Path {
				t.Errorf("the changes of one call are apart: %s and %s", all[i-1].Path, c.Path)
			}
		}
	}
}

// Paths and targets are bytes, also those that are not UTF-8.
func TestPathsAreBytes(t *testing.T) {
	b := newLibrary(t)
	want := []string{"/caf\xe9", "/plain", "/\u00e9", "/\xff\xfe\n\t\"<>&\u2028"}
	for _, p := range want {
		c := change(p, "A", "B")
		c.After = snapshot.State{Kind: snapshot.Link, Target: "to" + p}
		c.Dirs = []string{"/dir" + p}
		if err := b.Log("s1").Add(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	all, err := again(b).Log("s1").Changes(t.Context())
	if err != nil || len(all) != len(want) {
		t.Fatalf("%d changes: %v", len(all), err)
	}
	for i, c := range all {
		if c.Path != want[i] || c.After.Target != "to"+want[i] || c.Dirs[0] != "/dir"+want[i] {
			t.Errorf("%q %q %q, want %q", c.Path, c.After.Target, c.Dirs, want[i])
		}
	}
}

// A failed append changes nothing, and says so.
func TestAppendsNothingToWhatIsNoFile(t *testing.T) {
	b := newLibrary(t)
	l := b.Log("s1")
	if err := os.MkdirAll(l.path(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := l.Add(t.Context(), change("/f", "A", "B")); session.KindOf(err) != session.KindDisk && session.KindOf(err) != session.KindCorrupt {
		t.Errorf("Add: %v", err)
	}
	if _, err := l.Changes(t.Context()); err == nil {
		t.Error("a directory was read as a log")
	}
	if err := b.Log("s2").Add(t.Context(), Change{Path: "relative", Before: st("A"), After: st("B")}); err == nil {
		t.Error("a relative path was recorded")
	}
}

func FuzzDecodeLine(f *testing.F) {
	f.Add([]byte(`{"change":{"id":1,"path":"/f","before":{"kind":"file"},"after":{"kind":"none"}}}`))
	f.Add([]byte(`{"step":{"id":1,"kind":"undo","files":[{"path":"/f","back":[1,1,2]}]}}` + "\n" + `{"mark":{"step":1,"file":0,"fate":"done"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		g := newLedger()
		for text := range bytes.Lines(data) {
			if l, ok := decodeLine(text); ok {
				g.add(l)
				if _, err := l.encode(); err != nil {
					t.Errorf("%q: %v", text, err)
				}
			}
		}
		for _, tr := range g.tracks {
			g.planUndo(tr, Scope{})
			g.planRedo(tr, Scope{})
		}
		g.all()
		g.unaccepted()
	})
}
