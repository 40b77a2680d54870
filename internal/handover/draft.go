package handover

import (
	"strings"

	"parley/internal/human"
	"parley/session"
)

// Draft is work that is about to be handed over, as the user edits it.
type Draft struct {
	// Statement is the statement of the problem, in markdown.
	Statement string
	// Target is where the work is done. Its base counts unless something is pushed.
	Target session.RemoteTarget
	// Work is the work that the service does not have, nil where that is not known.
	Work *Work
	// Send is the push that comes first and becomes the base; nil leaves everything here.
	Send *Include
	// Suffix tells the branch to push from others.
	Suffix string
}

// Take takes what is known of the work tree. Work begins from the branch that it follows, if that is in the repository.
func (d *Draft) Take(w Work) {
	d.Work = &w
	if _, known := w.remoteOf(d.Target.Repository); known && w.Base() != "" {
		d.Target.Base = w.Base()
	}
}

// Choice is one way to handle work that the service does not have. A nil Send leaves it here.
type Choice struct {
	Send  *Include
	Label string
}

// Choices returns what can be done with the work that the service does not have, the harmless first; nil without such work.
func (d *Draft) Choices() []Choice {
	w := d.Work
	if w == nil || w.Clean() {
		return nil
	}
	all := []Choice{{nil, "leave it here"}}
	if w.Unborn || len(w.Conflicts) > 0 || len(w.Remotes) == 0 {
		return all
	}
	add := func(i Include, label string) { all = append(all, Choice{&i, label}) }
	if w.Unpushed > 0 {
		add(Commits, "push the commits on a new branch")
	}
	if len(w.Changed) > 0 {
		add(Changes, "push commits and changed files on a new branch")
	}
	if len(w.New) > 0 {
		add(Files, "push everything, new files too, on a new branch")
	}
	return all
}

// At returns the index of the present choice.
func (d *Draft) At() int {
	for i, c := range d.Choices() {
		if d.Send != nil && c.Send != nil && *d.Send == *c.Send {
			return i
		}
	}
	return 0
}

// Missing names what the service does not have, "" for nothing.
func (d *Draft) Missing() string {
	w := d.Work
	if w == nil || w.Clean() {
		return ""
	}
	var parts []string
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, human.Count(n, one, many))
		}
	}
	add(w.Unpushed, "commit", "commits")
	add(len(w.Changed), "changed file", "changed files")
	add(len(w.New), "new file", "new files")
	add(len(w.Conflicts), "file with conflicts", "files with conflicts")
	return strings.Join(parts, ", ")
}

// Names returns the files of the work that the present choice pushes, or leaves here, in the order of git.
func (d *Draft) Names() []string {
	w := d.Work
	switch {
	case w == nil:
		return nil
	case len(w.Conflicts) > 0:
		return w.Conflicts
	case d.Send == nil, *d.Send == Files:
		return append(w.Changed[:len(w.Changed):len(w.Changed)], w.New...)
	case *d.Send == Changes:
		return w.Changed
	}
	return nil
}

// Branch returns the branch that is pushed, "" if nothing is.
func (d *Draft) Branch() string {
	if d.Send == nil {
		return ""
	}
	return branchName(d.Statement, d.Suffix)
}

// Field is a field of a draft.
type Field int

// The fields.
const (
	NoField Field = iota
	StatementField
	RepositoryField
	BaseField
	WorkField
)

// Problem returns what is wrong with the draft and the field it is in; "" if it can be handed over.
func (d *Draft) Problem() (Field, string) {
	switch {
	case strings.TrimSpace(d.Statement) == "":
		return StatementField, "Write what is to be done"
	case d.Target.Repository == "":
		return RepositoryField, "Name a repository on GitHub, as owner/name"
	case !isRepository(d.Target.Repository):
		return RepositoryField, "This is not owner/name"
	case d.Send == nil && d.Target.Base != "" && !isBranch(d.Target.Base):
		return BaseField, "This can't be the name of a branch"
	}
	if d.Send != nil {
		if _, ok := d.Work.remoteOf(d.Target.Repository); !ok {
			return WorkField, "No remote of this directory is " + d.Target.Repository + ", so nothing can be pushed there"
		}
	}
	return NoField, ""
}

// Push returns the branch to push first, false if there is none.
func (d *Draft) Push() (Push, bool) {
	if d.Send == nil {
		return Push{}, false
	}
	remote, _ := d.Work.remoteOf(d.Target.Repository)
	subject := session.Subject(strings.TrimLeft(d.Statement, "# \n\t"))
	return Push{Remote: remote, Branch: d.Branch(), Include: *d.Send, Message: "Work in progress: " + subject}, true
}

// Prompt returns the prompt to send. base is the branch that was pushed, empty if none was.
func (d *Draft) Prompt(base string) session.Prompt {
	t := d.Target
	if base != "" {
		t.Base = base
	}
	return session.Prompt{Text: strings.TrimSpace(d.Statement), Target: &t}
}
