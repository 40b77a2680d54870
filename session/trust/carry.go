package trust

import (
	"context"
	"path/filepath"
	"strings"

	"parley/session"
)

// Carry takes the user's yes over to another working tree of the same repository. from and to are the tops of the two trees, below is a
// directory in both, "" for the tops. The directory in the new tree has to bring exactly what the user agreed to, in the same places; a
// decision about it stays. What cannot be read is not trusted, and asked about.
func (s *Store) Carry(ctx context.Context, from, to, below string) error {
	from, err := realPath(from)
	if err != nil {
		return &session.Error{Op: "trust a worktree", Kind: session.KindNotFound, Err: err}
	}
	if to, err = realPath(to); err != nil {
		return &session.Error{Op: "trust a worktree", Kind: session.KindNotFound, Err: err}
	}
	was, now := filepath.Join(from, below), filepath.Join(to, below)
	d, said := s.read(was)
	if _, decided := s.read(now); !said || !d.Trusted || decided {
		return nil
	}
	l, err := s.list(ctx, now)
	if err != nil {
		return err
	}
	if len(l.items) == 0 || l.moved(to, from).sum() != d.Sum {
		return nil
	}
	if err := s.write(decision{Dir: now, Sum: l.sum(), Trusted: true, At: s.o.Now().UTC()}); err != nil {
		return &session.Error{Op: "trust a worktree", Kind: session.KindDisk, Err: err}
	}
	return nil
}

// moved returns the list as it would be if the files below one directory stood below another.
func (l *list) moved(from, to string) *list {
	path := func(p string) string {
		if rel, err := filepath.Rel(from, p); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(to, rel)
		}
		return p
	}
	out := &list{}
	for _, i := range l.items {
		i.Path = path(i.Path)
		out.items = append(out.items, i)
	}
	for _, h := range l.hidden { // kind, name, path and more
		if parts := strings.SplitN(h, "\x00", 4); len(parts) == 4 {
			parts[2] = path(parts[2])
			h = strings.Join(parts, "\x00")
		}
		out.hidden = append(out.hidden, h)
	}
	return out
}
