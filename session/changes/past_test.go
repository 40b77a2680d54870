package changes

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"parley/session"
)

// TestPastOfASession takes what a session did outside of parley from its transcript.
func TestPastOfASession(t *testing.T) {
	r := newRig(t)
	edit := func(call session.CallID, name, patch string, before *string) session.ToolEnded {
		return session.ToolEnded{Head: session.Head{Turn: "t9"}, Call: call, Outcome: session.ToolOK,
			Edits: []session.FileEdit{{Path: r.path(name), Before: before, Created: before == nil, Patch: patch}}}
	}
	r.write("a", "1\nthree\n")
	r.write("b", "new\n")
	r.write("c", "by the user\n")
	ends := []session.ToolEnded{
		edit("p1", "a", "@@ -1,2 +1,2 @@\n 1\n-one\n+two\n", text("1\none\n")),
		edit("p2", "b", "@@ -0,0 +1,1 @@\n+new\n", nil),
		edit("p3", "a", "@@ -2,1 +2,1 @@\n-two\n+three\n", text("1\ntwo\n")),
		edit("p4", "c", "@@ -1,1 +1,1 @@\n-1\n+2\n", text("1\n")),
		edit("p5", "c", "@@ -1,1 +1,1 @@\n-does not fit\n+3\n", text("2\n")),
	}
	replays := 0
	r.lib.o.Replay = func(context.Context, session.ID) ([]session.ToolEnded, error) {
		replays++
		return ends, nil
	}
	want := []string{"p1 a: 1\none\n > 1\ntwo\n", "p2 b: - > new\n", "p3 a: 1\ntwo\n > 1\nthree\n", "p4 c: 1\n > 2\n", "p5 c: 2\n > ?"}
	r.expect(want...)
	r.expect(want...) // another process finds them in the log
	if n, err := r.lib.Log("s1").Unaccepted(t.Context()); n != 0 || err != nil {
		t.Errorf("%d files are not accepted, %v", n, err)
	}
	before := replays
	if _, err := r.lib.Log("s1").Changes(t.Context()); err != nil || replays != before {
		t.Errorf("the transcript was read %d times more, %v", replays-before, err)
	}
	plan, err := r.lib.Log("s1").PlanUndo(t.Context(), Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := r.lib.Log("s1").Apply(t.Context(), plan, nil); err != nil || len(out.Done) != 2 || out.Left[r.path("c")] == "" {
		t.Errorf("%+v, %v", out, err)
	}
	if got, err := os.ReadFile(r.path("a")); err != nil || string(got) != "1\none\n" {
		t.Errorf("%q, %v", got, err)
	}
	// What comes after the newest call of the log is not accepted.
	ends = append(ends, edit("p6", "d", "@@ -0,0 +1,1 @@\n+later\n", nil))
	r.write("d", "later\n")
	l := again(r.lib).Log("s1")
	if n, err := l.Unaccepted(t.Context()); n != 1 || err != nil {
		t.Errorf("%d files are not accepted, %v", n, err)
	}
}

// TestPastWhileCallsRun leaves a log alone whose session has calls in this process.
func TestPastWhileCallsRun(t *testing.T) {
	r := newRig(t)
	r.lib.o.Replay = func(context.Context, session.ID) ([]session.ToolEnded, error) {
		return []session.ToolEnded{{Call: "c1", Edits: []session.FileEdit{{Path: r.path("a"), Created: true, Patch: "@@ -0,0 +1 @@\n+x\n"}}}}, nil
	}
	call := r.before("a")
	r.write("a", "x\n")
	if all, err := r.lib.Log("s1").Changes(t.Context()); len(all) != 0 || err != nil {
		t.Errorf("%+v, %v", all, err)
	}
	r.end(call)
	r.expect("c1 a: - > x\n")
}

// TestPastThatCannotBeRead has nothing, and does not fail.
func TestPastThatCannotBeRead(t *testing.T) {
	b := newLibrary(t)
	b.o.Replay = func(context.Context, session.ID) ([]session.ToolEnded, error) { return nil, errors.New("damaged") }
	if all, err := b.Log("s").Changes(t.Context()); len(all) != 0 || err != nil {
		t.Errorf("%+v, %v", all, err)
	}
	b.o.Replay = func(context.Context, session.ID) ([]session.ToolEnded, error) {
		return []session.ToolEnded{{Call: "c", Edits: []session.FileEdit{{Path: "", Created: true}, {Path: filepath.Join(t.TempDir(), "x")}}}}, nil
	}
	if all, err := b.Log("other").Changes(t.Context()); len(all) != 0 || err != nil {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestPatched(t *testing.T) {
	for _, c := range []struct {
		text, patch, want string
		fits              bool
	}{
		{"a\nb\nc\n", "@@ -2,1 +2,1 @@\n-b\n+B\n", "a\nB\nc\n", true},
		{"a\nb\nc\n", "@@ -1,2 +1,3 @@\n a\n+x\n b\n", "a\nx\nb\nc\n", true},
		{"a\nb\nc\n", "@@ -1,1 +0,0 @@\n-a\n@@ -3,1 +2,2 @@\n c\n+d\n", "b\nc\nd\n", true},
		{"", "@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n", true},
		{"a", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n", "b", true},
		{"a\n", "@@ -1,0 +2,1 @@\n+b\n", "a\nb\n", true},
		{"a\n", "", "", false},
		{"a\n", "@@ -1,1 +1,1 @@\n-b\n+c\n", "", false},
		{"a\n", "@@ -7,1 +1,1 @@\n-b\n+c\n", "", false},
		{"a\n", "@@ -x +1 @@\n", "", false},
		{"\ta\n", "@@ -1,1 +1,1 @@\n-    a\n+b\n", "", false},
	} {
		if got, ok := patched(c.text, c.patch); got != c.want || ok != c.fits {
			t.Errorf("%q with %q: %q, %t", c.text, c.patch, got, ok)
		}
	}
}

func FuzzPatched(f *testing.F) {
	f.Add("a\nb\n", "@@ -1,2 +1,1 @@\n a\n-b\n")
	f.Add("", "@@ -0,0 +1 @@\n+a\n\\ No newline\n")
	f.Fuzz(func(t *testing.T, text, patch string) {
		if got, ok := patched(text, patch); ok && len(got) > len(text)+len(patch) {
			t.Errorf("%d bytes of %d and %d", len(got), len(text), len(patch))
		}
	})
}
