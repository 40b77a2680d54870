package permission

import (
	"path/filepath"
	"strings"
)

// fileLike compares the pattern of a rule that denies or asks with a path, by its text and by where its links lead, in every
// directory of the session. deep means that what is below the path counts too.
func (p Policy) fileLike(pattern, path string, deep bool) likeness {
	if path == "" {
		if len(p.Dirs) == 0 {
			return maybe
		}
		path = p.Dirs[0]
	}
	if !filepath.IsAbs(path) {
		if len(p.Dirs) == 0 {
			return maybe
		}
		path = filepath.Join(p.Dirs[0], path)
	}
	text := filepath.Clean(path)
	real, ok := p.real(path)
	like := unlike
	if !ok {
		like = maybe
		if real, ok = p.real(text); !ok {
			real = text
		}
	}
	pattern = p.fold(pattern)
	if absolute, ok := p.absolute(pattern); ok {
		like = max(like, p.patternLike(absolute, text, deep), p.patternLike(absolute, real, deep))
		// The pattern may itself lead through links.
		dir, rest := literal(absolute)
		if resolved, ok := p.real(filepath.FromSlash(dir)); ok && like != alike {
			like = max(like, p.patternLike(p.fold(resolved)+"/"+rest, real, deep))
		}
		if resolved, ok := p.real(filepath.FromSlash(absolute)); ok && like != alike {
			like = max(like, p.patternLike(p.fold(resolved), real, deep))
		}
		return like
	}
	for _, root := range p.Dirs {
		for _, at := range [][2]string{{text, root}, {real, root}, {real, p.realOr(root)}, {text, p.realOr(root)}} {
			like = max(like, p.patternLike(p.fold(filepath.ToSlash(at[1]))+"/"+pattern, at[0], deep))
		}
		dir, rest := literal(pattern)
		if resolved, ok := p.real(filepath.Join(root, filepath.FromSlash(dir))); ok && like != alike && dir != "" {
			like = max(like, p.patternLike(p.fold(resolved)+"/"+rest, real, deep))
		}
		if resolved, ok := p.real(filepath.Join(root, filepath.FromSlash(pattern))); ok && like != alike && !strings.ContainsAny(pattern, "*?") {
			like = max(like, p.patternLike(p.fold(resolved), real, deep))
		}
	}
	return like
}

func (p Policy) realOr(path string) string {
	if real, ok := p.real(path); ok {
		return real
	}
	return path
}

// patternLike compares an absolute pattern with an absolute path. A pattern also stands for all that is below what it names.
func (p Policy) patternLike(pattern, path string, deep bool) likeness {
	path = p.fold(path)
	switch {
	case globMatches(pattern, path), globMatches(pattern+"/**", path):
		return alike
	case deep && overlaps(strings.TrimPrefix(pattern, "/"), strings.Trim(path, "/")):
		return maybe
	}
	return unlike
}

// fold spells a path or a pattern as the disk that tells least apart does, if this one folds names at all.
func (p Policy) fold(path string) string {
	path = filepath.ToSlash(path)
	if !p.FoldCase {
		return path
	}
	names := strings.Split(path, "/")
	for i, name := range names {
		if name != "" {
			names[i] = foldName(name)
		}
	}
	return strings.Join(names, "/")
}
