package files

import (
	"context"

	"parley/session/builtin/tool"
)

// Content is a new content of an existing file.
type Content struct {
	At            tool.Place
	Before, After []byte
}

// Replace returns a job that gives files new contents, all of them or none. first is the file that the call names; plan finds
// out which files change, first being the first of them. Errors of plan are for the model.
func Replace(w *tool.Workspace, first tool.Place, plan func(context.Context) ([]Content, error)) *tool.Job {
	var j *tool.Job
	j = change(w, []tool.Place{first}, func(ctx context.Context) ([]revision, error) {
		list, err := plan(ctx)
		if err != nil {
			return nil, err
		}
		all := make([]revision, len(list))
		for i, c := range list {
			all[i] = revision{at: c.At, before: c.Before, after: c.After, part: !w.Files.Whole(c.At.Path)}
			if i > 0 {
				j.More = append(j.More, c.At)
			}
		}
		return all, nil
	})
	return j
}
