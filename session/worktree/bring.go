package worktree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/gitrun"
	"parley/internal/human"
)

// includeFile selects files that git does not follow and that a new tree needs, such as .env, in the language of .gitignore.
const includeFile = ".worktreeinclude"

// maxIncluded bounds how many files are copied, and maxIncludedBytes how large each may be.
const maxIncluded, maxIncludedBytes = 2000, 64 << 20

// bring gives a new tree what a commit has not: files that includeFile selects, and what is uncommitted.
func (t Trees) bring(ctx context.Context, r repository, tree Tree, with Bring) error {
	var errs error
	if info, err := os.Lstat(filepath.Join(r.root, includeFile)); err == nil && info.Mode().IsRegular() {
		errs = t.copy(ctx, r, tree, "--ignored", "--exclude-from="+includeFile)
	}
	switch with {
	case Nothing:
		return errs
	case Moves:
		return errors.Join(errs, t.move(ctx, r, tree))
	}
	stash, err := t.Git.Run(ctx, gitrun.Call{Dir: r.root, Args: []string{"stash", "create"}})
	if err == nil && stash != "" { // a commit that no list of stashes has: the directory stays as it is
		err = t.apply(ctx, tree, stash)
	}
	if err != nil {
		return errors.Join(errs, err)
	}
	return errors.Join(errs, t.copy(ctx, r, tree, "--exclude-standard"))
}

// apply makes the changes of a stash in a new tree, all of them or none: where its branch has changed the same lines, git would leave both
// between marks in the files.
func (t Trees) apply(ctx context.Context, tree Tree, stash string) error {
	if _, err := t.Git.Run(ctx, gitrun.Call{Dir: tree.Root, Args: []string{"stash", "apply", "--quiet", "--index", stash}}); err != nil {
		return errors.Join(fmt.Errorf("the uncommitted changes conflict with branch %s, so none were copied: %w", tree.Branch, err), t.reset(ctx, tree))
	}
	return nil
}

// reset makes the files of a new tree those of its commit again.
func (t Trees) reset(ctx context.Context, tree Tree) error {
	_, err := t.Git.Run(ctx, gitrun.Call{Dir: tree.Root, Args: []string{"-c", "core.hooksPath=" + os.DevNull, "reset", "--hard", "--quiet"}})
	return err
}

// move takes what is uncommitted into a new tree, new files included. What the new tree does not take goes back where it was.
func (t Trees) move(ctx context.Context, r repository, tree Tree) error {
	newest := func() string {
		out, _ := t.Git.Run(ctx, gitrun.Call{Dir: r.root, Args: []string{"rev-parse", "--quiet", "--verify", "refs/stash"}})
		return out
	}
	run := func(dir string, args ...string) error {
		_, err := t.Git.Run(ctx, gitrun.Call{Dir: dir, Args: append([]string{"-c", "core.hooksPath=" + os.DevNull}, args...)})
		return err
	}
	before := newest()
	if err := run(r.root, "stash", "push", "--quiet", "--include-untracked", "--message", "moving to worktree "+tree.Name); err != nil {
		return err
	}
	stash := newest()
	if stash == before {
		return nil // there was nothing
	}
	if err := run(tree.Root, "stash", "apply", "--quiet", "--index", stash); err != nil {
		err = errors.Join(err, t.reset(ctx, tree), run(tree.Root, "clean", "-fdq")) // it was new and clean
		if back := run(r.root, "stash", "pop", "--quiet", "--index"); back != nil {
			return errors.Join(err, errors.New("the changes are in git's stash: bring them back with git stash pop --index"), back)
		}
		return err
	}
	if newest() != stash { // another process uses the stash: it has one entry more
		return nil
	}
	return run(r.root, "stash", "drop", "--quiet")
}

// link links the caches of a repository into a new tree: directories that git ignores, which are in no commit.
func (t Trees) link(ctx context.Context, r repository, tree Tree) error {
	if len(t.Links) == 0 {
		return nil
	}
	to, err := os.OpenRoot(tree.Root)
	if err != nil {
		return err
	}
	defer to.Close()
	var errs error
	for _, path := range t.Links {
		path = filepath.Clean(filepath.FromSlash(path))
		if !filepath.IsLocal(path) || path == "." {
			errs = errors.Join(errs, errors.New(path+" is not a path in the repository"))
			continue
		}
		from := filepath.Join(r.root, path)
		info, err := os.Stat(from)
		if err != nil || !info.IsDir() {
			continue // nothing to share yet
		}
		if _, err := t.Git.Run(ctx, gitrun.Call{Dir: r.root, Args: []string{"check-ignore", "--quiet", path + "/"}}); err != nil {
			errs = errors.Join(errs, errors.New(path+" was not linked: git doesn't ignore it"))
			continue
		}
		if _, err := to.Lstat(path); err == nil {
			continue
		}
		if dir := filepath.Dir(path); dir != "." {
			errs = errors.Join(errs, to.MkdirAll(dir, 0o777))
		}
		errs = errors.Join(errs, to.Symlink(from, path))
	}
	return errs
}

// links reports whether an untracked file of a tree is one of its links: a pattern for a directory does not ignore it.
func (t Trees) links(tree Tree, path string) bool {
	for _, l := range t.Links {
		if filepath.Clean(filepath.FromSlash(l)) == filepath.FromSlash(path) {
			info, err := os.Lstat(filepath.Join(tree.Root, filepath.FromSlash(path)))
			return err == nil && info.Mode()&os.ModeSymlink != 0
		}
	}
	return false
}

// copy copies the files that git does not follow and that options of git select.
func (t Trees) copy(ctx context.Context, r repository, tree Tree, options ...string) error {
	args := append([]string{"ls-files", "-z", "--others"}, options...)
	out, err := t.Git.Run(ctx, gitrun.Call{Dir: r.root, Args: args})
	if err != nil {
		return err
	}
	from, err := os.OpenRoot(r.root)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenRoot(tree.Root)
	if err != nil {
		return err
	}
	defer to.Close()
	var errs error
	for i, path := range strings.Split(strings.TrimSuffix(out, "\x00"), "\x00") {
		switch {
		case path == "" || strings.HasSuffix(path, "/"): // a repository within
			continue
		case ctx.Err() != nil:
			return ctx.Err()
		case i >= maxIncluded:
			return errors.Join(errs, errors.New("only the first "+human.Number(maxIncluded)+" files were copied"))
		}
		if err := copyFile(from, to, filepath.FromSlash(path)); err != nil {
			errs = errors.Join(errs, err)
		}
	}
	return errs
}

// copyFile copies one regular file that is not there yet. A link leads nowhere: neither root is left.
func copyFile(from, to *os.Root, path string) error {
	info, err := from.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	if info.Size() > maxIncludedBytes {
		return errors.New(path + " is too large to copy")
	}
	if err := to.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	in, err := from.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := to.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if errors.Is(err, os.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, maxIncludedBytes))
	return errors.Join(err, out.Close())
}

// Words say what a tree has that nothing else has, such as "2 changed files and 1 commit".
func (t Tree) Words() string {
	var parts []string
	if t.Changed > 0 {
		parts = append(parts, human.Count(t.Changed, "changed file", "changed files"))
	}
	if t.Ahead > 0 {
		parts = append(parts, human.Count(t.Ahead, "commit", "commits")+" of its own")
	}
	if parts == nil {
		return "nothing that would be lost"
	}
	return strings.Join(parts, " and ")
}

// Back returns the command that brings back the commits of a tree that was removed with its branch, "" if there are none or they stay.
func (t Tree) Back() string {
	name := prefix + t.Name
	switch {
	case t.Ahead == 0 || t.Commit == "" || t.Branch != "" && t.Branch != name:
		return ""
	case t.Branch == "": // no branch has them, and that of the tree stays
		name += "-again"
	}
	return "git branch " + name + " " + t.Commit
}

// Loses says what goes with a tree, and what of it can be brought back.
func (t Tree) Loses() string {
	var all []string
	if t.Changed > 0 {
		all = append(all, "What isn't committed can't be brought back.")
	}
	switch back := t.Back(); {
	case back != "":
		all = append(all, "Git keeps its commits for a while: `"+back+"` brings them back.")
	case t.Ahead > 0 && t.Branch != "":
		all = append(all, "Its commits stay on the branch "+t.Branch+".")
	}
	return strings.Join(all, " ")
}
