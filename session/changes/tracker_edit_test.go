package changes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/changes/snapshot"
)

func TestTrackEdits(t *testing.T) {
	r := newRig(t)
	r.write("a", "one")
	call := r.before(r.path("a"))
	if got := r.lib.Busy("s1"); len(got) == 0 || got[0] != r.path("a") {
		t.Errorf("busy are %q", got)
	}
	r.write("a", "two")
	r.end(call)
	r.expect("c1 a: one > two")
	if e := r.reported(); e.Call != "c1" || e.Turn != "t1" || e.Unaccepted != 1 || len(e.Edits) != 0 || e.Gap != "" {
		t.Errorf("it reported %+v", e)
	}
	all, _ := r.lib.Log("s1").Changes(t.Context())
	if c := all[0]; c.Tool != "Edit" || c.Model != "m" || c.Turn != "t1" || c.At.IsZero() {
		t.Errorf("%+v", c)
	}

	// A second edit of the file in the same turn, a new file, a removed one, two files at once.
	call = r.before("a")
	r.write("a", "three")
	r.end(call)
	call = r.before("new/dir/b")
	r.write("new/dir/b", "")
	r.end(call)
	call = r.before("a")
	if err := os.Remove(r.path("a")); err != nil {
		t.Fatal(err)
	}
	r.end(call)
	call = r.before("x", "./new/dir/b", "x")
	r.write("x", "X")
	r.write("new/dir/b", "B")
	r.end(call)
	r.expect("c1 a: one > two", "c2 a: two > three", "c3 new/dir/b: - >  +new +new/dir", "c4 a: three > -",
		"c5 x: - > X", "c5 new/dir/b:  > B")
	if e := r.reported(); e.Unaccepted != 3 {
		t.Errorf("%d files are not accepted", e.Unaccepted)
	}
}

// TestTrackNoEdit has calls that change nothing, or do not run.
func TestTrackNoEdit(t *testing.T) {
	r := newRig(t)
	r.write("a", "one")
	call := r.before("a")
	r.endAs(session.ToolEnded{Call: call, Outcome: session.ToolFailed}) // failed
	call = r.before("a")
	r.Drop(call) // denied, and its end comes too
	r.write("a", "two")
	r.endAs(session.ToolEnded{Call: call, Outcome: session.ToolDenied})
	call = r.before("a")
	r.endAs(session.ToolEnded{Call: call, Outcome: session.ToolDenied}) // denied by the runtime itself
	call = r.before("nothing")
	r.end(call)
	call = r.before(r.dir) // a directory
	r.end(call)
	r.end("unknown")
	r.expect()
	if e := r.reported(); e.Call != "" {
		t.Errorf("it reported %+v", e)
	}
	// A success on the same path after the denials.
	call = r.before("a")
	r.write("a", "three")
	r.end(call)
	r.end(call) // once more
	r.expect("c6 a: two > three")
	// A failure that changed the file all the same.
	call = r.before("a")
	r.write("a", "four")
	r.endAs(session.ToolEnded{Call: call, Outcome: session.ToolFailed})
	r.expect("c6 a: two > three", "c7 a: three > four")
}

// TestTrackTheAnswer changes the file while the user is asked: the image of the answer counts.
func TestTrackTheAnswer(t *testing.T) {
	r := newRig(t)
	r.write("a", "one")
	call := r.before("a")
	r.write("a", "by the user")
	r.Before(t.Context(), session.FileCall{Call: call, Turn: "t1", Tool: "Edit", Paths: []string{"a"}})
	r.write("a", "two")
	r.end(call)
	r.expect("c1 a: by the user > two")
}

// TestTrackTheMomentOfTheWrite has a result that says what the file contained when it was written.
func TestTrackTheMomentOfTheWrite(t *testing.T) {
	for name, c := range map[string]struct{ hook, write, result, after, want string }{
		"the same":            {"one\n", "", "one\n", "two\n", "one\n > two\n"},
		"converted line ends": {"one\r\n1\r\n", "", "one\n1\n", "two\r\n", "one\r\n1\r\n > two\r\n"},
		"byte order mark":     {"\ufeffone\n", "", "one\n", "\ufefftwo\n", "\ufeffone\n > \ufefftwo\n"},
		"written between":     {"one\n", "user\n", "user\n", "two\n", "user\n > two\n"},
		"written with returns": {"one\r\n", "user\r\n", "user\n", "two\r\n",
			"one\r\n > two\r\n unsure"},
		"not text":       {"one\xff\n", "", "one\ufffd\n", "two\n", "one\xff\n > two\n"},
		"without a line": {"one", "user", "user", "two\r\n", "user > two\r\n"},
		"empty":          {"", "", "", "two", " > two"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.write("a", c.hook)
			call := r.before("a")
			r.write("a", c.after)
			r.end(call, session.FileEdit{Path: r.path("a"), Before: &c.result})
			r.expect("c1 a: " + c.want)
		})
	}
}

// TestTrackWithoutHooks knows only what results say.
func TestTrackWithoutHooks(t *testing.T) {
	r := newRig(t)
	r.write("a", "two\n")
	if err := os.Chmod(r.path("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.end("h1", session.FileEdit{Path: r.path("a"), Before: text("one\n")})
	r.end("h1", session.FileEdit{Path: r.path("a"), Before: text("one\n")}) // once more
	r.write("b", "new")
	r.end("h2", session.FileEdit{Path: r.path("b"), Created: true})
	r.write("c", "three\r\n")
	r.end("h3", session.FileEdit{Path: r.path("c"), Before: text("two\n")})
	r.write("d", "four\n")
	r.end("h4", session.FileEdit{Path: r.path("d")})
	r.endAs(session.ToolEnded{Call: "h5", Outcome: session.ToolFailed, Edits: []session.FileEdit{{Path: r.path("d"), Before: text("x")}}})
	r.expect("h1 a: one\n 600 > two\n 600", "h2 b: - > new", "h3 c: two\n > three\r\n unsure", "h4 d: ? > four\n unsure")
	if e := r.reported(); e.Call != "h4" || !strings.Contains(e.Gap, "cannot be undone: it was not copied before the call.") || e.Turn != "late" {
		t.Errorf("it reported %+v", e)
	}
}

// TestTrackEditsAtOnce ends calls of one file that ran one after the other before their ends came.
func TestTrackEditsAtOnce(t *testing.T) {
	r := newRig(t)
	r.write("a", "0")
	first := r.before("a")
	r.write("a", "1")
	second := r.before("a") // its hook comes before the end of the first
	r.write("a", "2")
	r.end(first)
	r.end(second)
	r.expect("c1 a: 0 > 1", "c2 a: 1 > 2")

	// Both hooks come first.
	first, second = r.before("a"), r.before("a")
	r.write("a", "4")
	r.end(first, session.FileEdit{Path: r.path("a"), Before: text("2")})
	r.end(second, session.FileEdit{Path: r.path("a"), Before: text("3")})
	r.expect("c1 a: 0 > 1", "c2 a: 1 > 2", "c3 a: 2 > 4")
	first, second = r.before("a"), r.before("a")
	r.write("a", "5")
	r.end(first)
	r.write("a", "6")
	r.end(second)
	r.expect("c1 a: 0 > 1", "c2 a: 1 > 2", "c3 a: 2 > 4", "c5 a: 4 > 5", "c6 a: 5 > 6")
}

// TestTrackWhatIsNotKept records changes of files that are too large, with the reason.
func TestTrackWhatIsNotKept(t *testing.T) {
	lib := newLibrary(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lib.o.Store = snapshot.New(snapshot.Options{Dir: filepath.Join(filepath.Dir(lib.o.Dir), "images"), Largest: 10})
	r := newRigIn(t, lib, dir)
	r.write("a", "much too long")
	r.write("binary", "\x00\xff")
	call := r.before("a", "binary")
	r.write("a", "still too long")
	r.write("binary", "\xff\x00\xff")
	r.end(call)
	r.expect("c1 a: ? > ?", "c1 binary: \x00\xff > \xff\x00\xff")
	if e := r.reported(); !strings.HasPrefix(e.Gap, "The change of a cannot be undone: ") || strings.Contains(e.Gap, "binary") {
		t.Errorf("the gap is %q", e.Gap)
	}
	// The same size: only the result says that it changed.
	call = r.before("a")
	r.end(call)
	call = r.before("a")
	r.end(call, session.FileEdit{Path: r.path("a")})
	// A result may have what was too large to copy.
	call = r.before("a")
	r.write("a", "short")
	r.end(call, session.FileEdit{Path: r.path("a"), Before: text("12345678")})
	r.expect("c1 a: ? > ?", "c1 binary: \x00\xff > \xff\x00\xff", "c3 a: ? > ?", "c4 a: 12345678 > short")
}

// TestTrackPaths takes paths as tools give them.
func TestTrackPaths(t *testing.T) {
	r := newRig(t)
	t.Setenv("HOME", r.dir)
	t.Setenv("USERPROFILE", r.dir)
	r.write("sub/a", "1")
	for i, path := range []string{"sub/a", "./sub/../sub/a", "~/sub/a", r.path("sub/a")} {
		call := r.before(path)
		r.write("sub/a", strings.Repeat("x", i+1))
		r.end(call)
	}
	call := r.before("", "bad\x00path")
	r.end(call)
	r.expect("c1 sub/a: 1 > x", "c2 sub/a: x > xx", "c3 sub/a: xx > xxx", "c4 sub/a: xxx > xxxx")
}

// TestTrackAMissingFileThatReportsAsEmpty has a result that gives an empty text for a file that it created.
func TestTrackAMissingFileThatReportsAsEmpty(t *testing.T) {
	r := newRig(t)
	call := r.before("a")
	r.write("a", "new")
	r.end(call, session.FileEdit{Path: r.path("a"), Before: text("")})
	r.write("b", "new")
	r.end("h1", session.FileEdit{Path: r.path("b"), Before: text("")})
	r.expect("c1 a: - > new", "h1 b: - > new unsure")
}
