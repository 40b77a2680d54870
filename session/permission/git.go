package permission

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/git"
	"parley/internal/safefs"
	"parley/session/permission/disk"
)

// GitWatch knows what git could be made to run in a directory by the repository there, and whether that has changed since
// the watch began. It is safe for concurrent use.
type GitWatch struct {
	dir   string
	began gitState
}

// WatchGit looks at the repository that git would use in dir, and returns a watch that compares it with later looks. It
// reads a few small files, and none that is not a regular one.
func WatchGit(ctx context.Context, dir string) *GitWatch {
	return &GitWatch{dir: dir, began: lookAtGit(ctx, dir)}
}

// Quiet reports whether git starts no program by itself in the directory when it only reads: the repository was there when
// the watch began, its configuration is still the same, and says nothing but what is known to be harmless.
func (w *GitWatch) Quiet(ctx context.Context) bool {
	return w.QuietIn(ctx, w.dir)
}

// QuietIn is Quiet in another directory, which has to belong to the same repository.
func (w *GitWatch) QuietIn(ctx context.Context, dir string) bool {
	return w.began.quiet && lookAtGit(ctx, dir) == w.began
}

// gitState is the state of a repository that decides which programs git runs in a directory.
type gitState struct {
	dir   string // the git directory, "" if there is no repository
	sum   [sha256.Size]byte
	quiet bool
}

// maxConfig is the most that is read of a configuration of git, in bytes.
const maxConfig = 256 << 10

// maxIndex is the largest index of git that is looked at, in bytes: that of a million files.
const maxIndex = 128 << 20

// lookAtGit finds the repository as git does: the nearest directory upwards that has a .git, or that looks like a git
// directory itself. In one of those nothing is quiet, because any directory can be made one.
func lookAtGit(ctx context.Context, dir string) gitState {
	for at := dir; ; at = filepath.Dir(at) {
		if disk.Exists(filepath.Join(at, ".git")) {
			return gitStateOf(ctx, at)
		}
		if disk.Exists(filepath.Join(at, "HEAD")) && disk.Exists(filepath.Join(at, "objects")) && disk.Exists(filepath.Join(at, "refs")) {
			return gitState{dir: at}
		}
		if filepath.Dir(at) == at {
			return gitState{}
		}
	}
}

// gitStateOf reads the configuration of the repository at a directory.
func gitStateOf(ctx context.Context, at string) gitState {
	repository, err := git.At(ctx, at, safefs.NoLinks)
	if err != nil {
		return gitState{dir: at}
	}
	dirs := slices.Compact([]string{repository.Git, repository.Common})
	s := gitState{dir: strings.Join(dirs, "\n"), quiet: true}
	// A submodule has its own configuration, which git reads with ours.
	if disk.Exists(filepath.Join(at, ".gitmodules")) {
		s.quiet = false
	}
	h, hash := sha256.New(), sha1.Size
	for _, dir := range dirs {
		for _, name := range []string{"config", "config.worktree"} {
			text, err := safefs.ReadFile(ctx, filepath.Join(dir, name), maxConfig, safefs.NoLinks)
			if err != nil && !errors.Is(err, fs.ErrNotExist) || !harmlessConfig(string(text)) {
				s.quiet = false
			}
			if strings.Contains(string(text), "sha256") {
				hash = sha256.Size
			}
			h.Write([]byte(dir + "\x00" + name + "\x00"))
			h.Write(text)
		}
		// The one hook that commands run which only look.
		if disk.Exists(filepath.Join(dir, "hooks", "post-index-change")) || disk.Exists(filepath.Join(dir, "modules")) {
			s.quiet = false
		}
	}
	index, err := safefs.ReadFile(ctx, filepath.Join(repository.Git, "index"), maxIndex, safefs.NoLinks)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || hasGitlink(index, hash) {
		s.quiet = false
	}
	h.Sum(s.sum[:0])
	return s
}

// harmlessKeys are the settings, by section, that name no program, no file and no directory to git. Others may.
var harmlessKeys = map[string][]string{
	"core": {"repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode", "symlinks",
		"autocrlf", "eol", "safecrlf", "abbrev", "quotepath", "commitgraph", "protecthfs", "protectntfs"},
	"remote":     {"url", "fetch", "pushurl", "prune", "tagopt", "gh-resolved"},
	"branch":     {"remote", "merge", "rebase", "description", "pushremote", "vscode-merge-base", "gh-merge-base", "github-pr-owner-number"},
	"user":       {"name", "email", "signingkey", "useconfigonly"},
	"extensions": {"objectformat", "refstorage", "worktreeconfig", "relativeworktrees"},
	"pull":       {"rebase", "ff"},
	"push":       {"default", "autosetupremote", "followtags"},
	"init":       {"defaultbranch"},
	"fetch":      {"prune", "prunetags"},
	"merge":      {"conflictstyle", "ff"},
	"rebase":     {"autostash", "autosquash"},
	"rerere":     {"enabled"},
	"color":      {"ui"},
	"commit":     {"gpgsign"},
	"lfs":        {"repositoryformatversion"},
}

// harmlessConfig reports whether a configuration of git says nothing but what is in the list above. It reads less than git
// does: a line that is not plainly a section or a setting is not harmless.
func harmlessConfig(text string) bool {
	var keys []string
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		line = strings.Trim(line, " \t")
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
			continue
		case strings.ContainsAny(line, "\\\r\x00"): // a line may go on in the next
			return false
		case line[0] == '[':
			section, rest, closed := strings.Cut(line[1:], "]")
			if !closed || rest != "" || strings.Contains(section, ".") && !strings.Contains(section, `"`) {
				return false
			}
			section, _, _ = strings.Cut(section, " ")
			keys = harmlessKeys[strings.ToLower(section)]
			if keys == nil {
				return false
			}
		default:
			key, _, _ := strings.Cut(line, "=")
			if !slices.Contains(keys, strings.ToLower(strings.Trim(key, " \t"))) {
				return false
			}
		}
	}
	return true
}

// filtersOf asks for the filters of git in a directory once.
func (p Policy) filtersOf(dir string) ([]string, bool) {
	if p.Filters == nil {
		return nil, false
	}
	if p.filters == nil {
		return p.Filters(dir)
	}
	names, ok := p.filters[dir]
	if !ok {
		if names, ok = p.Filters(dir); ok && names == nil {
			names = []string{}
		} else if !ok {
			names = nil
		}
		p.filters[dir] = names
	}
	return names, names != nil
}
