package builtin

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/permission"
)

// hidden returns a function that reports whether rules about reading keep a file from being read without asking: a denied
// one, or one that is asked about each time. A search must not show what a read would not. It is nil if no rule is about
// that.
func (c *conversation) hidden(ctx context.Context) func(path, real string) permission.Ruling {
	p := c.policy(ctx)
	var rules []permission.Rule
	for _, r := range p.Rules {
		if r.Subject == permission.OnRead && r.Ruling != permission.Allow {
			rules = append(rules, r)
		}
	}
	if len(rules) == 0 {
		return nil
	}
	p.Rules = rules
	// The walk follows no link, so nothing has to be resolved for each file.
	p.Resolve = func(path string) (string, error) { return path, nil }
	there := realDirs(p)
	return func(path, real string) permission.Ruling {
		ruled := permission.Allow
		for _, d := range []permission.Decision{readOf(p, path), readOf(there, real)} {
			if d.Rule != nil && (d.Ruling == permission.Deny || ruled == permission.Allow) {
				ruled = d.Ruling
			}
		}
		return ruled
	}
}

// readOf rules on reading a file.
func readOf(p permission.Policy, path string) permission.Decision {
	return p.Decide(readTool.kind, session.PermissionAsk{Tool: readTool.name, Path: path})
}

// searched is a search below a place that leaves out what rules hide.
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
	return "(left out " + human.Count(s.left, "file", "files") + ": the user's rules do not let a search show what is in them)\n"
}
