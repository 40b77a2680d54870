package worktree

import (
	"context"
	"errors"
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

// bring copies into a new tree what a commit has not: files that includeFile selects, and with changes what is uncommitted.
func (t Trees) bring(ctx context.Context, r repository, tree Tree, changes bool) error {
	var errs error
	if info, err := os.Lstat(filepath.Join(r.root, includeFile)); err == nil && info.Mode().IsRegular() {
		errs = t.copy(ctx, r, tree, "--ignored", "--exclude-from="+includeFile)
	}
	if !changes {
		return errs
	}
	stash, err := t.Git.Run(ctx, gitrun.Call{Dir: r.root, Args: []string{"stash", "create"}})
	if err == nil && stash != "" { // a commit that no list of stashes has: the directory stays as it is
		_, err = t.Git.Run(ctx, gitrun.Call{Dir: tree.Root, Args: []string{"stash", "apply", "--quiet", "--index", stash}})
	}
	return errors.Join(errs, err, t.copy(ctx, r, tree, "--exclude-standard"))
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
