package scratch_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"parley/session"
	"parley/session/scratch"
)

func folders(t *testing.T) scratch.Folders {
	t.Helper()
	return scratch.Folders{Root: filepath.Join(t.TempDir(), "parley", "scratch")}
}

func makes(t *testing.T, f scratch.Folders) string {
	t.Helper()
	dir, err := f.Make(time.Date(2026, 3, 4, 5, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestMake makes folders that differ, that nobody else can read, and that their path tells.
func TestMake(t *testing.T) {
	f := folders(t)
	a, b := makes(t, f), makes(t, f)
	if a == b || !f.Has(a) || !f.Has(b) || !scratch.Named(a) || filepath.Base(a)[:9] != "20260304-" {
		t.Errorf("%s, %s", a, b)
	}
	if info, err := os.Stat(a); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file)
	if _, err := (scratch.Folders{Root: file}).Make(time.Now()); session.KindOf(err) != session.KindDisk {
		t.Errorf("below a file: %v", err)
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestRemove deletes a folder of ours and nothing else: no link with its name, nothing that a link in it leads to, no other folder.
func TestRemove(t *testing.T) {
	f := folders(t)
	dir, other := makes(t, f), t.TempDir()
	kept := filepath.Join(other, "kept")
	write(t, kept)
	link := filepath.Join(f.Root, "20260304-abcdef")
	links := os.Symlink(other, link) == nil && os.Symlink(other, filepath.Join(dir, "inside")) == nil
	write(t, filepath.Join(dir, "notes"))
	deep := filepath.Join(dir, "20260304-abcdef")
	elsewhere := filepath.Join(other, "20260304-abcdef")
	for _, d := range []string{deep, elsewhere, filepath.Join(f.Root, "mine")} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, bad := range map[string]string{
		"the root": f.Root, "above": filepath.Dir(f.Root), "none": filepath.Join(f.Root, "20260304-zzzzzz"), "empty": "", "deeper": deep,
		"another name": filepath.Join(f.Root, "mine"), "elsewhere": elsewhere, "dots": filepath.Join(f.Root, "..") + "/" + filepath.Base(dir), "a link": link,
		"by a link": filepath.Join(link, "20260304-abcdef"),
	} {
		if err := f.Remove(bad); session.KindOf(err) != session.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if (scratch.Folders{}).Has(dir) {
		t.Error("without a root")
	}
	if f.Drop(dir); !f.Has(dir) {
		t.Error("a folder with a file was dropped")
	}
	if err := f.Remove(dir); err != nil || f.Has(dir) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("links %v: %v", links, err)
	}
	unused := makes(t, f)
	if f.Drop(unused); f.Has(unused) {
		t.Error("an empty folder stays")
	}
	if links {
		through := scratch.Folders{Root: filepath.Join(t.TempDir(), "scratch")}
		if err := os.Symlink(f.Root, through.Root); err != nil {
			t.Fatal(err)
		}
		if again := makes(t, f); !through.Has(again) || !f.Has(filepath.Join(through.Root, filepath.Base(again))) {
			t.Error("data that the user moved")
		}
	}
}

// TestMade tells what parley made to work in from its other data, and from the user's.
func TestMade(t *testing.T) {
	for path, want := range map[string]bool{
		"/home/u/.local/share/parley/scratch/20260304-abcdef/lib":  true,
		"/home/u/.local/share/parley/worktrees/acme-1234/work-1":   true,
		"/home/u/.local/share/parley/worktrees/acme-1234/work-1/x": true,
		"/home/u/.local/share/parley/worktrees/acme-1234":          false,
		"/home/u/.local/share/parley/sessions/a":                   false,
		"/home/u/.local/share/parley/scratch/20260304-abcdefg":     false,
		"/home/u/.local/share/parley/scratch/../sessions/20260304": false,
		"/home/u/.config/worktrees/a/b":                            false,
	} {
		if got := scratch.Made(filepath.FromSlash(path)); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// TestNamed tells paths apart without the disk.
func TestNamed(t *testing.T) {
	for path, want := range map[string]bool{
		"/home/u/.local/share/parley/scratch/20260304-abcdef":       true,
		"/home/u/.local/share/parley/scratch/20260304-abcdef/":      true,
		"/home/u/.local/share/parley/scratch/20260304-abcdef/below": false,
		"/home/u/.local/share/parley/scratch":                       false,
		"/home/u/scratch/20260304-abcdef":                           false,
		"/home/u/parley/scratch/notes":                              false,
		"":                                                          false,
	} {
		if got := scratch.Named(filepath.FromSlash(path)); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// TestSweep deletes the empty folders of processes that were killed, and nothing that has an owner, a session or a file, or that is not ours.
func TestSweep(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // there it does nothing
	}
	f := folders(t)
	f.Sweep(time.Now(), func(string) bool { return false }) // there is no root
	gone, taken, left, used, full, fresh := makes(t, f), makes(t, f), makes(t, f), makes(t, f), makes(t, f), makes(t, f)
	release := f.Take(taken)
	f.Take(left)()
	write(t, filepath.Join(full, ".hidden"))
	mine := filepath.Join(f.Root, "mine")
	if err := os.Mkdir(mine, 0o700); err != nil {
		t.Fatal(err)
	}
	elsewhere, link := t.TempDir(), filepath.Join(f.Root, "20260304-abcdef")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for _, dir := range []string{gone, taken, left, used, full, mine, elsewhere} {
		if err := os.Chtimes(dir, now, now.Add(-2*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	f.Sweep(now, func(dir string) bool { return dir == used })
	for dir, want := range map[string]bool{gone: false, left: false, taken: true, used: true, full: true, fresh: true, mine: true, elsewhere: true, link: true} {
		if _, err := os.Lstat(dir); (err == nil) != want {
			t.Errorf("%s stays: %v", dir, err == nil)
		}
	}
	release()
	if f.Sweep(now, func(dir string) bool { return dir == used }); f.Has(taken) {
		t.Error("the folder of a process that ended stays")
	}
}
