package worktree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"parley/internal/git"
	"parley/internal/safefs"
)

// repo is a repository as a look found it.
type repo struct {
	git.Repository
	// index is nil if there is none yet, or if it cannot be read, which unread says.
	index   *git.Index
	unread  bool
	written int64 // when the index was written, in nanoseconds
	// rules are those of the user and of the repository itself, and attributes those of files that git converts.
	rules      git.Ignores
	attributes converts
}

// indexed is an index that was read, and the file that it was read from.
type indexed struct {
	file  signature
	index *git.Index
	err   error
}

// repository describes the repository r for a walk that begins in dir. now is the time of the look.
func (t *Tree) repository(ctx context.Context, r git.Repository, dir string, now time.Time) *repo {
	p := &repo{Repository: r}
	user := userFiles(ctx, r)
	p.rules = git.IgnoresAbove(ctx, dir, user.ignore)
	p.attributes = convertsAbove(ctx, r, dir, user.attributes)
	path := filepath.Join(r.Git, "index")
	info, err := os.Stat(path)
	if err != nil {
		p.unread = !errors.Is(err, fs.ErrNotExist)
		return p
	}
	file := ofInfo(info)
	p.written = file.Mtime
	t.mu.Lock()
	have, ok := t.indexes[path]
	t.mu.Unlock()
	if !ok || have.file != file {
		have = indexed{file: file}
		if have.index, have.err = git.ReadIndex(ctx, r); !file.fresh(now) && ctx.Err() == nil {
			t.mu.Lock()
			t.indexes[path] = have
			t.mu.Unlock()
		}
		if info, err := os.Stat(path); err == nil { // git may have replaced it meanwhile
			p.written = min(p.written, ofInfo(info).Mtime)
		}
	}
	p.index, p.unread = have.index, have.err != nil && !errors.Is(have.err, fs.ErrNotExist)
	return p
}

// below returns the entries of the index below a directory, whose path has a slash at its end or is empty.
func (p *repo) below(dir string) (low, high int) {
	if p == nil || p.index == nil {
		return 0, 0
	}
	all := p.index.Entries
	low = sort.Search(len(all), func(i int) bool { return all[i].Path >= dir })
	return low, low + sort.Search(len(all)-low, func(i int) bool { return !strings.HasPrefix(all[low+i].Path, dir) })
}

// users are the paths of files of the user, which may be missing.
type users struct{ ignore, attributes string }

// userFiles returns where git looks for what the user ignores everywhere, and for the user's attributes.
func userFiles(ctx context.Context, r git.Repository) users {
	home, _ := os.UserHomeDir() // without one, there are no such files
	config := os.Getenv("XDG_CONFIG_HOME")
	if config == "" && home != "" {
		config = filepath.Join(home, ".config")
	}
	var u users
	if config != "" {
		u = users{filepath.Join(config, "git", "ignore"), filepath.Join(config, "git", "attributes")}
	}
	files := []string{filepath.Join(r.Common, "config")}
	if home != "" {
		files = []string{filepath.Join(config, "git", "config"), filepath.Join(home, ".gitconfig"), files[0]}
	}
	for _, file := range files {
		values := git.ReadConfig(ctx, file)
		for key, place := range map[string]*string{"core.excludesfile": &u.ignore, "core.attributesfile": &u.attributes} {
			value := values[key]
			if rest, ok := strings.CutPrefix(value, "~/"); ok {
				value = filepath.Join(home, rest)
			}
			if filepath.IsAbs(value) {
				*place = value
			}
		}
	}
	return u
}

// read is the text of a small file of the work tree.
type read struct {
	file signature
	text string
}

// text returns the content of an ignore file or a file of attributes with a signature, "" if it cannot be read.
func (t *Tree) text(ctx context.Context, path string, file signature, now time.Time) string {
	t.mu.Lock()
	have, ok := t.texts[path]
	t.mu.Unlock()
	if ok && have.file == file {
		return have.text
	}
	t.opened.Add(1)
	b, err := safefs.ReadFile(ctx, path, git.MaxIgnoreFile, safefs.NoLinks)
	if err != nil {
		return ""
	}
	if !file.fresh(now) {
		t.mu.Lock()
		t.texts[path] = read{file, string(b)}
		t.mu.Unlock()
	}
	return string(b)
}
