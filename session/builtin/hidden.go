package builtin

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/permission"
)

// hidden returns a function that rules on reading a file that a search meets: a search must not show what a read would not.
// It takes the path as written and with its links resolved. It is nil where everything may be read.
func (c *conversation) hidden(ctx context.Context) func(path, real string) permission.Ruling {
	p := c.policy(ctx)
	if p.Mode == session.ModeBypass && !slices.ContainsFunc(p.Rules, func(r permission.Rule) bool { return r.Ruling == permission.Deny }) {
		return nil
	}
	// The walk follows no link, so nothing has to be resolved for each file.
	p.Resolve = func(path string) (string, error) { return path, nil }
	there := realDirs(p)
	linked := !slices.Equal(p.Dirs, there.Dirs)
	return func(path, real string) permission.Ruling {
		ruled := readOf(p, path).Ruling
		if ruled == permission.Deny || path == real && !linked {
			return ruled
		}
		if more := readOf(there, real).Ruling; more == permission.Deny || ruled == permission.Allow {
			return more
		}
		return ruled
	}
}

// readOf rules on reading a file.
func readOf(p permission.Policy, path string) permission.Decision {
	return p.Decide(readTool.kind, session.PermissionAsk{Tool: readTool.name, Path: path})
}

// searched is a search below a place that leaves out what may not be read without asking.
type searched struct {
	top   place
	hides func(path, real string) permission.Ruling
	// asks means that the user was asked about the place itself, so that files are left out only if they are denied.
	asks bool
	left int // files left out
}

func (w *workspace) search(ctx context.Context, top place) *searched {
	s := &searched{top: top}
	if w.hidden != nil {
		s.hides = w.hidden(ctx)
	}
	s.asks = s.hides != nil && s.hides(top.path, top.real) == permission.Ask
	return s
}

// walk calls visit for the files that may be read; see [walk].
func (s *searched) walk(ctx context.Context, visit visitor) (whole bool, err error) {
	return walk(ctx, s.top, func(path string, in *os.Root, d fs.DirEntry) bool {
		if s.hide(path) {
			s.left++
			return true
		}
		return visit(path, in, d)
	})
}

// hide reports whether a file below the place is left out.
func (s *searched) hide(path string) bool {
	if s.hides == nil {
		return false
	}
	ruled := s.hides(path, filepath.Join(s.top.real, strings.TrimPrefix(path, s.top.path)))
	return ruled == permission.Deny || ruled == permission.Ask && !s.asks
}

// note returns a line about the files that were left out, "" for none.
func (s *searched) note() string {
	if s.left == 0 {
		return ""
	}
	return "(left out " + human.Count(s.left, "file", "files") + ", which may not be read without asking)\n"
}
