package handover

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"parley/internal/gitrun"
)

// Local knows and pushes the work of directories. [Git] is one.
type Local interface {
	Look(ctx context.Context, dir string) (Work, error)
	Push(ctx context.Context, w Work, p Push) (Pushed, error)
}

// Git runs git. It is safe for concurrent use.
type Git struct{ gitrun.Git }

// Work describes the commits and changes of a work tree that its remotes do not have.
type Work struct {
	// Root is the top of the work tree, absolute.
	Root string
	// Branch is checked out, empty for none. Upstream is the branch of Remote that it follows, if that is there.
	Branch, Upstream string
	// Remote is the remote of Branch, else "origin", else the only one; empty without one.
	Remote string
	// Default is the default branch of Remote, empty if unknown.
	Default string
	// Remotes are the remotes with the repositories that they name.
	Remotes []Remote
	// Unborn reports that nothing is committed yet. Unpushed is the number of commits that no branch of Remote has.
	Unborn   bool
	Unpushed int
	// Changed are the paths of changed and deleted files that git follows, New those of files that it does not, without
	// ignored ones and repositories within this one. They are relative to Root and in the order of git.
	Changed, New []string
	// Conflicts are the paths with unresolved conflicts.
	Conflicts []string
}

// Remote is a remote with the repository of its address, "owner/name"; empty if the address names none.
type Remote struct{ Name, Repository string }

// errNoRepository reports that a directory is not within a work tree of git.
var errNoRepository = errors.New("this directory is not in a git repository")

// Clean reports whether the remote has everything.
func (w Work) Clean() bool {
	return w.Unpushed == 0 && len(w.Changed)+len(w.New)+len(w.Conflicts) == 0
}

// Base returns the branch from which work begins unless the user says otherwise: the one that the branch follows, else the
// default branch; empty if neither is known.
func (w Work) Base() string {
	if w.Upstream != "" {
		return w.Upstream
	}
	return w.Default
}

// remoteOf returns the remote of a repository ("owner/name"), the one of the branch before others.
func (w Work) remoteOf(repository string) (name string, ok bool) {
	for _, r := range w.Remotes {
		if strings.EqualFold(r.Repository, repository) && repository != "" && (!ok || r.Name == w.Remote) {
			name, ok = r.Name, true
		}
	}
	return name, ok
}

// Look returns what a work tree has that its remotes lack. It compares with what was last fetched and asks no remote.
func (g Git) Look(ctx context.Context, dir string) (Work, error) {
	root, err := g.Run(ctx, gitrun.Call{Dir: dir, Args: []string{"rev-parse", "--show-toplevel"}})
	if gitrun.Failed(err) {
		return Work{}, errNoRepository
	} else if err != nil {
		return Work{}, err
	}
	w := Work{Root: root}
	status, err := g.Run(ctx, gitrun.Call{Dir: root, Args: []string{"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignore-submodules=dirty"}})
	if err != nil {
		return Work{}, err
	}
	upstream := w.readStatus(status)
	remotes, err := g.Run(ctx, gitrun.Call{Dir: root, Args: []string{"remote", "-v"}})
	if err != nil {
		return Work{}, err
	}
	w.Remotes = parseRemotes(remotes)
	if slices.ContainsFunc(w.Remotes, func(r Remote) bool { return r.Repository == "" }) {
		// The address may name a repository before the user's configuration replaces it.
		written, err := g.Run(ctx, gitrun.Call{Dir: root, Args: []string{"config", "-z", "--get-regexp", `^remote\..*\.url$`}})
		if err != nil && !gitrun.Failed(err) {
			return Work{}, err
		}
		w.nameRemotes(written)
	}
	w.chooseRemote(upstream)
	if w.Remote == "" {
		return w, nil
	}
	if head, err := g.Run(ctx, gitrun.Call{Dir: root, Args: []string{"symbolic-ref", "--short", "refs/remotes/" + w.Remote + "/HEAD"}}); err == nil {
		w.Default = strings.TrimPrefix(head, w.Remote+"/")
	} else if !gitrun.Failed(err) {
		return Work{}, err
	}
	if w.Unborn {
		return w, nil
	}
	count, err := g.Run(ctx, gitrun.Call{Dir: root, Args: []string{"rev-list", "--count", "HEAD", "--not", "--remotes=" + w.Remote}})
	if err != nil {
		return Work{}, err
	}
	w.Unpushed, err = strconv.Atoi(count)
	return w, err
}

// chooseRemote fills in Remote and Upstream. upstream is "remote/branch", empty for none.
func (w *Work) chooseRemote(upstream string) {
	for _, r := range w.Remotes {
		if branch, ok := strings.CutPrefix(upstream, r.Name+"/"); ok && len(r.Name) > len(w.Remote) {
			w.Remote, w.Upstream = r.Name, branch
		}
	}
	if w.Remote != "" {
		return
	}
	for _, r := range w.Remotes {
		if r.Name == "origin" || len(w.Remotes) == 1 {
			w.Remote = r.Name
		}
	}
}

// readStatus reads the porcelain output of git status and returns the upstream that is there, "" for none.
func (w *Work) readStatus(out string) (upstream string) {
	gone := true
	fields := strings.Split(out, "\x00")
	for i := 0; i < len(fields); i++ {
		line := fields[i]
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "#":
			key, value, _ := strings.Cut(rest, " ")
			switch key {
			case "branch.oid":
				w.Unborn = value == "(initial)"
			case "branch.head":
				if value != "(detached)" {
					w.Branch = value
				}
			case "branch.upstream":
				upstream = value
			case "branch.ab": // it is missing if the upstream is
				gone = false
			}
		case "1":
			w.Changed = append(w.Changed, afterFields(rest, 7))
		case "2": // a rename, with the old path behind it
			w.Changed = append(w.Changed, afterFields(rest, 8))
			i++
		case "u":
			w.Conflicts = append(w.Conflicts, afterFields(rest, 9))
		case "?":
			if !strings.HasSuffix(rest, "/") { // a repository within this one
				w.New = append(w.New, rest)
			}
		}
	}
	if gone {
		return ""
	}
	return upstream
}

// afterFields returns a text without its first fields, each of which ends with a space.
func afterFields(s string, n int) string {
	for range n {
		_, s, _ = strings.Cut(s, " ")
	}
	return s
}

// parseRemotes reads the output of git remote -v: a name, a tab, an address, and "(push)" or "(fetch)".
func parseRemotes(out string) (all []Remote) {
	for line := range strings.Lines(out) {
		name, rest, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		address, _, fetch := strings.Cut(rest, " (fetch)")
		if ok && fetch {
			all = append(all, Remote{name, repositoryOf(address)})
		}
	}
	return all
}

// nameRemotes fills in the repositories that the addresses in the configuration name: a key, a line break and an address each.
func (w *Work) nameRemotes(out string) {
	for entry := range strings.SplitSeq(out, "\x00") {
		key, address, _ := strings.Cut(entry, "\n")
		name := strings.TrimSuffix(strings.TrimPrefix(key, "remote."), ".url")
		for i := range w.Remotes {
			if r := &w.Remotes[i]; r.Name == name && r.Repository == "" {
				r.Repository = repositoryOf(address)
			}
		}
	}
}

// repositoryOf returns the repository of a remote's address as "owner/name", "" if it names none. Addresses are such as
// https://github.com/octo/app.git and git@github.com:octo/app.
func repositoryOf(address string) string {
	rest := address
	if _, after, ok := strings.Cut(address, "://"); ok {
		if _, rest, ok = strings.Cut(after, "/"); !ok {
			return ""
		}
	} else if host, after, ok := strings.Cut(address, ":"); ok && !strings.Contains(host, "/") {
		rest = after
	} else {
		return "" // a path of this machine
	}
	owner, name, ok := strings.Cut(strings.TrimSuffix(strings.Trim(rest, "/"), ".git"), "/")
	if !ok || !isRepository(owner+"/"+name) {
		return ""
	}
	return owner + "/" + name
}

// isRepository reports whether a text has the form "owner/name".
func isRepository(s string) bool {
	owner, name, ok := strings.Cut(s, "/")
	plain := func(s string) bool {
		return s != "" && s != "." && s != ".." && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
	}
	return ok && plain(owner) && plain(name)
}
