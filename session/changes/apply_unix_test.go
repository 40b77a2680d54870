//go:build unix

package changes

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/session"
	"parley/session/changes/snapshot"
)

// bench is a directory with a log beside it.
type bench struct {
	*testing.T
	dir string
	lib *Library
	log *Log
}

func newBench(t *testing.T) *bench {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, dir: filepath.Join(dir, "work"), lib: libraryIn(dir)}
	b.log = b.lib.Log(sessionID)
	b.do(os.Mkdir(b.dir, 0o755))
	return b
}

func (b *bench) do(errs ...error) {
	b.Helper()
	for _, err := range errs {
		if err != nil {
			b.Fatal(err)
		}
	}
}

func (b *bench) at(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) take(name string) snapshot.State {
	b.Helper()
	s, err := b.lib.o.Store.Take(b.Context(), b.at(name))
	b.do(err)
	return s
}

// write writes a file behind the log's back.
func (b *bench) write(name, content string) {
	b.Helper()
	b.do(os.MkdirAll(filepath.Dir(b.at(name)), 0o755), os.WriteFile(b.at(name), []byte(content), 0o644))
}

func (b *bench) has(name, content string) {
	b.Helper()
	got, err := os.ReadFile(b.at(name))
	if content == "-" && os.IsNotExist(err) {
		return
	}
	if err != nil || string(got) != content {
		b.Errorf("%s has %q, not %q: %v", name, got, content, err)
	}
}

// edit writes a file as an agent, and records it.
func (b *bench) edit(turn session.TurnID, name, content string) {
	b.Helper()
	before := b.take(name)
	b.write(name, content)
	b.do(b.log.Add(b.Context(), Change{Turn: turn, Tool: "Edit", Path: b.at(name), Before: before, After: b.take(name)}))
}

func (b *bench) plan(kind StepKind, s Scope) Plan {
	b.Helper()
	plan := b.log.PlanUndo
	if kind == StepRedo {
		plan = b.log.PlanRedo
	}
	p, err := plan(b.Context(), s)
	b.do(err)
	return p
}

// apply carries out a plan, and returns what became of it in words.
func (b *bench) apply(p Plan) string {
	b.Helper()
	out, err := b.log.Apply(b.Context(), p, func(string) bool { return true })
	b.do(err)
	return b.words(out)
}

func (b *bench) words(out Outcome) string {
	var all []string
	for _, path := range out.Done {
		all = append(all, path+" done")
	}
	for path, why := range out.Left {
		all = append(all, path+": "+why)
	}
	slices.Sort(all)
	return strings.ReplaceAll(strings.Join(all, "; "), b.dir+"/", "")
}

func (b *bench) wants(got, want string) {
	b.Helper()
	if got != want {
		b.Errorf("%s\nwant: %s", got, want)
	}
}

// What changes between the plan and its execution stays as it is.
func TestApplyLeavesWhatChangedSince(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"a", "b", "c", "d"} {
		b.edit("t1", name, "agent\n")
	}
	p := b.plan(StepUndo, Scope{})
	b.write("a", "user\n")
	b.do(os.Chmod(b.at("b"), 0o600))
	b.edit("t2", "c", "agent again\n")
	b.wants(b.apply(p), "a: It has changed since this was planned.; b: It has changed since this was planned.; "+
		"c: It has changed since this was planned.; d done")
	b.has("a", "user\n")
	b.has("c", "agent again\n")
	b.has("d", "-")
	b.wants(b.apply(p), "a: It has changed since this was planned.; b: It has changed since this was planned.; "+
		"c: It has changed since this was planned.; d: It has changed since this was planned.")
	// The same content by another change is another plan.
	b.edit("t3", "e", "X\n")
	p = b.plan(StepUndo, Scope{Paths: []string{b.at("e")}})
	b.edit("t3", "e", "Y\n")
	b.edit("t3", "e", "X\n")
	b.wants(b.apply(p), "e: It has changed since this was planned.")
}

func TestApplyAsksAboutLosses(t *testing.T) {
	b := newBench(t)
	b.edit("t1", "a", "agent\n")
	b.edit("t1", "b", "agent\n")
	b.write("a", "user\n")
	p := b.plan(StepUndo, Scope{})
	for _, accepted := range []func(string) bool{nil, func(string) bool { return false }, func(p string) bool { return p != b.at("a") }} {
		out, err := b.log.Apply(b.Context(), Plan{Kind: p.Kind, Files: p.Files[:1]}, accepted)
		b.do(err)
		b.wants(b.words(out), "a: It has later changes that would be lost.")
	}
	b.has("a", "user\n")
	b.wants(b.apply(p), "a done; b done")
	b.has("a", "-")
	b.wants(b.apply(b.plan(StepRedo, Scope{})), "a done; b done")
	b.has("a", "user\n")
	b.has("b", "agent\n")
}

func TestRefusals(t *testing.T) {
	b := newBench(t)
	lib := New(Options{Dir: b.lib.o.Dir, Store: snapshot.New(snapshot.Options{Dir: b.lib.o.Dir + "-images", Largest: 100})})
	b.lib, b.log = lib, lib.Log(sessionID)
	large := strings.Repeat("large", 100)
	b.write("was large", large)
	b.edit("t1", "was large", "small\n")
	b.edit("t1", "is large", "small\n")
	b.write("is large", large)
	b.write("directory", "file\n")
	b.edit("t1", "directory", "small\n")
	b.do(os.Remove(b.at("directory")))
	b.write("directory/of the user", "file\n")
	b.edit("t1", "unsure", "small\n")
	b.do(b.log.Add(b.Context(), Change{Turn: "t2", Path: b.at("unsure"), Before: b.take("unsure"), After: st("B"), Unsure: "hooks are off."}))
	b.do(b.log.Add(b.Context(), Change{Turn: "t2", Path: b.at("swept"), Before: st("never kept"), After: snapshot.State{Kind: snapshot.None}}))
	b.write("in/the/way", "small\n")
	b.write("real/linked", "small\n")
	b.edit("t2", "real/linked", "changed\n")
	b.do(b.log.Add(b.Context(), Change{Turn: "t2", Path: b.at("in/the/way"), Before: b.take("in/the/way"), After: st("-")}))
	b.do(os.RemoveAll(b.at("in")), os.Rename(b.at("real"), b.at("other")), os.Symlink("other", b.at("real")))
	b.write("in", "file\n")
	b.wants(b.apply(b.plan(StepUndo, Scope{Turn: "t1"})),
		"directory: What stands there now is not a file: it is a directory.; "+
			"is large: It is left alone, because what is in it now can't be kept: it is larger than 100 bytes.; "+
			"unsure done; was large: What it was before was not kept: it is larger than 100 bytes.")
	b.edit("t1", "unsure", "small\n")
	b.do(b.log.Add(b.Context(), Change{Turn: "t2", Path: b.at("unsure"), Before: b.take("unsure"), After: st("B"), Unsure: "hooks are off."}))
	got := b.apply(b.plan(StepUndo, Scope{Turn: "t2"}))
	b.has("other/linked", "changed\n")
	b.wants(got, "in/the/way: It can't be written: not a directory.; "+
		"real/linked: It can't be written: a folder or file on its path became a link meanwhile; try again.; swept: What it was before is not kept any more.; "+
		"unsure: What it was before is not certain: hooks are off.")
}

// A step that is stopped, or whose record can't be written any more, leaves the other files and says so; what the log says
// afterwards is what is on the disk.
func TestApplyStopsBetweenFiles(t *testing.T) {
	for _, c := range []struct {
		name, why string
		stop      func(b *bench, cancel func())
	}{
		{"stopped", "It was left alone, because the step was stopped.", func(b *bench, cancel func()) { cancel() }},
		{"no record", "It was left alone, because the step can't be recorded: ", func(b *bench, cancel func()) {
			b.do(os.Rename(b.log.path(), b.log.path()+".away"), os.Mkdir(b.log.path(), 0o700))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			for i := range 6 {
				b.edit("t1", fmt.Sprint(i), "agent\n")
			}
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			p := b.plan(StepUndo, Scope{})
			once := sync.OnceFunc(func() { c.stop(b, cancel) })
			out, err := b.log.Apply(watched{ctx, func() {
				if left, _ := filepath.Glob(b.at("*")); len(left) == 3 {
					once()
				}
			}}, p, nil)
			b.do(err)
			if len(out.Done) < 3 || len(out.Left) == 0 || len(out.Done)+len(out.Left) != 6 {
				b.Fatalf("done %v, left %v", out.Done, out.Left)
			}
			for _, why := range out.Left {
				if !strings.HasPrefix(why, c.why) {
					b.Errorf("%q", why)
				}
			}
			if _, err := os.Lstat(b.log.path() + ".away"); err == nil {
				b.do(os.Remove(b.log.path()), os.Rename(b.log.path()+".away", b.log.path()))
			}
			for _, l := range []*Log{b.log, again(b.lib).Log(sessionID)} {
				all, err := l.Changes(b.Context())
				b.do(err)
				for _, c := range all {
					if undone := slices.Contains(out.Done, c.Path); undone != (c.Status == Undone) {
						b.Errorf("%s is %s, and is done: %v", c.Path, c.Status, undone)
					}
					_, err := os.Lstat(c.Path)
					if os.IsNotExist(err) != (c.Status == Undone) {
						b.Errorf("%s is %s: %v", c.Path, c.Status, err)
					}
				}
			}
			if out := b.apply(b.plan(StepUndo, Scope{})); strings.Contains(out, ":") {
				b.Errorf("afterwards: %s", out)
			}
			b.apply(b.plan(StepRedo, Scope{}))
			for i := range 6 {
				b.has(fmt.Sprint(i), "agent\n")
			}
		})
	}
}

// watched is a context that calls a function whenever it is asked whether it has ended.
type watched struct {
	context.Context
	look func()
}

func (w watched) Err() error {
	w.look()
	return w.Context.Err()
}

// Directories that undone changes created go with the last file in them, and come back; others stay.
func TestDirectoriesComeAndGo(t *testing.T) {
	b := newBench(t)
	b.do(os.Mkdir(b.at("mine"), 0o755))
	dirs := []string{b.at("new"), b.at("new/deep")}
	before := st("-")
	for _, name := range []string{"new/deep/a", "new/deep/b", "mine/c"} {
		b.write(name, "agent\n")
		c := Change{Turn: session.TurnID("t" + name[len(name)-1:]), Path: b.at(name), Before: before, After: b.take(name)}
		if name == "new/deep/a" {
			c.Dirs = dirs
		}
		b.do(b.log.Add(b.Context(), c))
	}
	exists := func(want string) {
		t.Helper()
		var got []string
		for _, name := range []string{"mine", "new", "new/deep"} {
			if _, err := os.Stat(b.at(name)); err == nil {
				got = append(got, name)
			}
		}
		b.wants(strings.Join(got, " "), want)
	}
	b.wants(b.apply(b.plan(StepUndo, Scope{Turn: "ta"})), "new/deep/a done")
	b.wants(b.apply(b.plan(StepUndo, Scope{Turn: "tc"})), "mine/c done")
	exists("mine new new/deep")
	b.wants(b.apply(b.plan(StepUndo, Scope{Turn: "tb"})), "new/deep/b done")
	exists("mine")
	b.wants(b.apply(b.plan(StepRedo, Scope{})), "mine/c done; new/deep/a done; new/deep/b done")
	exists("mine new new/deep")
	b.do(os.WriteFile(b.at("new/user"), nil, 0o600))
	b.wants(b.apply(b.plan(StepUndo, Scope{})), "mine/c done; new/deep/a done; new/deep/b done")
	exists("mine new")
}

// A file that became a directory with files, and a directory that became a file, come back with all that was in them.
func TestFilesAndDirectoriesTakeEachOthersPlace(t *testing.T) {
	b := newBench(t)
	b.write("file", "file\n")
	b.write("dir/a", "a\n")
	b.write("dir/e/b", "b\n")
	names := []string{"dir", "dir/a", "dir/e/b", "file", "file/c", "file/e/d"}
	before, states := treeOf(t, b.dir), map[string]snapshot.State{}
	for _, name := range names {
		states[name] = b.take(name)
	}
	b.do(os.Remove(b.at("file")), os.RemoveAll(b.at("dir")))
	b.write("dir", "now a file\n")
	b.write("file/c", "c\n")
	b.write("file/e/d", "d\n")
	after := treeOf(t, b.dir)
	for _, name := range names {
		c := Change{Turn: "t1", Tool: "Bash", Path: b.at(name), Before: states[name], After: b.take(name)}
		if strings.HasPrefix(name, "file/") {
			c.Dirs = []string{b.at("file")}
		}
		if name == "file/e/d" {
			c.Dirs = append(c.Dirs, b.at("file/e"))
		}
		b.do(b.log.Add(b.Context(), c))
	}
	all := "dir done; dir/a done; dir/e/b done; file done; file/c done; file/e/d done"
	for range 2 {
		b.wants(b.apply(b.plan(StepUndo, Scope{})), all)
		if now := treeOf(t, b.dir); !maps.Equal(now, before) {
			t.Errorf("%v\nwant %v", now, before)
		}
		b.wants(b.apply(b.plan(StepRedo, Scope{})), all)
		if now := treeOf(t, b.dir); !maps.Equal(now, after) {
			t.Errorf("%v\nwant %v", now, after)
		}
	}
}
