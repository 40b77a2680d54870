//go:build unix

package builtin

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"parley/session"
)

// realDir returns a new directory whose path has no links.
func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// listing is all that is below a directory, with what the files hold.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		b.WriteString(strings.TrimPrefix(path, dir) + "=" + string(content) + "\n")
		return err
	}))
	return b.String()
}

// While the user is asked, a folder on the path becomes a link to another one. The call does not go there.
func TestAFolderThatBecomesALinkIsNotFollowed(t *testing.T) {
	read := func(path string) [3]string { return [3]string{"r", "Read", inputJSON(obj{"file_path": path})} }
	for name, test := range map[string]struct {
		first bool // the file was read before
		call  func(dir string) [3]string
	}{
		"write, new": {false, func(dir string) [3]string {
			return [3]string{"x", "Write", inputJSON(obj{"file_path": dir + "/sub/new", "content": "evil"})}
		}},
		"write, new folder": {false, func(dir string) [3]string {
			return [3]string{"x", "Write", inputJSON(obj{"file_path": dir + "/sub/deep/new", "content": "evil"})}
		}},
		"write, over": {true, func(dir string) [3]string {
			return [3]string{"x", "Write", inputJSON(obj{"file_path": dir + "/sub/a", "content": "evil"})}
		}},
		"edit": {true, func(dir string) [3]string {
			return [3]string{"x", "Edit", inputJSON(obj{"file_path": dir + "/sub/a", "old_string": "same", "new_string": "evil"})}
		}},
		"read": {false, func(dir string) [3]string { return [3]string{"x", "Read", inputJSON(obj{"file_path": dir + "/sub/a"})} }},
		"grep": {false, func(dir string) [3]string {
			return [3]string{"x", "Grep", inputJSON(obj{"pattern": "e", "output_mode": "content", "path": dir + "/sub"})}
		}},
		"glob": {false, func(dir string) [3]string {
			return [3]string{"x", "Glob", inputJSON(obj{"pattern": "*", "path": dir + "/sub"})}
		}},
		"grep a file": {false, func(dir string) [3]string {
			return [3]string{"x", "Grep", inputJSON(obj{"pattern": "e", "output_mode": "content", "path": dir + "/sub/a"})}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, victim := realDir(t), realDir(t) // outside of the session's directory, so that reading is asked about too
			must(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700), os.WriteFile(filepath.Join(dir, "sub/a"), []byte("same"), 0o600),
				os.WriteFile(filepath.Join(victim, "a"), []byte("same"), 0o600), os.WriteFile(filepath.Join(victim, "secret"), []byte("e"), 0o600))
			replies := [][3]string{test.call(dir)}
			if test.first {
				replies = append([][3]string{read(dir + "/sub/a")}, replies...)
			}
			var served []reply
			for _, r := range replies {
				served = append(served, callsReply(r))
			}
			ch := openChat(t, newService(t, append(served, says("done"))...))
			ch.on = func(e session.Event) {
				asked, ok := e.(session.Asked)
				if !ok {
					return
				}
				if asked.Call == "x" {
					must(t, os.Rename(filepath.Join(dir, "sub"), filepath.Join(dir, "was")), os.Symlink(victim, filepath.Join(dir, "sub")))
				}
				_ = ch.c.Answer(asked.Ask, session.Answer{Decision: session.Allow})
			}
			before := listing(t, victim)
			ch.send("x")
			got := ch.ended()["x"]
			if got.Outcome != session.ToolFailed || !strings.Contains(got.Result.Text, "became a link") {
				t.Errorf("%s: %q", got.Outcome, got.Result.Text)
			}
			if after := listing(t, victim); after != before {
				t.Errorf("written elsewhere: %s", after)
			}
			if after := listing(t, filepath.Join(dir, "was")); after != "/a=same\n" {
				t.Errorf("written: %s", after)
			}
		})
	}
}

// A file that becomes a link is not what the user saw either.
func TestAFileThatBecomesALinkIsNotFollowed(t *testing.T) {
	s := newService(t, callsReply([3]string{"r", "Read", `{"file_path":"a"}`}),
		callsReply([3]string{"e", "Edit", `{"file_path":"a","old_string":"one","new_string":"two"}`}), says("done"))
	ch := openChat(t, s)
	path, victim := ch.file("a", "one\n"), filepath.Join(realDir(t), "b")
	must(t, os.WriteFile(victim, []byte("one\n"), 0o600))
	ch.on = func(e session.Event) {
		if asked, ok := e.(session.Asked); ok {
			must(t, os.Remove(path), os.Symlink(victim, path))
			_ = ch.c.Answer(asked.Ask, session.Answer{Decision: session.Allow})
		}
	}
	ch.send("x")
	if b, _ := os.ReadFile(victim); string(b) != "one\n" || ch.ended()["e"].Outcome != session.ToolFailed {
		t.Errorf("%q, %+v", b, ch.ended()["e"])
	}
}

// What the model may not read, it learns nothing about before the user allows it: not even whether it is there.
func TestNothingElsewhereIsToldBeforeTheUserAllowsIt(t *testing.T) {
	away := realDir(t)
	must(t, os.WriteFile(filepath.Join(away, "file.txt"), []byte("x"), 0o600), os.Mkdir(filepath.Join(away, "dir"), 0o700),
		syscall.Mkfifo(filepath.Join(away, "pipe"), 0o600), os.Symlink("/dev/zero", filepath.Join(away, "zero")))
	names := []string{"file.txt", "dir", "pipe", "zero", "missing.txt", "missing/x", "file.md"}
	if runtime.GOOS == "linux" {
		names = append(names, "/proc/self/pagemap", "/proc/self/fd/0")
	}
	for _, name := range names {
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(away, name)
		}
		for tool, in := range map[string]obj{
			"Edit": {"file_path": path, "old_string": "x", "new_string": "y"}, "Write": {"file_path": path, "content": "y"},
			"Read": {"file_path": path}, "Glob": {"pattern": "*", "path": path}, "Grep": {"pattern": "x", "path": path},
		} {
			ch := openChat(t, newService(t, callsReply([3]string{"x", tool, inputJSON(in)}), says("done")))
			ch.answerAll(session.Answer{Decision: session.Deny})
			ch.send("x")
			if n := len(eventsOf[session.Asked](ch)); n != 1 {
				t.Errorf("%s %s: asked %d times", tool, name, n)
			}
			if got := ch.ended()["x"]; got.Outcome != session.ToolDenied || got.Result.Text != refusedNote {
				t.Errorf("%s %s: %s %q", tool, name, got.Outcome, got.Result.Text)
			}
		}
	}
}

// The user is told what the model is not, and the model once they allowed it; names of other files it never is.
func TestAllowedCallsSayWhyTheyFail(t *testing.T) {
	away := realDir(t)
	must(t, os.WriteFile(filepath.Join(away, "file.txt"), []byte("x"), 0o600))
	for path, want := range map[string]string{
		"file.txt": " exists and was not read in this session. Read it first.",
		"file.md":  " does not exist. Use Write to make a new file.",
		"no/file":  " does not exist. Use Write to make a new file.",
	} {
		path = filepath.Join(away, path)
		in := inputJSON(obj{"file_path": path, "old_string": "x", "new_string": "y"})
		ch := openChat(t, newService(t, callsReply([3]string{"x", "Edit", in}), says("done")))
		ch.answerAll(session.Answer{Decision: session.Allow})
		ch.send("x")
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 1 || !strings.HasSuffix(asked[0].Permission.Reason, "This call will fail: "+path+want) || asked[0].Permission.Rules != nil {
			t.Errorf("%s: %+v", path, asked)
		}
		if got := ch.ended()["x"]; got.Outcome != session.ToolFailed || got.Result.Text != path+want {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

// A link that leads to nothing yet is written through once the user allowed it.
func TestALinkToNothingStaysALink(t *testing.T) {
	away := realDir(t)
	ch := openChat(t, newService(t, callsReply([3]string{"x", "Write", `{"file_path":"link","content":"new"}`}), says("done")))
	must(t, os.Symlink(filepath.Join(away, "deep/target"), filepath.Join(ch.dir, "link")))
	ch.answerAll(session.Answer{Decision: session.Allow})
	ch.send("x")
	if got := listing(t, away); got != "/deep/target=new\n" {
		t.Errorf("%s%+v", got, ch.ended()["x"])
	}
	if _, err := os.Readlink(filepath.Join(ch.dir, "link")); err != nil {
		t.Error(err)
	}
}
