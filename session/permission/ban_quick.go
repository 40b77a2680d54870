package permission

import (
	"path/filepath"
	"strings"

	"parley/session/permission/disk"
)

// oneFile compares a rule for files with the file of a call.
func (p bans) oneFile(r *Rule, at *spot, deep bool) likeness {
	all := p.lines[r.Subject]
	if all == nil {
		all = newLineFiles()
		all.add(&touched{deep: deep}, at)
		p.lines[r.Subject] = all
	}
	if like, ok := p.unlikeAll(r.Pattern, all); ok {
		return like
	}
	return p.spotLike(r.Pattern, at, deep)
}

// lineFiles are the files of a line that the rules of a subject are about.
type lineFiles struct {
	files []*touched
	roots []string
	// inside and absolute are the first names of their paths. any means that some have none.
	inside, absolute map[string]bool
	any              bool
	// relative and rooted are the likeness of a pattern whose first name no path has.
	relative, rooted likeness
}

func newLineFiles() *lineFiles {
	return &lineFiles{inside: map[string]bool{}, absolute: map[string]bool{}}
}

func (p bans) filesOf(on Subject, seen *commands) *lineFiles {
	all := newLineFiles()
	if seen.unsure {
		all.relative, all.rooted = maybe, maybe
	}
	for i := range seen.files {
		f := &seen.files[i]
		if on == OnEdit && !f.changes || on == OnRead && !f.reads {
			continue
		}
		if f.spots == nil {
			p.locate(f)
		}
		all.files = append(all.files, f)
		for _, s := range f.spots {
			all.add(f, s)
		}
		if f.lost {
			all.relative, all.rooted = maybe, maybe
		}
	}
	return all
}

func (l *lineFiles) add(f *touched, s *spot) {
	l.roots = s.roots
	if s.unsure {
		l.relative, l.rooted = maybe, maybe
	}
	if f.deep && s.above {
		l.relative = maybe
	}
	for _, path := range s.inside {
		head, _, _ := strings.Cut(path, "/")
		l.inside[head] = true
		l.any = l.any || head == ""
	}
	for _, path := range s.absolute {
		head, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		l.absolute[head] = true
		l.any = l.any || head == "" || path[0] != '/'
	}
}

// unlikeAll returns how a pattern is like the files of a line whose paths all begin with other names than it does. It reports
// false if some may begin so.
func (p bans) unlikeAll(pattern string, all *lineFiles) (likeness, bool) {
	pattern = p.fold(pattern)
	absolute, rooted := p.policy.absolute(pattern)
	path, heads, like := pattern, all.inside, all.relative
	var names []string
	if rooted {
		path, heads, like, names = strings.TrimPrefix(absolute, "/"), all.absolute, all.rooted, []string{absolute}
	}
	head, _, _ := strings.Cut(path, "/")
	if all.any || head == "" || heads[head] || strings.ContainsAny(head, "*?") || rooted && absolute[0] != '/' || all.roots == nil {
		return unlike, false
	}
	return like, rooted && p.isGone(absolute) || !rooted && p.isDirect(pattern, all.roots) || len(p.elsewhere(pattern, names, all.roots)) == 0
}

// isGone reports whether the directory of an absolute pattern is not there.
func (p bans) isGone(absolute string) bool {
	dir, _ := literal(absolute)
	return strings.LastIndexByte(dir, '/') > 0 && p.policy.Disk.Gone(filepath.FromSlash(dir))
}

// isDirect reports whether the first name of a relative pattern is the only one that could be a link, and is none, or is
// absent, in each directory of the session.
func (p bans) isDirect(pattern string, roots []string) bool {
	head, rest, _ := strings.Cut(pattern, "/")
	if head == "" || strings.ContainsAny(head, "*?") {
		return false
	}
	next, _, _ := strings.Cut(rest, "/")
	for _, root := range roots {
		switch p.policy.Disk.Entry(filepath.FromSlash(root), head) {
		case disk.Absent:
		case disk.Plain:
			if next != "" && !strings.ContainsAny(next, "*?") {
				return false
			}
		case disk.Unclear:
			return false
		}
	}
	return true
}
