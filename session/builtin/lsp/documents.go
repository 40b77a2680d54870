package lsp

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/internal/safefs"
)

const (
	// maxDocument bounds a document that a server gets, in bytes.
	maxDocument = 4 << 20
	// maxOpen bounds the documents that are open in a server; the one that was used longest ago is closed.
	maxOpen = 64
	// maxWatched bounds the files whose changes are looked for below a root.
	maxWatched = 20_000
	// lookAgain is after which time changes by other programs are looked for.
	lookAgain = 30 * time.Second
)

// document is an open file as a server has it.
type document struct {
	version int
	sum     [sha256.Size]byte
	stamp   stamp
}

// stamp describes a file, so that a changed one has another.
type stamp struct {
	at   time.Time
	size int64
}

func stampOf(info fs.FileInfo) stamp { return stamp{info.ModTime(), info.Size()} }

// documents are the open documents of a server and the files that it should hear of. Only who holds [client.turn] uses it.
type documents struct {
	open    map[string]*document
	order   []string // of use, the newest last
	watched map[string]stamp
	looked  time.Time
	// version counts all changes, so that no version of a document is used twice.
	version int
}

// errNotSent is the error of a file that is not a document for a server.
var errNotSent = errors.New("not a regular file of less than 4 MB")

// readDocument returns the content of a file for a server.
func readDocument(ctx context.Context, path string) ([]byte, stamp, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, stamp{}, err
	}
	content, err := safefs.ReadFile(ctx, path, maxDocument, safefs.NoLinks)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
			err = errNotSent
		}
		return nil, stamp{}, err
	}
	return content, stampOf(info), nil
}

// put gives the server a content of a document and returns its version. It opens the document if necessary.
func (c *client) put(path string, content []byte, at stamp) int {
	sum := sha256.Sum256(content)
	d := c.docs.open[path]
	if i := slices.Index(c.docs.order, path); i >= 0 {
		c.docs.order = slices.Delete(c.docs.order, i, i+1)
	}
	c.docs.order = append(c.docs.order, path)
	if d != nil && d.sum == sum {
		d.stamp = at
		return d.version
	}
	c.docs.version++
	text := strings.ToValidUTF8(string(content), "\uFFFD")
	if d != nil {
		d.version, d.sum, d.stamp = c.docs.version, sum, at
		c.notify("textDocument/didChange", map[string]any{
			"textDocument":   documentID{URI: uriOf(path), Version: &d.version},
			"contentChanges": []any{map[string]string{"text": text}}})
		return d.version
	}
	c.docs.open[path] = &document{version: c.docs.version, sum: sum, stamp: at}
	c.notify("textDocument/didOpen", map[string]any{"textDocument": documentItem{URI: uriOf(path),
		LanguageID: c.spec.Languages[filepath.Ext(path)], Version: c.docs.version, Text: text}})
	if len(c.docs.order) > maxOpen {
		c.shut(c.docs.order[0])
	}
	return c.docs.version
}

// shut closes a document.
func (c *client) shut(path string) {
	if c.docs.open[path] == nil {
		return
	}
	delete(c.docs.open, path)
	c.docs.order = slices.DeleteFunc(c.docs.order, func(p string) bool { return p == path })
	c.notify("textDocument/didClose", documentParams{documentID{URI: uriOf(path)}})
}

// fromDisk gives the server the content of a file on disk. It returns the version, and whether the server did not have it.
func (c *client) fromDisk(ctx context.Context, path string) (version int, changed bool, err error) {
	content, at, err := readDocument(ctx, path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			c.shut(path)
			c.board.forget(path)
		}
		return 0, false, err
	}
	before := 0
	if d := c.docs.open[path]; d != nil {
		before = d.version
	}
	version = c.put(path, content, at)
	if version != before {
		c.notify("textDocument/didSave", documentParams{documentID{URI: uriOf(path)}})
	}
	return version, version != before, nil
}

// refresh gives the server what other programs have changed: open documents, and files below the root. It returns what to wait
// for.
func (c *client) refresh(ctx context.Context) waiting {
	w := c.board.waitFrom()
	for _, path := range slices.Clone(c.docs.order) {
		info, err := os.Lstat(path)
		if err == nil && stampOf(info) == c.docs.open[path].stamp {
			continue
		}
		if version, changed, err := c.fromDisk(ctx, path); err == nil && changed {
			w.versions[path] = version
		}
	}
	if c.dirty.Swap(false) || time.Since(c.docs.looked) > lookAgain {
		w.files = c.look(ctx)
	}
	return w
}

// look compares the files below the root with those of the last look, tells the server of the differences, and reports whether
// there are any.
func (c *client) look(ctx context.Context) bool {
	now, whole := watchedBelow(ctx, c.root, c.spec)
	before := c.docs.watched
	c.docs.watched, c.docs.looked = now, time.Now()
	if before == nil || !whole {
		return false // nothing to compare with
	}
	var events []fileEvent
	for path, s := range now {
		if old, ok := before[path]; !ok {
			events = append(events, fileEvent{uriOf(path), fileCreated})
		} else if old != s {
			events = append(events, fileEvent{uriOf(path), fileChanged})
		}
	}
	for path := range before {
		if _, ok := now[path]; !ok {
			events = append(events, fileEvent{uriOf(path), fileDeleted})
			c.board.forget(path)
		}
	}
	if len(events) > 0 {
		c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": events})
	}
	return len(events) > 0
}

// watchedBelow returns the files below a root that concern a server, false if there are too many.
func watchedBelow(ctx context.Context, root string, s *Server) (map[string]stamp, bool) {
	out, seen, whole := map[string]stamp{}, 0, true
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if seen++; seen > 4*maxWatched || len(out) >= maxWatched || ctx.Err() != nil {
			whole = false
			return filepath.SkipAll
		}
		switch {
		case err != nil:
			return nil // a directory that cannot be read has no news
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return filepath.SkipDir
		case !d.Type().IsRegular(), s.Languages[filepath.Ext(path)] == "" && !slices.Contains(s.Roots, d.Name()):
			return nil
		}
		if info, err := d.Info(); err == nil {
			out[path] = stampOf(info)
		}
		return nil
	})
	return out, whole
}
