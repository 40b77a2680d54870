//go:build unix

package snapshot

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// kinds creates one of everything that can stand at a path, and returns what the states are to be, without their sums.
func kinds(t *testing.T, dir string) map[string]State {
	t.Helper()
	write(t, dir+"/plain", "hello", 0o644)
	write(t, dir+"/empty", "", 0o600)
	write(t, dir+"/binary", "\x00\xff\n\r\n\x1b[2J", 0o755)
	write(t, dir+"/special", "x", 0o644)
	write(t, dir+"/readonly", "x", 0o444)
	write(t, dir+"/limit", strings.Repeat("x", 100), 0o644)
	write(t, dir+"/large", strings.Repeat("x", 101), 0o644)
	must(t, os.Chmod(dir+"/special", 0o751|fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
	must(t, os.Symlink("plain", dir+"/link"), os.Symlink("no where/\xff", dir+"/dangling"), os.Symlink("loop", dir+"/loop"))
	must(t, os.Mkdir(dir+"/directory", 0o755), os.Symlink("directory", dir+"/into"))
	must(t, syscall.Mkfifo(dir+"/pipe", 0o600))
	socket, err := net.Listen("unix", dir+"/socket")
	must(t, err)
	t.Cleanup(func() { socket.Close() })
	write(t, dir+"/directory/inner", "inner", 0o640)
	return map[string]State{
		"plain":      {Kind: File, Mode: 0o644, Size: 5},
		"empty":      {Kind: File, Mode: 0o600},
		"binary":     {Kind: File, Mode: 0o755, Size: 9},
		"special":    {Kind: File, Mode: 0o751 | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky, Size: 1},
		"readonly":   {Kind: File, Mode: 0o444, Size: 1},
		"limit":      {Kind: File, Mode: 0o644, Size: 100},
		"large":      {Kind: File, Mode: 0o644, Size: 101, Unkept: "it is larger than 100 bytes"},
		"link":       {Kind: Link, Target: "plain"},
		"dangling":   {Kind: Link, Target: "no where/\xff"},
		"loop":       {Kind: Link, Target: "loop"},
		"into":       {Kind: Link, Target: "directory"},
		"into/inner": {Kind: File, Mode: 0o640, Size: 5},
		"directory":  {Kind: Other, Unkept: "it is a directory"},
		"pipe":       {Kind: Other, Unkept: "it is a named pipe"},
		"socket":     {Kind: Other, Unkept: "it is a socket"},
		"none":       {Kind: None},
		"none/none":  {Kind: None},
		"plain/none": {Kind: None},
	}
}

// Everything that can stand at a path is described, and what can be kept is.
func TestTakeDescribesWhatStandsThere(t *testing.T) {
	dir := realDir(t)
	s := New(Options{Dir: filepath.Join(realDir(t), "images"), Largest: 100})
	want := kinds(t, dir)
	want["/dev/zero"] = State{Kind: Other, Unkept: "it is a device"}
	for name, want := range want {
		path := filepath.Join(dir, name)
		if filepath.IsAbs(name) {
			path = name
		}
		staged := s.Stage(t.Context(), path)
		looked, err := s.Look(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got, err := staged.Keep(t.Context())
		if err != nil || got.Sum != looked.Sum || (got.Sum != "") != (want.Kind == File && want.Unkept == "") {
			t.Errorf("%s: %+v, looked at as %+v, %v", name, got, looked, err)
		}
		if again := take(t, s, path); again != got {
			t.Errorf("%s: taken as %+v, then as %+v", name, got, again)
		}
		if got.Whole() != (want.Unkept == "") {
			t.Errorf("%s: whole is %v", name, got.Whole())
		}
		if got.Kind == File && got.Whole() {
			text, err := os.ReadFile(path)
			must(t, err)
			if kept, err := s.Read(t.Context(), got); err != nil || string(kept) != string(text) {
				t.Errorf("%s: kept %q, %v", name, kept, err)
			}
		}
		got.Sum = ""
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if images, rest := files(t, s); images != 6 || rest != 0 { // of seven files, two have the same content
		t.Errorf("%d images and %d other files", images, rest)
	}
}

// Only what says nothing about a path is an error.
func TestTakeFailsIfNothingCanBeSaid(t *testing.T) {
	s := New(Options{Dir: filepath.Join(realDir(t), "images")})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for path, ctx := range map[string]context.Context{"relative": t.Context(), "": t.Context(), "/a\x00b": t.Context(),
		"/" + strings.Repeat("x", 300): t.Context(), "/tmp": ended} {
		if st, err := s.Take(ctx, path); err == nil || st != (State{}) || !strings.HasPrefix(err.Error(), "take ") {
			t.Errorf("%q: %+v, %v", path, st, err)
		}
		if st, err := s.Look(ctx, path); err == nil || st != (State{}) {
			t.Errorf("%q: %+v, %v", path, st, err)
		}
	}
	if _, err := s.Take(ended, "/tmp"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
