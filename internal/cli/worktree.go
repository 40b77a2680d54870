package cli

import (
	"context"
	"errors"
	"time"

	"parley/internal/cli/command"
	"parley/internal/gitrun"
	"parley/session"
	"parley/session/scratch"
	"parley/session/trust"
	"parley/session/worktree"
)

// newTree is the value of --worktree without a name. No name may be like it.
const newTree = "+"

// trees makes working trees of git.
func (s *services) trees(a *app) *worktree.Trees {
	return &worktree.Trees{Git: gitrun.Git{Group: s.processes, Environ: a.environ}, Home: a.paths.Worktrees(), Apart: a.paths.Scratch(), Links: a.cfg.WorktreeLinks,
		Carry: func(ctx context.Context, from, to, below string) (errs error) {
			_, claude := a.decisions()
			_, copilot := a.copilotDecisions()
			for _, said := range []*trust.Store{a.instructed(), claude, copilot} {
				errs = errors.Join(errs, said.Carry(ctx, from, to, below))
			}
			return errs
		}}
}

// workIn returns the directory to work in: a new scratch folder or that of the working tree that the flags name, which is made if it is
// not there, else dir. A note says where a tree is.
func (s *services) workIn(ctx context.Context, a *app, f rootFlags, dir string) (in, note string, err error) {
	if f.scratch {
		folders := scratch.Folders{Root: a.paths.Scratch()}
		if dir, err = folders.Make(time.Now()); err == nil {
			a.closing.add(folders.Take(dir))
		}
		s.scratch = dir
		return dir, "", err
	}
	if f.tree == "" {
		return dir, "", nil
	}
	name := f.tree
	if name == newTree {
		name = ""
	}
	tree, made, err := s.trees(a).Make(ctx, dir, name, worktree.Nothing)
	if err != nil && !made {
		if session.KindOf(err) == session.KindInvalid {
			return "", "", command.Usagef("--worktree: %w", err)
		}
		return "", "", err
	}
	note = "Branch " + tree.Branch + " in " + tree.Root
	if err != nil {
		note += "; " + err.Error()
	}
	return tree.Dir, note, nil
}
