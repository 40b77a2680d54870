package snapshot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"parley/internal/safefs"
)

// Options configures a [Store].
type Options struct {
	// Dir contains the images, such as "$XDG_DATA_HOME/parley/images". It is created with mode 0700 when needed.
	Dir string
	// Largest is the size of the largest file that is kept, in bytes; 0 means [Largest].
	Largest int64
}

// Largest is the default size of the largest file that is kept, in bytes.
const Largest = 32 << 20

// Store keeps the contents of files. It is safe for concurrent use, also by several processes.
type Store struct {
	o       Options
	putting sync.Mutex // the last check of a path and its replacement are one
}

// New returns a store without touching the disk.
func New(o Options) *Store {
	if o.Largest <= 0 {
		o.Largest = Largest
	}
	return &Store{o: o}
}

// ErrUnkept is the cause of an error about content that is not in the store.
var ErrUnkept = errors.New("its content was not kept")

// ErrDamaged is the cause of an error about an image whose content is not the one that was kept, as after a power cut.
var ErrDamaged = errors.New("its image is damaged")

// Put keeps a content and returns its state as a file of mode 0644. A content that is too large has a Sum and is Unkept, and
// so is one that the disk does not take, with an error whose cause is that of the system.
func (s *Store) Put(ctx context.Context, content []byte) (State, error) {
	sum := sha256.Sum256(content)
	st := State{Kind: File, Mode: 0o644, Size: int64(len(content)), Sum: hex.EncodeToString(sum[:])}
	if st.Size > s.o.Largest {
		st.Unkept = tooLarge(s.o.Largest)
		return st, nil
	}
	if s.has(ctx, st) {
		return st, nil
	}
	f, err := s.temporary()
	if err == nil {
		_, err = f.Write(content)
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(f.Name()) // the first error is the useful one
		}
	}
	if err == nil {
		err = s.adopt(f.Name(), st.Sum)
	}
	if err != nil {
		st.Unkept = unwritten(err)
		return st, fmt.Errorf("keep %d bytes: %w", st.Size, err)
	}
	return st, nil
}

// Read returns the content of a file's state, checked against its sum. Causes of errors: [ErrUnkept], [ErrDamaged], the disk.
func (s *Store) Read(ctx context.Context, st State) ([]byte, error) {
	if err := s.readable(st); err != nil {
		return nil, fmt.Errorf("read an image: %w", err)
	}
	content, err := s.read(ctx, st)
	if err != nil {
		return nil, fmt.Errorf("read the image %.12s: %w", st.Sum, err)
	}
	return content, nil
}

func (s *Store) read(ctx context.Context, st State) ([]byte, error) {
	f, err := s.open(st.Sum)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.Size() != st.Size:
		return nil, ErrDamaged
	}
	content := bytes.NewBuffer(make([]byte, 0, st.Size))
	h := sha256.New()
	if _, err = stream(ctx, io.MultiWriter(content, h), f, st.Size); errors.Is(err, safefs.ErrTooLarge) ||
		err == nil && hex.EncodeToString(h.Sum(nil)) != st.Sum {
		return nil, ErrDamaged
	}
	return content.Bytes(), err
}

// readable reports in an error why a state can have no image.
func (s *Store) readable(st State) error {
	switch {
	case st.Kind != File:
		return fmt.Errorf("%w: it is not a file", ErrUnkept)
	case !isSum(st.Sum) && st.Unkept != "":
		return fmt.Errorf("%w: %s", ErrUnkept, st.Unkept)
	case !isSum(st.Sum):
		return ErrUnkept
	}
	return nil
}

// Refresh reports whether the content of a state is in the store, and saves it from being swept as if it was taken now. A
// caller that remembers states which no log names calls it again from time to time. Of other kinds than files it reports what
// [State.Whole] does.
func (s *Store) Refresh(st State) bool {
	if st.Kind != File || !isSum(st.Sum) {
		return st.Kind != File && st.Whole()
	}
	return s.refresh(st)
}

// refresh gives an image the time of now and reports whether it is there. An image that had its name at that moment stays:
// Sweep looks at the time once more after it has taken the name away. On a disk that cannot be written, nothing is swept.
func (s *Store) refresh(st State) bool {
	path, now := s.path(st.Sum), time.Now()
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != st.Size {
		return false
	}
	err = os.Chtimes(path, now, now)
	return err == nil || errors.Is(err, syscall.EROFS)
}

// has reports whether the image of a state is there, whole, and refreshed.
func (s *Store) has(ctx context.Context, st State) bool {
	if !s.refresh(st) {
		return false
	}
	f, err := s.open(st.Sum)
	if err != nil {
		return false
	}
	defer f.Close()
	sum, _, err := hashFile(ctx, f, st.Size)
	return err == nil && sum == st.Sum
}

// open opens an image, also while Sweep decides about it and while another process writes it again.
func (s *Store) open(sum string) (*os.File, error) {
	paths := []string{s.path(sum), s.aside(sum)}
	for try := 0; ; try++ {
		f, _, err := safefs.OpenFile(paths[try%len(paths)], safefs.NoLinks)
		moved := errors.Is(err, fs.ErrNotExist) || errors.Is(err, safefs.ErrNotRegular)
		switch {
		case err == nil:
			return f, nil
		case moved && try < tries*len(paths):
		case errors.Is(err, safefs.ErrNotRegular):
			return nil, ErrDamaged
		case moved:
			return nil, fmt.Errorf("%w, or was removed since", ErrUnkept)
		default:
			return nil, err
		}
	}
}

// path returns the place of an image. sum must be one.
func (s *Store) path(sum string) string { return filepath.Join(s.o.Dir, sum[:2], sum) }

// aside returns the path of an image that Sweep decides about.
func (s *Store) aside(sum string) string { return filepath.Join(s.o.Dir, unnamed, swept+sum) }

// isSum reports whether a text is a SHA-256 in lower case, and so no path that leads elsewhere.
func isSum(text string) bool {
	if len(text) != 2*sha256.Size {
		return false
	}
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// unnamed is the directory of files that are not named by their content yet, and swept is the prefix of images there that
// Sweep was about to remove.
const (
	unnamed = "new"
	swept   = "swept-"
)

// temporary creates a file below Dir, mode 0600.
func (s *Store) temporary() (*os.File, error) {
	dir := filepath.Join(s.o.Dir, unnamed)
	f, err := os.CreateTemp(dir, "")
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			f, err = os.CreateTemp(dir, "")
		}
	}
	return f, err
}

// adopt names a temporary file by its content, or removes it if that fails.
func (s *Store) adopt(temporary, sum string) error {
	path := s.path(sum)
	err := safefs.Rename(temporary, path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.Mkdir(filepath.Dir(path), 0o700); err == nil || errors.Is(err, fs.ErrExist) {
			err = safefs.Rename(temporary, path)
		}
	}
	if err != nil {
		_ = os.Remove(temporary) // the first error is the useful one
	}
	return err
}
