package worktree

import (
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"parley/internal/git"
	"parley/internal/human"
	"parley/internal/safefs"
	"parley/session/changes/snapshot"
)

// comparison finds out the states of files that may have changed.
type comparison struct {
	tree    *Tree
	since   *Snapshot
	now     time.Time
	end     time.Time
	objects map[string]*git.Objects // by common directory
	real    map[string]presence     // of directories that are reached without links
	unknown int                     // paths about which nothing can be said
	bytes   int64                   // of contents that were read to be kept
}

func (c *comparison) close() {
	for _, s := range c.objects {
		s.Close()
	}
}

// states returns the files that have changed among those that were found, in their order.
func (c *comparison) states(ctx context.Context, all []found) Result {
	var r Result
	for n, f := range all {
		if ctx.Err() != nil || len(r.Changed) >= c.tree.o.KeptFiles || time.Now().After(c.end) {
			r.Gap = moreFiles(len(all) - n)
			break
		}
		if one, changed := c.state(ctx, f); changed {
			r.Changed = append(r.Changed, one)
		}
	}
	if c.unknown > 0 {
		r.Gap = joined(r.Gap, human.Count(c.unknown, "file", "files")+" can't be examined")
	}
	return r
}

// state compares a file as it was with how it is now.
func (c *comparison) state(ctx context.Context, f found) (Changed, bool) {
	one := Changed{Path: f.path, Dirs: f.dirs}
	info, is := c.at(f.path)
	if is == hidden {
		c.unknown++
		return one, false
	}
	var now signature
	there := is == present
	if there {
		now = ofInfo(info)
	}
	switch {
	case f.unwatched != "" && (!there || !now.fresh(c.since.at)):
		return one, false // as it was before the look
	case f.before == nil && f.unwatched == "" && !there:
		return one, false // it came and went
	case f.before != nil && there && f.before.signature == now && !(f.before.fresh && f.before.kept >= 0):
		return one, false
	case there && c.asIndexed(ctx, f, now):
		return one, false
	}
	one.After = snapshot.State{Kind: snapshot.None}
	if there {
		one.After = c.after(ctx, f.path, now)
	}
	one.Before = c.before(ctx, f)
	return one, !one.Before.Same(one.After)
}

// presence reports whether a file stands at a path, as far as that is known.
type presence int

const (
	absent presence = iota
	present
	hidden // nobody may look, or the path is too long
)

// at describes what stands at a path, unless a directory above is not there or a link.
func (c *comparison) at(path string) (fs.FileInfo, presence) {
	if is := c.dir(filepath.Dir(path)); is != present {
		return nil, is
	}
	return lstat(path)
}

// dir reports whether a directory is there and no link leads to it.
func (c *comparison) dir(path string) presence {
	if is, ok := c.real[path]; ok {
		return is
	}
	if c.real == nil {
		c.real = map[string]presence{}
	}
	is := present
	if parent := filepath.Dir(path); parent != path {
		is = c.dir(parent)
	}
	if is == present {
		var info fs.FileInfo
		if info, is = lstat(path); is == present && !info.IsDir() {
			is = absent
		}
	}
	c.real[path] = is
	return is
}

func lstat(path string) (fs.FileInfo, presence) {
	info, err := os.Lstat(path)
	switch {
	case err == nil:
		return info, present
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, absent
	}
	return nil, hidden
}

// after returns the state of a file now, and keeps its content.
func (c *comparison) after(ctx context.Context, path string, now signature) snapshot.State {
	if now.Mode.IsRegular() && now.Size <= snapshot.Largest {
		if c.bytes+now.Size > c.tree.o.KeptBytes {
			return snapshot.State{Kind: snapshot.File, Mode: permissions(now.Mode), Size: now.Size, Unkept: "the files that changed are too large together"}
		}
		c.bytes += now.Size
	}
	c.tree.opened.Add(1)
	st, err := c.tree.o.Store.Take(ctx, path)
	if err != nil {
		return snapshot.State{Kind: snapshot.File, Mode: permissions(now.Mode), Size: now.Size, Unkept: "it can't be read: " + err.Error()}
	}
	if info, err := os.Lstat(path); err == nil && ofInfo(info) == now && st.Whole() {
		c.tree.mu.Lock()
		c.tree.kept[path] = remembered{now, st, now.fresh(c.now), c.now}
		c.tree.mu.Unlock()
	}
	return st
}

// before returns the state of a file at the look.
func (c *comparison) before(ctx context.Context, f found) snapshot.State {
	switch {
	case f.unwatched != "":
		return snapshot.State{Kind: snapshot.File, Unkept: f.unwatched}
	case f.before == nil:
		return snapshot.State{Kind: snapshot.None}
	case f.before.kept >= 0:
		return c.since.states[f.before.kept]
	}
	it := f.before
	st := snapshot.State{Kind: snapshot.File, Mode: permissions(it.Mode), Size: it.Size}
	if it.Mode.Type() == fs.ModeSymlink {
		st = snapshot.State{Kind: snapshot.Link}
	}
	if it.entry < 0 {
		st.Kind = snapshot.File // a link's target is not known either
		st.Unkept = "there were too many files to keep before the command"
		return st
	}
	content, err := c.object(ctx, f.repo, f.repo.index.Entries[it.entry].Sum, it.Size)
	switch {
	case errors.Is(err, git.ErrMissing):
		st.Unkept = "git does not have its content here"
	case errors.Is(err, git.ErrTooLarge):
		st.Unkept = "it is too large"
	case err != nil:
		st.Unkept = "git's object can't be read: " + err.Error()
	case content == nil:
		st.Unkept = "git stores it in another form"
	case st.Kind == snapshot.Link:
		st.Target = string(content)
		return st
	default:
		kept, err := c.tree.o.Store.Put(ctx, content)
		if err != nil && kept.Unkept == "" {
			kept.Unkept = err.Error()
		}
		kept.Mode = st.Mode
		return kept
	}
	st.Kind = snapshot.File
	return st
}

// object returns the content of a file of a known size that git has an object of; nil if it is not sure. If the sizes are
// the same, so are the bytes, as the only conversion possible is that of line ends. If the file is longer by the number of
// lines, they ended in CR LF.
func (c *comparison) object(ctx context.Context, p *repo, sum git.Sum, size int64) ([]byte, error) {
	s := c.objects[p.Common]
	if s == nil {
		if c.objects == nil {
			c.objects = map[string]*git.Objects{}
		}
		s = git.OpenObjects(ctx, p.Common)
		c.objects[p.Common] = s
	}
	content, err := s.Blob(ctx, sum, 2*snapshot.Largest)
	switch {
	case err != nil:
		return nil, err
	case int64(len(content)) == size:
		return content, nil
	case int64(len(content)+bytes.Count(content, []byte("\n"))) == size && bytes.IndexByte(content, '\r') < 0:
		return bytes.ReplaceAll(content, []byte("\n"), []byte("\r\n")), nil
	}
	return nil, nil
}

// asIndexed reports whether a file that was as the index says has still the same content and mode, which costs less than to
// keep both.
func (c *comparison) asIndexed(ctx context.Context, f found, now signature) bool {
	if f.before == nil || f.before.entry < 0 || f.before.Mode != now.Mode || f.before.Size != now.Size || !now.Mode.IsRegular() {
		return false
	}
	c.tree.opened.Add(1)
	content, err := safefs.ReadFile(ctx, f.path, min(now.Size, snapshot.Largest), safefs.NoLinks)
	if err != nil || int64(len(content)) != now.Size {
		return false
	}
	return sumOf(content) == f.repo.index.Entries[f.before.entry].Sum
}

// sumOf returns the sum of git's object of a content.
func sumOf(content []byte) git.Sum {
	h := sha1.New()
	h.Write(append([]byte("blob "+strconv.Itoa(len(content))), 0))
	h.Write(content)
	return git.Sum(h.Sum(nil))
}

// permissions returns the part of a mode that an image has.
func permissions(m fs.FileMode) fs.FileMode {
	return m & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
}
