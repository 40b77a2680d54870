package handover

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/gitrun"
)

// Include is the part of the work tree that a pushed branch has.
type Include int

// What a branch has, each with what is before it.
const (
	Commits Include = iota // the commits
	Changes                // changed and deleted files that git follows
	Files                  // files that it does not follow yet
)

// Push is a branch to make.
type Push struct {
	// Remote and Branch are where it goes. The remote must not have the branch.
	Remote, Branch string
	Include        Include
	// Message is the message of the commit with what is not committed.
	Message string
}

// Pushed is a branch on a remote. Commit is its newest commit.
type Pushed struct{ Branch, Commit string }

// Push pushes what is checked out, and the uncommitted work that p includes, as a new branch. w is the work that the user was shown:
// of the files that git does not follow only those of w are pushed. Work tree, index and local branches stay as they are.
func (g Git) Push(ctx context.Context, w Work, p Push) (Pushed, error) {
	switch {
	case w.Unborn:
		return Pushed{}, errors.New("nothing is committed yet. Commit first")
	case len(w.Conflicts) > 0:
		return Pushed{}, fmt.Errorf("%s has conflicts. Resolve them first", w.Conflicts[0])
	case !isBranch(p.Branch):
		return Pushed{}, fmt.Errorf("%q can't be the name of a branch", p.Branch)
	}
	commit, err := g.commit(ctx, w, p)
	if err != nil {
		return Pushed{}, err
	}
	to := "refs/heads/" + p.Branch
	// A lease without a value pushes only if the remote does not have the branch.
	_, err = g.Run(ctx, gitrun.Call{Dir: w.Root, Args: []string{"push", "--quiet", "--no-progress", "--no-follow-tags", "--no-signed", "--recurse-submodules=no",
		"--force-with-lease=" + to + ":", "--", p.Remote, commit + ":" + to}})
	if err != nil {
		return Pushed{}, err
	}
	return Pushed{p.Branch, commit}, nil
}

// commit returns the commit to push: the one that is checked out, or one on top of it with what is not committed.
func (g Git) commit(ctx context.Context, w Work, p Push) (string, error) {
	head, err := g.Run(ctx, gitrun.Call{Dir: w.Root, Args: []string{"rev-parse", "--verify", "HEAD^{commit}"}})
	if err != nil || p.Include == Commits {
		return head, err
	}
	temp, err := os.MkdirTemp("", "parley-index-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	index := filepath.Join(temp, "index")
	if err := g.copyIndex(ctx, w.Root, index); err != nil {
		return "", err
	}
	on := []string{"GIT_INDEX_FILE=" + index}
	if _, err := g.Run(ctx, gitrun.Call{Dir: w.Root, Args: []string{"add", "--update", "--", ":/"}, Env: on}); err != nil {
		return "", err
	}
	if p.Include >= Files && len(w.New) > 0 {
		_, err := g.Run(ctx, gitrun.Call{Dir: w.Root, Args: []string{"--literal-pathspecs", "add", "--pathspec-from-file=-", "--pathspec-file-nul"}, Env: on,
			Input: strings.Join(w.New, "\x00") + "\x00"})
		if err != nil {
			return "", err
		}
	}
	tree, err := g.Run(ctx, gitrun.Call{Dir: w.Root, Args: []string{"write-tree"}, Env: on})
	if err != nil {
		return "", err
	}
	committed, err := g.Run(ctx, gitrun.Call{Dir: w.Root, Args: []string{"rev-parse", "--verify", "HEAD^{tree}"}})
	if err != nil || tree == committed {
		return head, err
	}
	return g.Run(ctx, gitrun.Call{Dir: w.Root, Args: []string{"commit-tree", tree, "-p", head}, Input: p.Message + "\n"})
}

// copyIndex copies the index of a work tree, so that git need not read every file again. The copy keeps its time: git compares
// the content of files that changed at that time or later.
func (g Git) copyIndex(ctx context.Context, root, to string) error {
	from, err := g.Run(ctx, gitrun.Call{Dir: root, Args: []string{"rev-parse", "--git-path", "index"}})
	if err != nil {
		return err
	}
	if !filepath.IsAbs(from) {
		from = filepath.Join(root, from)
	}
	in, err := os.Open(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// isBranch reports whether git takes a text as the name of a branch.
func isBranch(s string) bool {
	if s == "" || s == "@" || len(s) > 200 || strings.HasPrefix(s, "-") || strings.HasSuffix(s, ".") {
		return false
	}
	for _, bad := range []string{"..", "@{", "//", "/."} {
		if strings.Contains("/"+s, bad) {
			return false
		}
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`~^:?*[\`, r) })
}
