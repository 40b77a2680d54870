package worktree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parley/internal/gitrun"
	"parley/session"
)

// Git runs git; [gitrun.Git] does.
type Git interface {
	Run(ctx context.Context, c gitrun.Call) (string, error)
}

// Trees makes and finds the working trees of repositories. It has no state and is safe for concurrent use.
type Trees struct {
	Git Git
	// Home is the folder below which they stand, absolute. It is created when needed.
	Home string
	// Apart is a folder whose folders belong to no repository above it, absolute; "" for none.
	Apart string
	// Links are paths in a repository, such as node_modules, that a new tree gets as links: caches that git ignores.
	Links []string
	// Carry takes the user's trust over from one tree to a directory in another one, "" for its top; nil: it does not go along.
	Carry func(ctx context.Context, from, to, below string) error
}

// Bring is what a new tree gets of the uncommitted changes of the one it was made from.
type Bring int

// The ways to bring changes.
const (
	Nothing Bring = iota
	Copies        // they stay where they are, too
	Moves         // they are in the new tree only
)

// Tree is a working tree of parley's.
type Tree struct {
	Name string
	// Root is the top of the tree. Dir is the directory in it that corresponds to the one that was asked about.
	Root, Dir string
	// Branch is checked out, "" for none.
	Branch string
	// Changed counts files with uncommitted changes, new ones included, Ahead the commits that the repository's own branch lacks.
	Changed, Ahead int
	// Commit is the newest one, shortened, "" if git cannot say.
	Commit string
}

// Idle reports whether nothing would be lost without the tree.
func (t Tree) Idle() bool { return t.Changed == 0 && t.Ahead == 0 }

// prefix begins the names of branches.
const prefix = "parley/"

// repository is where trees belong to.
type repository struct {
	root   string // the top of the working tree that was asked about
	below  string // of the directory within it
	common string // the git directory that all its working trees share
	trees  string // the folder of its trees
}

// find returns the repository around a directory. One that is in no work tree is an error of kind [session.KindInvalid].
func (t Trees) find(ctx context.Context, op, dir string) (repository, error) {
	out, err := t.Git.Run(ctx, gitrun.Call{Dir: dir, Args: []string{"rev-parse", "--path-format=absolute", "--show-toplevel", "--show-prefix", "--git-common-dir"}})
	lines := strings.Split(out, "\n")
	switch {
	case gitrun.Failed(err) || err == nil && len(lines) != 3:
		return repository{}, &session.Error{Op: op, Kind: session.KindInvalid, Err: errors.New("this directory is in no git repository")}
	case errors.Is(err, exec.ErrNotFound):
		return repository{}, &session.Error{Op: op, Kind: session.KindInvalid, Err: errors.New("there is no git on this machine")}
	case err != nil && gone(dir):
		return repository{}, &session.Error{Op: op, Kind: session.KindInvalid, Err: fmt.Errorf("the directory %s is gone", dir)}
	case err != nil:
		return repository{}, &session.Error{Op: op, Kind: session.KindInternal, Err: err}
	}
	if t.apart(dir) && !t.apart(lines[0]) {
		return repository{}, &session.Error{Op: op, Kind: session.KindInvalid, Err: errors.New("a scratch folder has no project to branch from")}
	}
	r := repository{root: lines[0], below: strings.TrimSuffix(lines[1], "/"), common: lines[2]}
	name := filepath.Base(r.common)
	if name == ".git" {
		name = filepath.Base(filepath.Dir(r.common))
	}
	sum := sha256.Sum256([]byte(r.common))
	r.trees = filepath.Join(t.Home, strings.TrimSuffix(name, ".git")+"-"+hex.EncodeToString(sum[:4]))
	return r, nil
}

// gone reports whether there is nothing under a path.
func gone(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, os.ErrNotExist)
}

// apart reports whether a directory stands below the folder of that name.
func (t Trees) apart(dir string) bool {
	root, err := filepath.EvalSymlinks(t.Apart)
	real, failed := filepath.EvalSymlinks(dir)
	if t.Apart == "" || err != nil || failed != nil {
		return false
	}
	rel, err := filepath.Rel(root, real)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

// Make returns the tree of a name, which it makes with a branch of its own at the commit of dir if there is none; "" for the next free
// name. Files that git does not follow are copied if .worktreeinclude at the top of dir's tree selects them, uncommitted changes come along
// as with says. made reports whether it is new; an error with it says what did not come along.
func (t Trees) Make(ctx context.Context, dir, name string, with Bring) (tree Tree, made bool, err error) {
	const op = "make a worktree"
	r, err := t.find(ctx, op, dir)
	if err != nil {
		return Tree{}, false, err
	}
	if name == "" {
		name = r.free()
	} else if err := check(name); err != nil {
		return Tree{}, false, &session.Error{Op: op, Kind: session.KindInvalid, Err: err}
	}
	tree = r.tree(name)
	if _, err := os.Lstat(tree.Root); err == nil {
		if !t.belongs(ctx, r, tree) {
			return Tree{}, false, &session.Error{Op: op, Kind: session.KindInvalid, Err: fmt.Errorf("%s is no worktree of this repository. Delete it, or take another name", tree.Root)}
		}
		return tree, false, nil
	}
	if !t.has(ctx, r.root, "HEAD") {
		return Tree{}, false, &session.Error{Op: op, Kind: session.KindInvalid, Err: errors.New("this repository has no commit yet that a branch could begin at")}
	}
	if err := os.MkdirAll(r.trees, 0o700); err != nil {
		return Tree{}, false, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	_ = t.unregister(ctx, r, tree) // git still knows one whose folder was deleted without it
	add := []string{"-c", "core.hooksPath=" + os.DevNull, "worktree", "add", "--quiet"}
	if t.has(ctx, r.root, "refs/heads/"+tree.Branch) { // its tree was removed
		add = append(add, tree.Root, tree.Branch)
	} else {
		add = append(add, "-b", tree.Branch, tree.Root, "HEAD")
	}
	if _, err := t.Git.Run(ctx, gitrun.Call{Dir: r.root, Args: add}); err != nil {
		return Tree{}, false, &session.Error{Op: op, Kind: session.KindInvalid, Err: err}
	}
	err = errors.Join(t.bring(ctx, r, tree, with), t.link(ctx, r, tree))
	below := r.below
	if _, err := os.Stat(tree.Dir); err != nil { // not followed by git
		tree.Dir, below = tree.Root, ""
	}
	if t.Carry != nil {
		err = errors.Join(err, t.Carry(ctx, r.root, tree.Root, below))
	}
	if err != nil {
		return tree, true, &session.Error{Op: op, Kind: session.KindDisk, Err: fmt.Errorf("the worktree is there, but not everything came along: %w", err)}
	}
	return tree, true, nil
}

// tree returns the tree of a name, whether or not it is there.
func (r repository) tree(name string) Tree {
	root := filepath.Join(r.trees, name)
	return Tree{Name: name, Root: root, Dir: filepath.Join(root, filepath.FromSlash(r.below)), Branch: prefix + name}
}

// free returns the first name that no tree has.
func (r repository) free() string {
	for n := 1; ; n++ {
		name := "work-" + strconv.Itoa(n)
		if _, err := os.Lstat(filepath.Join(r.trees, name)); err != nil {
			return name
		}
	}
}

// check returns why a name cannot be that of a folder and a branch.
func check(name string) error {
	bad := func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_.", c))
	}
	if len(name) > 60 || strings.ContainsFunc(name, bad) || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") || strings.Contains(name, "..") ||
		strings.HasSuffix(name, ".") || strings.HasSuffix(name, ".lock") {
		return fmt.Errorf("%q is no name for a worktree: use letters, digits, dots, - and _", name)
	}
	return nil
}

// belongs reports whether a folder is a tree of the repository, and not what is left of one, perhaps within another repository.
func (t Trees) belongs(ctx context.Context, r repository, tree Tree) bool {
	out, err := t.Git.Run(ctx, gitrun.Call{Dir: tree.Root, Args: []string{"rev-parse", "--path-format=absolute", "--git-common-dir", "--show-prefix"}})
	common, prefix, _ := strings.Cut(out, "\n")
	return err == nil && common == r.common && prefix == ""
}

// unregister removes a tree without a question.
func (t Trees) unregister(ctx context.Context, r repository, tree Tree) error {
	_, err := t.Git.Run(ctx, gitrun.Call{Dir: r.common, Args: []string{"--git-dir=" + r.common, "worktree", "remove", "--force", tree.Root}})
	return err
}

// has reports whether a reference is there.
func (t Trees) has(ctx context.Context, dir, ref string) bool {
	_, err := t.Git.Run(ctx, gitrun.Call{Dir: dir, Args: []string{"show-ref", "--verify", "--quiet", ref}})
	return err == nil
}

// List returns the trees of the repository around dir, by name, with what they have.
func (t Trees) List(ctx context.Context, dir string) ([]Tree, error) {
	const op = "list worktrees"
	r, err := t.find(ctx, op, dir)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(r.trees)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	var all []Tree
	for _, e := range entries {
		if tree := r.tree(e.Name()); e.IsDir() && check(e.Name()) == nil && t.belongs(ctx, r, tree) {
			all = append(all, t.look(ctx, r, tree))
		}
	}
	slices.SortFunc(all, func(a, b Tree) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// look finds out what a tree has. What git cannot say of it counts as a change: it is not thrown away then.
func (t Trees) look(ctx context.Context, r repository, tree Tree) Tree {
	var errs error
	ask := func(dir string, args ...string) string {
		out, err := t.Git.Run(ctx, gitrun.Call{Dir: dir, Args: args})
		errs = errors.Join(errs, err)
		return out
	}
	tree.Branch = ask(tree.Root, "branch", "--show-current")
	for _, line := range strings.Split(ask(tree.Root, "status", "--porcelain", "-z", "--untracked-files=all"), "\x00") {
		if path, untracked := strings.CutPrefix(line, "?? "); line != "" && !(untracked && t.links(tree, path)) {
			tree.Changed++
		}
	}
	tree.Commit = ask(tree.Root, "rev-parse", "--short", "HEAD")
	tree.Ahead, _ = strconv.Atoi(ask(r.common, "--git-dir="+r.common, "rev-list", "--count", "HEAD.."+ask(tree.Root, "rev-parse", "HEAD")))
	if errs != nil {
		tree.Changed = max(1, tree.Changed)
	}
	return tree
}

// Remove removes a tree and its branch. One with something that nothing else has is an error of kind [session.KindInvalid] that says
// what, unless lose is set; even then the commits of the branch stay in git's own log for a while.
func (t Trees) Remove(ctx context.Context, dir, name string, lose bool) error {
	const op = "remove a worktree"
	r, err := t.find(ctx, op, dir)
	if err != nil {
		return err
	}
	tree := r.tree(name)
	if _, err := os.Lstat(tree.Root); err != nil || check(name) != nil || !t.belongs(ctx, r, tree) {
		return &session.Error{Op: op, Kind: session.KindNotFound, Err: fmt.Errorf("there is no worktree %s", name)}
	}
	tree = t.look(ctx, r, tree)
	if !tree.Idle() && !lose {
		return &session.Error{Op: op, Kind: session.KindInvalid, Err: fmt.Errorf("%s has %s", name, tree.Words())}
	}
	if err := t.unregister(ctx, r, tree); err != nil {
		return &session.Error{Op: op, Kind: session.KindInvalid, Err: err}
	}
	if tree.Branch == prefix+name {
		if _, err := t.Git.Run(ctx, gitrun.Call{Dir: r.common, Args: []string{"--git-dir=" + r.common, "branch", "--quiet", "-D", tree.Branch}}); err != nil {
			return &session.Error{Op: op, Kind: session.KindInvalid, Err: err}
		}
	}
	return nil
}
