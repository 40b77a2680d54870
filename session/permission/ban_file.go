package permission

import (
	"path/filepath"
	"strings"

	"parley/session/permission/disk"
)

// spot is a path as rules that deny or ask compare it: by its text and by where its links lead.
type spot struct {
	absolute []string
	inside   []string // relative to each directory of the session that it lies in
	roots    []string // these directories, by their text and by where their links lead
	above    bool     // a directory of the session lies below it
	unsure   bool     // it may lead elsewhere
}

// spotOf returns the spot of a path, a relative one below the session's first directory.
func (p bans) spotOf(path string) *spot {
	if !filepath.IsAbs(path) {
		if len(p.policy.Dirs) == 0 {
			return &spot{unsure: true}
		}
		path = filepath.Join(p.policy.Dirs[0], path)
	}
	s := &spot{}
	text := filepath.Clean(path)
	real, ok := p.policy.Disk.Real(path)
	if !ok {
		s.unsure = true
		if real, ok = p.policy.Disk.Real(text); !ok {
			real = text
		}
	}
	s.absolute = unique(p.fold(text), p.fold(real))
	for _, dir := range p.policy.Dirs {
		s.roots = append(s.roots, unique(p.fold(filepath.Clean(dir)), p.fold(p.realOr(dir)))...)
	}
	for _, root := range s.roots {
		for _, at := range s.absolute {
			if at == root {
				s.inside = append(s.inside, "")
			} else if rel, ok := strings.CutPrefix(at, strings.TrimSuffix(root, "/")+"/"); ok {
				s.inside = append(s.inside, rel)
			}
			s.above = s.above || strings.HasPrefix(root, strings.TrimSuffix(at, "/")+"/")
		}
	}
	return s
}

func unique(a, b string) []string {
	if a == b {
		return []string{a}
	}
	return []string{a, b}
}

// spotLike compares the pattern of a rule that denies or asks with a spot. A pattern also stands for all that is below what
// it names, in every directory of the session. deep reports whether what is below the spot counts too.
func (p bans) spotLike(pattern string, s *spot, deep bool) likeness {
	like := unlike
	if s.unsure {
		like = maybe
	}
	pattern = p.fold(pattern)
	absolute, ok := p.policy.absolute(pattern)
	if ok {
		like = max(like, compare(absolute, s.absolute, deep))
		return p.throughLinks(pattern, []string{absolute}, s, deep, like)
	}
	if deep && s.above {
		like = max(like, maybe)
	}
	if like = max(like, compare(pattern, s.inside, deep)); like == alike {
		return alike
	}
	if dir, rest := literal(pattern); dir == "" && strings.ContainsAny(rest, "*?") {
		return like // it names nothing that could be a link
	}
	return p.throughLinks(pattern, nil, s, deep, like)
}

// throughLinks compares a pattern that itself leads through links; a relative one has no absolute form.
func (p bans) throughLinks(pattern string, absolute []string, s *spot, deep bool, like likeness) likeness {
	if like == alike {
		return like
	}
	for _, other := range p.elsewhere(pattern, absolute, s.roots) {
		like = max(like, compare(other, s.absolute, deep))
	}
	return like
}

// elsewhere returns the patterns to which a pattern leads through links, looked up once.
func (p bans) elsewhere(pattern string, absolute, roots []string) []string {
	others, ok := p.found[pattern]
	if ok {
		return others
	}
	if absolute == nil && !p.isDirect(pattern, roots) {
		for _, root := range roots {
			absolute = append(absolute, root+"/"+pattern)
		}
	}
	for _, a := range absolute {
		others = append(others, p.otherNames(a)...)
	}
	p.found[pattern] = others
	return others
}

// otherNames returns the patterns to which a pattern leads through links.
func (p bans) otherNames(absolute string) (others []string) {
	dir, rest := literal(absolute)
	real, sure, there := p.policy.Disk.Find(filepath.FromSlash(dir))
	if !there {
		return nil
	}
	if sure && p.fold(real) != dir {
		others = append(others, strings.TrimSuffix(p.fold(real), "/")+"/"+rest)
	}
	if strings.ContainsAny(rest, "*?") {
		return others
	}
	if real, sure, there = p.policy.Disk.Find(filepath.FromSlash(absolute)); there && sure && p.fold(real) != absolute {
		others = append(others, p.fold(real))
	}
	return others
}

func (p bans) realOr(path string) string {
	if real, ok := p.policy.Disk.Real(path); ok {
		return real
	}
	return path
}

// compare compares a pattern with paths, all absolute or all relative to the same directory.
func compare(pattern string, paths []string, deep bool) likeness {
	like := unlike
	for _, path := range paths {
		switch {
		case globMatches(pattern, path), !strings.HasSuffix(pattern, "**") && belowMatches(pattern, path):
			return alike
		case deep && overlaps(strings.TrimPrefix(pattern, "/"), strings.Trim(path, "/")):
			like = maybe
		}
	}
	return like
}

// belowMatches reports whether a pattern names a directory above a path.
func belowMatches(pattern, path string) bool {
	for {
		at := strings.LastIndexByte(path, '/')
		if at <= 0 {
			return false
		}
		if path = path[:at]; globMatches(pattern, path) {
			return true
		}
	}
}

// fold spells a path or a pattern as the disk that tells least apart does, if this one folds names at all.
func (p bans) fold(path string) string {
	path = filepath.ToSlash(path)
	if !p.policy.Disk.FoldCase {
		return path
	}
	names := strings.Split(path, "/")
	for i, name := range names {
		if name != "" {
			names[i] = disk.FoldName(name)
		}
	}
	return strings.Join(names, "/")
}
