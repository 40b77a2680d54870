package lsp

import (
	"context"

	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Open returns the pool of a conversation, nil if there are no servers. All methods do nothing then.
func Open(w *tool.Workspace, o *Options, notice func(text string)) *Pool {
	if o == nil || o.Off {
		return nil
	}
	return New(w, *o, notice)
}

// BeforeCall lets servers know what a call is about to change.
func (p *Pool) BeforeCall(ctx context.Context, t *tool.Tool, j *tool.Job) {
	if p == nil || t.Kind != toolview.Edit || j.Place.Path == "" {
		return
	}
	paths := []string{j.Place.Path}
	for _, m := range j.More {
		paths = append(paths, m.Path)
	}
	p.Before(ctx, paths)
}

// AfterCall returns the outcome of a call with what servers say of its edits.
func (p *Pool) AfterCall(ctx context.Context, t *tool.Tool, out tool.Outcome) tool.Outcome {
	if p == nil || out.Result.Background {
		return out
	}
	if t.Kind == toolview.Command {
		p.Touched()
	}
	return p.After(ctx, out.Edits).addTo(out)
}
