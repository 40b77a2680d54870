package eval

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/tools/txtar"
)

// workspace is the directory of one run.
type workspace struct {
	dir    string
	before map[string]string // digests of the files by their paths with slashes
}

// newWorkspace makes a temporary directory below parent with the repository of a task.
func newWorkspace(parent string, t Task) (*workspace, error) {
	dir, err := os.MkdirTemp(parent, t.Name+"-")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	w := &workspace{dir: dir}
	if err := w.fill(t); err != nil {
		return nil, fmt.Errorf("make the repository of %s: %w", t.Name, err)
	}
	w.before, err = digests(dir)
	return w, err
}

// fill writes the repository.
func (w *workspace) fill(t Task) error {
	files := slices.Clone(t.repo)
	for _, m := range t.Make {
		for n := range max(m.Files, 1) {
			f := m.make(strconv.Itoa(n + 1))
			if !slices.ContainsFunc(t.repo, func(own txtar.File) bool { return own.Name == f.Name }) {
				files = append(files, f)
			}
		}
	}
	for i, f := range files {
		if slices.Contains(t.CRLF, f.Name) {
			files[i].Data = bytes.ReplaceAll(f.Data, []byte("\n"), []byte("\r\n"))
		}
	}
	return w.write(files)
}

// make returns the generated file with a number.
func (m Made) make(number string) txtar.File {
	var b bytes.Buffer
	for n := 1; n <= m.Lines; n++ {
		line, ok := m.At[n]
		if !ok {
			line = strings.ReplaceAll(m.Line, "{{n}}", strconv.Itoa(n))
		}
		b.WriteString(strings.ReplaceAll(line, "{{f}}", number) + "\n")
	}
	return txtar.File{Name: strings.ReplaceAll(m.File, "{{f}}", number), Data: b.Bytes()}
}

// write writes files, scripts as executable ones.
func (w *workspace) write(files []txtar.File) error {
	for _, f := range files {
		name := filepath.Join(w.dir, filepath.FromSlash(f.Name))
		mode := fs.FileMode(0o644)
		if bytes.HasPrefix(f.Data, []byte("#!")) {
			mode = 0o755
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Data, mode); err != nil {
			return err
		}
	}
	return nil
}

// changed returns the files that a run has made, changed or removed and that none of the globs names.
func (w *workspace) changed(only []string) ([]string, error) {
	after, err := digests(w.dir)
	if err != nil {
		return nil, err
	}
	names := slices.Collect(maps.Keys(after))
	for name := range w.before {
		if _, there := after[name]; !there {
			names = append(names, name)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return after[name] == w.before[name] || slices.ContainsFunc(only, func(glob string) bool {
			return doublestar.MatchUnvalidated(glob, name)
		})
	})
	slices.Sort(names)
	return names, nil
}

// litter are directories that programs leave and no task is about.
var litter = []string{".git", "__pycache__", "node_modules", ".pytest_cache", ".claude"}

// digests returns the digest of each regular file below a directory.
func digests(dir string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != dir && slices.Contains(litter, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if !d.Type().IsRegular() {
			all[rel] = d.Type().String()
			return nil
		}
		text, err := os.ReadFile(name)
		all[rel] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	return all, err
}
