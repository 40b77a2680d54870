//go:build unix

package uitest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
	"parley/ui"
	"parley/ui/changes/listing"
)

// disk is a log on disk, and what stands in the directory of its session.
type disk struct {
	t     *testing.T
	dir   string
	store *snapshot.Store
	lib   *changes.Library
}

// onDisk returns a directory with a file, and a library.
func onDisk(t *testing.T) *disk {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &disk{t: t, dir: filepath.Join(home, "acme"), store: snapshot.New(snapshot.Options{Dir: filepath.Join(home, "images")})}
	d.lib = changes.New(changes.Options{Dir: filepath.Join(home, "edits"), Store: d.store})
	return d
}

// write changes a file as a call of an agent does, and records it; an empty text removes it.
func (d *disk) write(id session.ID, turn session.TurnID, name, text string, mode os.FileMode) {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	take := func() snapshot.State {
		st, err := d.store.Take(context.Background(), path)
		if err != nil {
			d.t.Fatal(err)
		}
		return st
	}
	before := take()
	if text == "" {
		if err := os.Remove(path); err != nil {
			d.t.Fatal(err)
		}
	} else {
		put(d.t, path, text)
		if err := os.Chmod(path, mode); err != nil {
			d.t.Fatal(err)
		}
	}
	c := changes.Change{Call: session.CallID("c-" + name + string(turn)), Turn: turn, Tool: "Edit", Path: path, Before: before, After: take(), At: time.Now()}
	if err := d.lib.Log(id).Add(context.Background(), c); err != nil {
		d.t.Fatal(err)
	}
}

// is fails unless a file holds a text with a mode; an empty text stands for no file.
func (d *disk) is(name, text string, mode os.FileMode) {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	b, err := os.ReadFile(path)
	if text == "" {
		if !os.IsNotExist(err) {
			d.t.Errorf("%s is there: %q", name, b)
		}
		return
	}
	info, _ := os.Stat(path)
	if string(b) != text || info == nil || info.Mode().Perm() != mode {
		d.t.Errorf("%s is %q (%v), want %q (%v)", name, b, info, text, mode)
	}
}

// A turn is undone and brought back on disk, with modes; what the user wrote since is shown, and lost only by choice.
func TestChangesAreUndoneOnDisk(t *testing.T) {
	d := onDisk(t)
	put(t, filepath.Join(d.dir, "a.sh"), "echo a\n")
	put(t, filepath.Join(d.dir, "old.txt"), "old\n")
	Run(t, Config{Width: 120, Height: 40, Dir: d.dir, Options: func(o *ui.Options) {
		o.Changes = func(id session.ID) listing.Log { return d.lib.Log(id) }
	}}, func(p *Program) {
		turn := talkAbout(p, "Change the scripts")[0]
		id := p.Session.ID()
		d.write(id, turn, "a.sh", "echo b\n", 0o755)
		d.write(id, turn, "new/b.sh", "echo new\n", 0o600)
		d.write(id, turn, "old.txt", "", 0)
		keys := func(names ...string) {
			p.Keys(names...)
			p.Pass(time.Second)
		}
		p.Type("/changes")
		p.Pass(time.Second)
		for _, want := range []string{"Turn 1  Change the scripts", "a.sh", "new/b.sh  created", "old.txt  removed", "3 files +2 -2", "mode 600 to 755"} {
			if !p.Has(want) {
				t.Errorf("%q is not shown:\n%s", want, p.Text())
			}
		}
		keys("u")
		d.is("a.sh", "echo a\n", 0o600)
		d.is("new/b.sh", "", 0)
		d.is("old.txt", "old\n", 0o600)
		if !p.Has("Undid 3 files of turn 1. r brings them back.") || !p.Has("↶ Turn 1") {
			t.Errorf("undone:\n%s", p.Text())
		}
		keys("r")
		d.is("a.sh", "echo b\n", 0o755)
		d.is("new/b.sh", "echo new\n", 0o600)
		d.is("old.txt", "", 0)
		put(t, filepath.Join(d.dir, "a.sh"), "echo b\necho mine\n")
		keys("u")
		if !p.Has("Undo turn 1?") || !p.Has("+ echo mine") || !p.Has("changed by you, or another program") {
			t.Errorf("the user's line is not asked about:\n%s", p.Text())
		}
		keys("enter")
		d.is("new/b.sh", "echo new\n", 0o600)
		keys("u")
		keys("down", "enter")
		d.is("a.sh", "echo b\necho mine\n", 0o755)
		d.is("new/b.sh", "", 0)
		keys("u")
		keys("down", "enter")
		d.is("a.sh", "echo a\n", 0o600)
		keys("r")
		d.is("a.sh", "echo b\necho mine\n", 0o755)
		if text := p.Text(); strings.Contains(text, "Couldn't") {
			t.Errorf("something failed:\n%s", text)
		}
	})
}
