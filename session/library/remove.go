package library

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"parley/session"
	"parley/session/scratch"
)

// KeptError refuses to remove a session because its agent stores it too.
type KeptError struct {
	ID session.ID
	// Agent is the agent's name.
	Agent string
	// Paths are what the agent stores.
	Paths []string
}

// Error returns the session and the agent.
func (e *KeptError) Error() string {
	return fmt.Sprintf("the agent %s stores session %s too", e.Agent, e.ID)
}

// Removal is what [Library.Remove] deletes besides the journal of a session.
type Removal struct {
	// Agent is the agent that stores the session too, Paths are what it stores; "" and nil if none does.
	Agent string
	Paths []string
	// Folder is the scratch folder that goes with the session, "" for none.
	Folder string
}

// Removal returns what [Library.Remove] would delete, and deletes nothing. The error is of kind [session.KindLocked] if the session
// is in use, here, in another parley or in its agent's own program, and of kind [session.KindNotFound] if nothing of it is stored on
// this machine.
func (l *Library) Removal(ctx context.Context, id session.ID) (Removal, error) {
	agent, remover, paths := l.keptBy(ctx, id)
	if err := l.inUse(ctx, id, remover); err != nil {
		return Removal{}, err
	}
	if j, ok := l.o.Journals.(session.PromptJournals); ok && remover == nil && !j.Has(id) {
		return Removal{}, fail(opRemove, session.KindNotFound, "nothing of it is stored on this machine")
	}
	return Removal{agent, paths, l.folder(ctx, id)}, nil
}

const opRemove = "remove session"

// inUse returns an error if a session is open, or that of a program that parley does not drive, which would list it again.
func (l *Library) inUse(ctx context.Context, id session.ID, remover session.Remover) error {
	for _, a := range l.agents(ctx, id) { // without asking a service
		if d, can := a.(session.Describer); can && session.Foreign(a.Name()) {
			if _, err := d.Describe(ctx, id); err == nil {
				return fail(opRemove, session.KindNotFound, "%s has it, and parley deletes nothing there", session.AgentTitle(a.Name()))
			}
		}
	}
	if pid, held := l.Holder(ctx, id); held {
		if pid == os.Getpid() {
			return &session.Error{Op: opRemove, Kind: session.KindLocked, Err: openHere{}}
		}
		return fail(opRemove, session.KindLocked, "another parley has it open (pid %d): close it there first", pid)
	}
	if remover != nil {
		if pids := remover.Users(id); len(pids) > 0 {
			return fail(opRemove, session.KindLocked, "the agent's own program has it open (pid %d): end it there first", pids[0])
		}
	}
	return nil
}

// openHere is the error that this process itself has a session open.
type openHere struct{}

// Error returns the reason.
func (openHere) Error() string { return "it is open here" }

// Words returns the texts of the problem; see [session.ProblemOf].
func (openHere) Words() (what, next string) {
	return "It is open in another tab: stop it there first.", "/tabs shows it."
}

// Remove deletes a session that is not in use, neither here nor, if kept is set, in its agent's own program. What its agent stores
// itself is deleted only if kept is set; otherwise nothing is deleted and the error is a [*KeptError]. Other errors are those of
// [Library.Removal], the journals and the agent.
func (l *Library) Remove(ctx context.Context, id session.ID, kept bool) error {
	agent, remover, paths := l.keptBy(ctx, id)
	if remover != nil && !kept {
		return &KeptError{ID: id, Agent: agent, Paths: paths}
	}
	if err := l.inUse(ctx, id, remover); err != nil {
		return err
	}
	folder := l.folder(ctx, id)
	// The journal goes first: that of a session in use is refused, and then everything stays.
	err := l.o.Journals.Remove(ctx, id)
	if remover != nil && (err == nil || session.KindOf(err) == session.KindNotFound) {
		err = remover.Remove(ctx, id)
	}
	if err == nil && folder != "" {
		err = l.o.Scratch.Remove(folder)
	}
	if err == nil && l.o.Files != nil {
		err = l.o.Files.Remove(ctx, id)
	}
	if err == nil && l.o.Marks != nil {
		err = l.o.Marks.Forget(id)
	}
	if err == nil && l.o.Index != nil {
		_ = l.o.Index.Remove(ctx, id) // else the next update does
	}
	return err
}

// keptBy returns the agent that stores a session itself, and where; a nil remover if there is none.
func (l *Library) keptBy(ctx context.Context, id session.ID) (agent string, remover session.Remover, paths []string) {
	for _, a := range l.agents(ctx, id) {
		if r, ok := a.(session.Remover); ok {
			if paths, err := r.Kept(ctx, id); err == nil && len(paths) > 0 {
				return a.Name(), r, paths
			}
		}
	}
	return "", nil, nil
}

// folder returns the scratch folder in which a session works and no other one does, nor below it, "" if there is none or that is not known.
func (l *Library) folder(ctx context.Context, id session.ID) string {
	if l.o.Scratch.Root == "" {
		return ""
	}
	if _, err := os.Stat(l.o.Scratch.Root); err != nil {
		return ""
	}
	all, err := l.o.Journals.List(ctx)
	dir := ""
	for _, m := range all {
		if m.ID == id {
			dir = m.Dir
		}
	}
	if err != nil || !l.o.Scratch.Has(dir) {
		return ""
	}
	for _, a := range l.o.Agents { // which list what was started there without parley
		if r, ok := a.(session.Replayer); ok && !session.Foreign(a.Name()) {
			own, err := r.Sessions(ctx)
			if err != nil {
				return ""
			}
			all = append(all, own...)
		}
	}
	if slices.ContainsFunc(all, func(m session.Meta) bool { return m.ID != id && worksIn(m, dir) }) {
		return ""
	}
	return dir
}

// worksIn reports whether a session works in a scratch folder or below it.
func worksIn(m session.Meta, folder string) bool {
	return slices.ContainsFunc(append([]string{m.Dir}, m.Dirs...), func(dir string) bool { return scratch.Holds(folder, dir) })
}

// Forsake deletes a scratch folder that nothing was written to and no session works in.
func (l *Library) Forsake(ctx context.Context, dir string) {
	all, err := l.o.Journals.List(ctx)
	if err == nil && !slices.ContainsFunc(all, func(m session.Meta) bool { return worksIn(m, dir) }) {
		l.o.Scratch.Drop(dir)
	}
}

// SweepScratch deletes empty scratch folders of processes that were killed. All are all sessions that there were a while ago.
func (l *Library) SweepScratch(ctx context.Context, all []session.Meta) {
	l.o.Scratch.Sweep(time.Now(), func(dir string) bool {
		here := func(m session.Meta) bool { return worksIn(m, dir) }
		if slices.ContainsFunc(all, here) {
			return true
		}
		now, err := l.o.Journals.List(ctx)
		return err != nil || slices.ContainsFunc(now, here)
	})
}
