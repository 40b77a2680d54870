package git

// Verdict is the decision of the rules about a path.
type Verdict uint8

// The verdicts. Kept means that a negated pattern decided.
const (
	Undecided Verdict = iota
	Ignored
	Kept
)

// Ignores holds the ignore files that apply in a directory, the weakest first. The zero value ignores nothing. Its
// methods do not change it.
type Ignores struct{ files []rules }

// With returns the stack with an ignore file added. base is the directory of the file, relative to the root of the walk and
// with slashes; "" is the root.
func (s Ignores) With(base, text string) Ignores { return s.with(parse(base, text)) }

// Empty reports whether the stack has no rules, and so ignores nothing.
func (s Ignores) Empty() bool { return len(s.files) == 0 }

func (s Ignores) with(r rules) Ignores {
	if len(r.list) == 0 {
		return s
	}
	return Ignores{append(s.files[:len(s.files):len(s.files)], r)}
}

// Ignored reports whether git would ignore a path, which is relative to the root of the walk and has slashes. dir says
// whether it is a directory. The innermost file with a matching pattern decides.
func (s Ignores) Ignored(path string, dir bool) bool { return s.Match(path, dir) == Ignored }

// Match returns what the rules say of a path, as [Ignores.Ignored] has it.
func (s Ignores) Match(path string, dir bool) Verdict {
	for i := len(s.files) - 1; i >= 0; i-- {
		if v := s.files[i].match(path, dir); v != Undecided {
			return v
		}
	}
	return Undecided
}
