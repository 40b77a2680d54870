package live

import (
	"context"
	"fmt"

	"parley/session"
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

// Remove deletes a session that is not in use, neither here nor, if kept is set, in its agent's own program. What its agent stores itself is deleted only if kept is set; otherwise nothing
// is deleted and the error is a [*KeptError]. Other errors are those of the journals and the agent.
func (m *Manager) Remove(ctx context.Context, id session.ID, kept bool) error {
	agent, remover, paths := m.keptBy(ctx, id)
	if remover != nil && !kept {
		return &KeptError{ID: id, Agent: agent, Paths: paths}
	}
	if remover != nil {
		if pids := remover.Users(id); len(pids) > 0 {
			return &session.Error{Op: "remove session", Kind: session.KindLocked,
				Err: fmt.Errorf("the agent's own program has it open (pid %d): end it there first", pids[0])}
		}
	}
	// The journal goes first: that of a session in use is refused, and then everything stays.
	err := m.d.Journals.Remove(ctx, id)
	if remover != nil && (err == nil || session.KindOf(err) == session.KindNotFound) {
		err = remover.Remove(ctx, id)
	}
	if err == nil && m.d.Files != nil {
		err = m.d.Files.Remove(ctx, id)
	}
	return err
}

// keptBy returns the agent that stores a session itself, and where; a nil remover if there is none.
func (m *Manager) keptBy(ctx context.Context, id session.ID) (agent string, remover session.Remover, paths []string) {
	for _, a := range m.d.Agents {
		if r, ok := a.(session.Remover); ok {
			if paths, err := r.Kept(ctx, id); err == nil && len(paths) > 0 {
				return a.Name(), r, paths
			}
		}
	}
	return "", nil, nil
}
