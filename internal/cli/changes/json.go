package changes

import (
	"context"
	"fmt"
	"time"

	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
)

// changeJSON is a change as JSON.
type changeJSON struct {
	ID      changes.ChangeID `json:"id"`
	Turn    int              `json:"turn,omitempty"` // its number
	TurnID  session.TurnID   `json:"turnId,omitempty"`
	Call    session.CallID   `json:"call,omitempty"`
	Child   session.ChildID  `json:"child,omitempty"`
	Tool    string           `json:"tool,omitempty"`
	Command string           `json:"command,omitempty"`
	Model   string           `json:"model,omitempty"`
	At      *time.Time       `json:"at,omitempty"`
	Path    string           `json:"path"`
	Before  stateJSON        `json:"before"`
	After   stateJSON        `json:"after"`
	Status  changes.Status   `json:"status"`
	Added   int              `json:"added"`
	Removed int              `json:"removed"`
	Patch   string           `json:"patch,omitempty"`
	Note    string           `json:"note,omitempty"`
	Unsure  string           `json:"unsure,omitempty"`
}

// stateJSON is the file at a path at one time, as JSON.
type stateJSON struct {
	Kind   snapshot.Kind `json:"kind"`
	Mode   string        `json:"mode,omitempty"` // octal
	Size   int64         `json:"size,omitempty"`
	SHA256 string        `json:"sha256,omitempty"`
	Target string        `json:"target,omitempty"`
	Unkept string        `json:"unkept,omitempty"`
}

func stateOf(s snapshot.State) stateJSON {
	out := stateJSON{Kind: s.Kind, Size: s.Size, SHA256: s.Sum, Target: s.Target, Unkept: s.Unkept}
	if s.Kind == snapshot.File {
		out.Mode = fmt.Sprintf("%04o", s.Mode.Perm())
	}
	return out
}

// PrintJSON prints all changes, also those that are undone.
func (s *Session) PrintJSON(ctx context.Context, changes []changes.Change) error {
	all := []changeJSON{}
	for _, c := range changes {
		d, err := s.compare(ctx, c.Path, c.Before, c.After)
		if err != nil {
			return err
		}
		one := changeJSON{ID: c.ID, Turn: s.Number(c.Turn), TurnID: c.Turn, Call: c.Call, Child: c.Child, Tool: c.Tool, Command: c.Command,
			Model: c.Model, Path: c.Path, Before: stateOf(c.Before), After: stateOf(c.After), Status: c.Status, Added: d.Added,
			Removed: d.Removed, Patch: d.Patch, Note: d.Note, Unsure: c.Unsure}
		if !c.At.IsZero() {
			at := c.At.UTC()
			one.At = &at
		}
		all = append(all, one)
	}
	return s.Out.JSON(all)
}
