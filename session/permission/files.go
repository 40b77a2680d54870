package permission

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission/disk"
	"parley/session/scratch"
)

// editDecision rules on an edit of a file by the mode and the rules that allow. What is not in the session's directories, and
// what other programs run by themselves, is asked even if a rule allows it.
func (p Policy) editDecision(path string) Decision {
	if why := p.neverEdited(path); why != "" {
		return Decision{Ruling: Ask, Reason: why}
	}
	if p.Mode == session.ModeAcceptEdits {
		return Decision{Ruling: Allow}
	}
	if r := p.fileRule(OnEdit, path); r != nil {
		return Decision{Ruling: Allow, Rule: r}
	}
	return Decision{Ruling: Ask}
}

// neverEdited returns why no rule and no mode lets an edit of a file pass, "" if one may.
func (p Policy) neverEdited(path string) string {
	if why := p.Guarded(path); why != "" {
		return why
	}
	return p.notEditable(path)
}

// notEditable returns why a file is none that may be edited, "" for any other, whatever its name.
func (p Policy) notEditable(path string) string {
	switch {
	case !p.Disk.Inside(path, p.Dirs):
		if _, ok := p.Disk.Real(path); !ok {
			return "Always asked: it is not sure where this path leads."
		}
		return "Always asked: the file is outside this session's directories."
	case !p.editable(path, p.Dirs):
		return "Always asked: the file belongs to git or to your own settings."
	}
	return ""
}

// readDecision rules on reading a file or a directory: in the session's directories it is free, elsewhere a rule has to name
// it by an absolute path, and what begins with a dot there is asked even if a rule allows it.
func (p Policy) readDecision(path string) Decision {
	if path == "" {
		if len(p.Dirs) > 0 {
			return Decision{Ruling: Allow, Rule: builtIn(OnRead, "**")}
		}
		return Decision{Ruling: Ask}
	}
	real, ok := p.Disk.Real(path)
	switch {
	case !ok:
		return Decision{Ruling: Ask, Reason: "Always asked: it is not sure where this path leads."}
	case p.ownSettings(real):
		return Decision{Ruling: Ask, Reason: "Always asked: your own settings and keys are there."}
	case p.Disk.Inside(path, p.Dirs):
		return Decision{Ruling: Allow, Rule: builtIn(OnRead, "**")}
	case isDevice(real):
		return Decision{Ruling: Ask, Reason: "Always asked: it is a device, or part of the system's state."}
	case hiddenBelow(real):
		return Decision{Ruling: Ask, Reason: "Always asked: settings and keys are in files that begin with a dot."}
	}
	if r := p.fileRule(OnRead, path); r != nil {
		return Decision{Ruling: Allow, Rule: r}
	}
	return Decision{Ruling: Ask}
}

// builtIn returns the rule that stands for what parley allows by itself.
func builtIn(on Subject, pattern string) *Rule {
	return &Rule{Ruling: Allow, Subject: on, Pattern: pattern, Origin: FromParley}
}

// ownSettings reports whether a resolved path lies in a directory of the home directory that begins with a dot, and that no
// directory of the session is in.
func (p Policy) ownSettings(real string) bool {
	if p.Home == "" {
		return false
	}
	home := p.Home
	if r, ok := p.Disk.Real(home); ok {
		home = r
	}
	rel, ok := p.Disk.Below(real, home)
	if !ok || rel == "." || !strings.HasPrefix(rel, ".") {
		return false
	}
	for _, dir := range p.Dirs {
		root, ok := p.Disk.Real(dir)
		if !ok {
			continue
		}
		if below, ok := p.Disk.Below(root, home); ok && strings.HasPrefix(below, ".") && below != "." {
			if _, ok := p.Disk.Below(real, root); ok {
				return false
			}
		}
	}
	return true
}

// hiddenBelow reports whether a name on a path begins with a dot.
func hiddenBelow(path string) bool {
	return strings.Contains(filepath.ToSlash(path), "/.")
}

// isDevice reports whether a path leads to what is no file of a disk.
func isDevice(path string) bool {
	path = filepath.ToSlash(path)
	return slices.ContainsFunc([]string{"/dev", "/proc", "/sys", "/run"}, func(dir string) bool {
		return path == dir || strings.HasPrefix(path, dir+"/")
	})
}

// fileRule returns the first rule that allows the subject for a file. The rule has to name the place where the file really
// is; a relative one only names files of the session's first directory.
func (p Policy) fileRule(on Subject, path string) *Rule {
	if p.Locked != "" {
		return nil
	}
	var f *file
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Subject != on || r.Ruling != Allow {
			continue
		}
		if f == nil {
			if f = p.fileAt(path); f == nil {
				return nil
			}
		}
		if p.names(f, r.Pattern) {
			return r
		}
	}
	return nil
}

// file is a path with all that rules compare, with slashes and in the case in which the disk compares names.
type file struct {
	real, text       string // absolute
	inDir, textInDir string // relative to the session's first directory; "" if it is not there
}

// fileAt returns the file at a path, nil if it is not sure where it leads.
func (p Policy) fileAt(path string) *file {
	real, ok := p.Disk.Real(path)
	if !ok {
		return nil
	}
	f := &file{real: p.spell(real), text: p.spell(filepath.Clean(path))}
	if len(p.Dirs) == 0 {
		return f
	}
	if root, ok := p.Disk.Real(p.Dirs[0]); ok {
		if rel, ok := p.Disk.Below(real, root); ok {
			f.inDir = p.spell(rel)
		}
	}
	if rel, ok := p.Disk.Below(filepath.Clean(path), p.Dirs[0]); ok {
		f.textInDir = p.spell(rel)
	}
	return f
}

// spell returns a path as patterns are compared with it.
func (p Policy) spell(path string) string {
	path = filepath.ToSlash(path)
	if p.Disk.FoldCase {
		path = strings.ToLower(path)
	}
	return path
}

// names reports whether a pattern names a file where it really is.
func (p Policy) names(f *file, pattern string) bool {
	pattern = p.spell(pattern)
	absolute, ok := p.absolute(pattern)
	if !ok { // relative
		return f.inDir != "" && globMatches(pattern, f.inDir)
	}
	if globMatches(absolute, f.real) {
		return true
	}
	if !globMatches(absolute, f.text) {
		return false
	}
	// The directory of the pattern may itself be behind a link, as /tmp is on macOS.
	dir, rest := literal(absolute)
	real, ok := p.Disk.Real(filepath.FromSlash(dir))
	return ok && globMatches(p.spell(real)+"/"+rest, f.real)
}

// absolute returns a pattern that begins with / or ~/ as one that begins with /, or with the name of a volume.
func (p Policy) absolute(pattern string) (string, bool) {
	if rest, ok := strings.CutPrefix(pattern, "~/"); ok || pattern == "~" {
		if p.Home == "" {
			return "", false
		}
		return p.spell(p.Home) + "/" + rest, true
	}
	if strings.HasPrefix(pattern, "/") || len(pattern) > 2 && pattern[1] == ':' && pattern[2] == '/' {
		return pattern, true
	}
	return "", false
}

// editable reports whether path may be edited under a blanket permission for dirs: it lies in one of them after all links
// are resolved, it is not part of a .git directory, and not one of the user's own dot-files. Folders that parley makes to work in are
// below one that begins with a dot, and no settings.
func (p Policy) editable(path string, dirs []string) bool {
	real, ok := p.Disk.Real(path)
	if !ok || !p.Disk.Inside(path, dirs) {
		return false
	}
	for _, name := range strings.Split(filepath.ToSlash(real), "/") {
		if disk.IsGit(name) {
			return false
		}
	}
	if p.Home == "" {
		return true
	}
	home := p.Home
	if r, ok := p.Disk.Real(home); ok {
		home = r
	}
	rel, ok := p.Disk.Below(real, home)
	if !ok || !strings.HasPrefix(rel, ".") || rel == "." {
		return true
	}
	return slices.ContainsFunc(dirs, func(dir string) bool {
		root, ok := p.Disk.Real(dir)
		if !ok || !scratch.Made(root) {
			return false
		}
		_, ok = p.Disk.Below(real, root)
		return ok
	})
}
