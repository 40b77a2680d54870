package runtimes

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"
)

// Bounds of an archive. A runtime has some dozens of files and a quarter of a gigabyte.
const (
	maxEntries  = 20_000
	maxUnpacked = 2 << 30
	maxDepth    = 32
)

// unpack writes the files of an npm archive below dir, which is empty, and returns their size in bytes. The archive's one
// top directory is left out.
//
// It refuses an archive with a name outside of it, a link, a device, a name that comes twice, or more than the bounds.
// Files are readable by the user only, and programs stay executable.
func unpack(ctx context.Context, files Files, archive, dir string, m *meter) (int64, error) {
	f, err := os.Open(archive)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	m.stage(StageUnpacking, info.Size())
	zip, err := gzip.NewReader(&counted{ctx: ctx, r: f, m: m})
	if err != nil {
		return 0, badArchive(ctx, err)
	}
	defer zip.Close()
	u := unpacking{files: files, dir: dir, tr: tar.NewReader(zip), made: map[string]bool{}}
	for {
		h, err := u.tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, badArchive(ctx, err)
		}
		if err := u.entry(ctx, h); err != nil {
			return 0, err
		}
	}
	// The rest is read too, to check gzip's sum.
	if _, err := io.Copy(io.Discard, io.LimitReader(zip, maxUnpacked)); err != nil {
		return 0, badArchive(ctx, err)
	}
	if u.entries == 0 {
		return 0, refused("it is empty")
	}
	return u.size, nil
}

// unpacking is the state of unpacking an archive.
type unpacking struct {
	files   Files
	dir     string
	tr      *tar.Reader
	made    map[string]bool // directories
	entries int
	size    int64
}

func (u *unpacking) entry(ctx context.Context, h *tar.Header) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	if u.entries++; u.entries > maxEntries {
		return refused(fmt.Sprintf("it has more than %d entries", maxEntries))
	}
	name, err := entryName(h.Name)
	if err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		if name == "" {
			return nil
		}
		return u.mkdir(name)
	case tar.TypeReg:
		if name == "" {
			return refused("a file stands where its directory should be")
		}
		if strings.EqualFold(name, receiptFile) {
			return refused(fmt.Sprintf("%q is parley's own", name))
		}
	default:
		return refused(fmt.Sprintf("%q is neither a file nor a directory", h.Name))
	}
	if h.Size < 0 || u.size+h.Size > maxUnpacked {
		return refused(fmt.Sprintf("it unpacks to more than %d MB", maxUnpacked>>20))
	}
	u.size += h.Size
	if err := u.mkdir(filepath.Dir(name)); err != nil {
		return err
	}
	perm := fs.FileMode(0o600)
	if h.Mode&0o111 != 0 {
		perm = 0o700
	}
	return u.write(ctx, name, h, perm)
}

func (u *unpacking) write(ctx context.Context, name string, h *tar.Header, perm fs.FileMode) error {
	out, err := u.files.Create(filepath.Join(u.dir, name), perm)
	if errors.Is(err, fs.ErrExist) {
		return refused(fmt.Sprintf("%q comes twice", h.Name))
	}
	if err != nil {
		return diskFailure(err)
	}
	w := &writer{w: out}
	_, err = io.CopyN(w, u.tr, h.Size)
	if closeErr := out.Close(); w.err == nil {
		w.err = closeErr
	}
	switch {
	case w.err != nil:
		return diskFailure(w.err)
	case err != nil:
		return badArchive(ctx, err)
	}
	return nil
}

// mkdir creates a directory with its parents. None of them can be a link, because links are refused.
func (u *unpacking) mkdir(name string) error {
	if name == "." || u.made[name] {
		return nil
	}
	if strings.Count(filepath.ToSlash(name), "/") > maxDepth {
		return refused(fmt.Sprintf("directories are nested deeper than %d", maxDepth))
	}
	err := os.MkdirAll(filepath.Join(u.dir, name), 0o700)
	if pe, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, syscall.ENOTDIR) {
		return refused(fmt.Sprintf("%q is a file and a directory", filepath.Base(pe.Path)))
	}
	if err != nil {
		return diskFailure(err)
	}
	u.made[name] = true
	return nil
}

// entryName returns a name of the archive without its first directory, for this system; "" for that directory itself.
func entryName(name string) (string, error) {
	if strings.ContainsFunc(name, unicode.IsControl) || strings.ContainsAny(name, `\:`) || path.IsAbs(name) {
		return "", refused(fmt.Sprintf("%q is not a valid file name", name))
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "", refused(fmt.Sprintf("%q leads out of it", name))
		}
	}
	_, rest, _ := strings.Cut(path.Clean(name), "/")
	if rest == "" {
		return "", nil
	}
	local, err := filepath.Localize(rest)
	if err != nil || !filepath.IsLocal(local) {
		return "", refused(fmt.Sprintf("%q is not a valid file name", name))
	}
	return local, nil
}

func refused(why string) *Failure {
	return &Failure{Reason: ReasonArchive, What: "the archive is refused: " + why, Next: "check with `npm config get registry` which registry is used"}
}

func badArchive(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &Failure{Reason: ReasonArchive, What: "the archive cannot be unpacked: " + err.Error(),
		Next: "try again; if it happens again, check with `npm config get registry` which registry is used", Err: err}
}

// writer records an error of writing, to tell it from one of reading.
type writer struct {
	w   io.Writer
	err error
}

func (w *writer) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if err != nil {
		w.err = err
	}
	return n, err
}

// counted is the archive's file. It reports reads to the meter and ends with ctx.
type counted struct {
	ctx context.Context
	r   io.Reader
	m   *meter
}

func (c *counted) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.m.add(int64(n))
	return n, err
}
