//go:build unix

package changes

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parley/session"
)

// TestTrackLinks edits through links: the change is that of the file.
func TestTrackLinks(t *testing.T) {
	r := newRig(t)
	r.write("real/a", "one")
	for link, to := range map[string]string{"link": "real/a", "dir": "real", "chain": "link", "dangling": "real/new"} {
		if err := os.Symlink(to, r.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	for i, path := range []string{"link", "dir/a", "chain", "dangling"} {
		call := r.before(path)
		r.write(path, strings.Repeat("x", i+1))
		r.end(call, session.FileEdit{Path: path})
	}
	r.expect("c1 real/a: one > x", "c2 real/a: x > xx", "c3 real/a: xx > xxx", "c4 real/new: - > xxxx")

	// A tool that replaces the link.
	call := r.before("link")
	if err := os.Remove(r.path("link")); err != nil {
		t.Fatal(err)
	}
	r.write("link", "file")
	r.end(call)
	// A tool that makes a link of a file.
	call = r.before("real/new")
	if err := os.Remove(r.path("real/new")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", r.path("real/new")); err != nil {
		t.Fatal(err)
	}
	r.end(call)
	r.expect("c1 real/a: one > x", "c2 real/a: x > xx", "c3 real/a: xx > xxx", "c4 real/new: - > xxxx",
		"c5 link: ->real/a > file", "c6 real/new: xxxx > ->a")
}

// TestTrackModes records a change of the mode alone, and renames by tools that name both paths.
func TestTrackModes(t *testing.T) {
	r := newRig(t)
	r.write("a", "one")
	call := r.before("a")
	if err := os.Chmod(r.path("a"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.end(call)
	call = r.before("a", "b")
	if err := os.Rename(r.path("a"), r.path("b")); err != nil {
		t.Fatal(err)
	}
	r.end(call)
	r.expect("c1 a: one > one 755", "c2 a: one 755 > -", "c2 b: - > one 755")
}

// TestTrackOddThings names what is not a file.
func TestTrackOddThings(t *testing.T) {
	r := newRig(t)
	if err := syscall.Mkfifo(r.path("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.write("file", "x")
	call := r.before("pipe", "file/below", "/dev/null", filepath.Join(r.dir, strings.Repeat("long", 100)))
	r.end(call)
	r.expect()
}

// TestTrackInterrupted has a call whose context ends before its images are made: its changes cannot be taken back.
func TestTrackInterrupted(t *testing.T) {
	r := newRig(t)
	r.write("a", "one")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r.Before(ctx, session.FileCall{Call: "c", Tool: "Edit", Paths: []string{"a"}})
	r.write("a", "two")
	r.end("c", session.FileEdit{Path: r.path("a")})
	r.expect("c a: ? > two unsure")
	if e := r.reported(); !strings.Contains(e.Gap, lateWhy) {
		t.Errorf("%+v", e)
	}
	// What the result says is better than nothing.
	r.Before(ctx, session.FileCall{Call: "d", Tool: "Edit", Paths: []string{"a"}})
	r.write("a", "three")
	r.end("d", session.FileEdit{Path: r.path("a"), Before: text("two")})
	r.expect("c a: ? > two unsure", "d a: two > three")
}
