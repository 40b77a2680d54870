package cli

import (
	"context"

	"parley/session"
	"parley/session/edits"
	"parley/session/edits/image"
)

// fileChanges are the records of what agents did to files.
type fileChanges struct {
	*edits.Library
	store *image.Store
	kept  bool // whether new changes are recorded
}

// newFileChanges returns the records of all sessions. agents hold what sessions did outside of parley.
func newFileChanges(a *app, agents []session.Agent) fileChanges {
	store := image.New(image.Options{Dir: a.paths.FileImages()})
	o := edits.Options{Dir: a.paths.Edits(), Store: store}
	if a.cfg.Changes.Keep {
		o.Replay = replayer(agents)
	}
	return fileChanges{Library: edits.New(o), store: store, kept: a.cfg.Changes.Keep}
}

// keeper returns what records new changes, nil for nothing.
func (c fileChanges) keeper() session.FileKeeper {
	if !c.kept {
		return nil
	}
	return c.Library
}

// replayer returns what reads the changes of a session from the transcript of its agent.
func replayer(agents []session.Agent) func(context.Context, session.ID) ([]session.ToolEnded, error) {
	return func(ctx context.Context, id session.ID) ([]session.ToolEnded, error) {
		for _, a := range agents {
			r, ok := a.(session.EditReplayer)
			if !ok {
				continue
			}
			ends, err := r.ReplayEdits(ctx, id)
			if session.KindOf(err) == session.KindNotFound {
				continue
			}
			return ends, err
		}
		return nil, nil
	}
}
