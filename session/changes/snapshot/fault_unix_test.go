//go:build unix

package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// meddler is the disk with another program that comes in between.
type meddler struct {
	disk
	// These are called after Lstat, and before and after Open; they may be nil.
	looked, before, opened func() error
	unlinked               error // of Readlink
}

func (m meddler) Readlink(name string) (string, error) {
	if m.unlinked != nil {
		return "", m.unlinked
	}
	return m.disk.Readlink(name)
}

func (m meddler) Lstat(name string) (fs.FileInfo, error) {
	info, err := m.disk.Lstat(name)
	return info, errors.Join(err, call(m.looked))
}

func (m meddler) Open(name string) (*os.File, fs.FileInfo, error) {
	if err := call(m.before); err != nil {
		return nil, nil, err
	}
	f, info, err := m.disk.Open(name)
	return f, info, errors.Join(err, call(m.opened))
}

func call(f func() error) error {
	if f == nil {
		return nil
	}
	return f()
}

// times returns a function that calls another one at its first n calls.
func times(n int, f func() error) func() error {
	return func() error {
		if n--; n < 0 {
			return nil
		}
		return f()
	}
}

// A file that changes while it is read is read again, and given up in the end.
func TestAFileChangesWhileItIsRead(t *testing.T) {
	path := realDir(t) + "/path"
	clock := time.Now().Add(-time.Hour)
	changes := map[string]func() error{
		"appended":  func() error { return appendTo(path, "more") },
		"truncated": func() error { return os.Truncate(path, 2) },
		"rewritten": func() error {
			clock = clock.Add(time.Second)
			return errors.Join(os.WriteFile(path, []byte(clock.Format("15:04")), 0o644), os.Chtimes(path, clock, clock))
		},
		"mode": func() error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return os.Chmod(path, info.Mode()^0o100)
		},
	}
	for name, change := range changes {
		for n := range tries + 1 {
			s := New(Options{Dir: realDir(t) + "/images"})
			write(t, path, "hello", 0o644)
			must(t, os.Chtimes(path, clock, clock))
			got, err := s.stage(t.Context(), meddler{opened: times(n, change)}, path).Keep(t.Context())
			must(t, err)
			images, rest := files(t, s)
			if n == tries {
				if got.Whole() || got.Sum != "" || got.Unkept != "it changed while it was read" || images != 0 || rest != 0 {
					t.Errorf("%s always: %+v, %d images", name, got, images)
				}
				continue
			}
			if now := take(t, s, path); !got.Whole() || !now.Same(got) || images != 1 || rest != 0 {
				t.Errorf("%s %d times: %+v, now %+v, %d images", name, n, got, now, images)
			}
			write(t, path, "hello", 0o644)
			looked, _, err := s.look(t.Context(), meddler{opened: times(n, change)}, path)
			if now := take(t, s, path); err != nil || !now.Same(looked) {
				t.Errorf("%s %d times: looked at %+v, now %+v, %v", name, n, looked, now, err)
			}
		}
	}
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// What takes a file's place just before it is opened is described instead, and never waited for.
func TestSomethingElseTakesTheFilesPlace(t *testing.T) {
	path := realDir(t) + "/path"
	for name, test := range map[string]struct {
		replace func() error
		want    State
	}{
		"nothing":   {func() error { return nil }, State{Kind: None}},
		"link":      {func() error { return os.Symlink("x", path) }, State{Kind: Link, Target: "x"}},
		"pipe":      {func() error { return syscall.Mkfifo(path, 0o600) }, State{Kind: Other, Unkept: "it is a named pipe"}},
		"directory": {func() error { return os.Mkdir(path, 0o700) }, State{Kind: Other, Unkept: "it is a directory"}},
	} {
		s := New(Options{Dir: realDir(t) + "/images"})
		must(t, os.RemoveAll(path))
		write(t, path, "hello", 0o644)
		in := meddler{looked: times(1, func() error { return errors.Join(os.Remove(path), test.replace()) })}
		if got, err := s.stage(t.Context(), in, path).Keep(t.Context()); err != nil || got != test.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// A file that cannot be read is described, with the reason.
func TestAFileThatCannotBeReadIsDescribed(t *testing.T) {
	path := realDir(t) + "/path"
	write(t, path, "hello", 0o200)
	for want, cause := range map[string]error{
		"it may not be read":                           syscall.EACCES,
		"it could not be read: " + syscall.EIO.Error(): &fs.PathError{Op: "open", Path: path, Err: syscall.EIO},
	} {
		s := New(Options{Dir: realDir(t) + "/images"})
		in := meddler{before: func() error { return cause }}
		got, err := s.stage(t.Context(), in, path).Keep(t.Context())
		if err != nil || got != (State{Kind: File, Mode: 0o200, Size: 5, Unkept: want}) {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

// limitFiles lets no file grow beyond 1 MB until the test ends, as on a disk that becomes full.
func limitFiles(t *testing.T) {
	t.Helper()
	var was syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	signal.Ignore(syscall.SIGXFSZ)
	now := was
	now.Cur = 1 << 20
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &now))
	t.Cleanup(func() {
		must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was))
		signal.Reset(syscall.SIGXFSZ)
	})
}

// Where nothing more can be written, nothing half is left: not in the store and not in the user's directory.
func TestNothingHalfIsLeftOnAFullDisk(t *testing.T) {
	dir, s := realDir(t), New(Options{Dir: realDir(t) + "/images"})
	small, large := put(t, s, "small"), put(t, s, strings.Repeat("large\n", 1<<18))
	write(t, dir+"/small", "small", 0o644)
	write(t, dir+"/large", strings.Repeat("other\n", 1<<18), 0o644)
	limitFiles(t)

	got, err := s.Take(t.Context(), dir+"/large")
	if err != nil || got.Sum != "" || !strings.Contains(got.Unkept, syscall.EFBIG.Error()) || got.Size != 6<<18 {
		t.Errorf("taken: %+v, %v", got, err)
	}
	got, err = s.Put(t.Context(), random(2<<20))
	if !errors.Is(err, syscall.EFBIG) || got.Whole() || got.Sum == "" || !strings.HasPrefix(err.Error(), "keep 2097152 bytes: ") {
		t.Errorf("put: %+v, %v", got, err)
	}
	for path, from := range map[string]State{"/small": small, "/new/new": {Kind: None}} {
		if err := s.Restore(t.Context(), dir+path, from, large); !errors.Is(err, syscall.EFBIG) {
			t.Errorf("restored: %v", err)
		}
	}
	if names := entries(t, dir); len(names) != 2 || !take(t, s, dir+"/small").Same(small) {
		t.Errorf("%q", names)
	}
	if images, rest := files(t, s); images != 2 || rest != 0 {
		t.Errorf("%d images, %d other files", images, rest)
	}
	if text := unwritten(&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}); text != "the disk is full" {
		t.Error(text)
	}
}

// A store that cannot be written keeps nothing, and says so.
func TestAStoreThatCannotBeWritten(t *testing.T) {
	dir := realDir(t)
	write(t, dir+"/file", "hello", 0o644)
	s := New(Options{Dir: dir + "/file/images"})
	got := take(t, s, dir+"/file")
	if got.Kind != File || got.Size != 5 || got.Unkept != "no copy of it could be written: "+syscall.ENOTDIR.Error() {
		t.Errorf("%+v", got)
	}
	if _, err := s.Put(t.Context(), []byte("x")); !errors.Is(err, syscall.ENOTDIR) {
		t.Error(err)
	}
	if _, err := s.Read(t.Context(), State{Kind: File, Sum: strings.Repeat("a", 64)}); err == nil {
		t.Error("read")
	}
	if freed, over, err := s.Sweep(t.Context(), nil, time.Now(), 0); freed != 0 || over != 0 || err == nil {
		t.Errorf("%d, %d, %v", freed, over, err)
	}
}

// Images are private, and written once.
func TestImagesArePrivate(t *testing.T) {
	was := syscall.Umask(0)
	defer syscall.Umask(was)
	s := New(Options{Dir: filepath.Join(realDir(t), "a", "images")})
	path := realDir(t) + "/path"
	write(t, path, "hello", 0o777)
	st := take(t, s, path)
	write(t, path, "hello", 0o600)
	take(t, s, path)
	put(t, s, "hello")
	must(t, filepath.WalkDir(s.o.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", name, info.Mode())
		}
		return err
	}))
	if images, rest := files(t, s); images != 1 || rest != 0 {
		t.Errorf("%d images, %d other files", images, rest)
	}
	// Bytes that are written into the file later do not reach the image.
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString("jello")
	must(t, err, f.Close())
	if kept, err := s.Read(t.Context(), st); err != nil || string(kept) != "hello" {
		t.Errorf("%q, %v", kept, err)
	}
}
