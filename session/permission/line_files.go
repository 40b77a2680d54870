package permission

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/permission/disk"
	"parley/session/permission/shell"
)

// write judges a redirection into a file.
func (j *lineJudge) write(w shell.Word) verdict {
	if w.Known && !w.Home && w.Text == "/dev/null" {
		return verdict{allowed: true, why: "discards output"}
	}
	if j.p.Mode == session.ModePlan {
		return refuse("writes a file")
	}
	paths, ok := j.files(w)
	if !ok || !w.Known {
		return never("it is not sure which file it writes")
	}
	var rule *Rule
	for _, path := range paths {
		d := j.p.editDecision(path)
		if d.Ruling != Allow {
			if d.Reason != "" {
				return never("it writes a file: " + lowerFirst(trimReason(d.Reason)))
			}
			return refuse("writes a file")
		}
		rule = d.Rule
	}
	return verdict{allowed: true, rule: rule, why: whyAllowed(rule, "edits are accepted")}
}

// read judges a file that is read.
func (j *lineJudge) read(w shell.Word) verdict {
	if w.Known && !w.Home && w.Text == "/dev/null" {
		return verdict{allowed: true, why: "reads nothing"}
	}
	paths, ok := j.files(w)
	if !ok {
		return refuse("it is not sure which file it reads")
	}
	var rule *Rule
	for _, path := range paths {
		d := j.p.readDecision(path)
		if d.Ruling != Allow {
			if d.Reason != "" {
				return never(lowerFirst(trimReason(d.Reason)))
			}
			return refuse("reads outside this session's directories")
		}
		rule = d.Rule
	}
	return verdict{allowed: true, rule: rule}
}

// maxFiles bounds the files that a pattern may name.
const maxFiles = 256

// files returns every file that a word may name, false if that is not known.
func (j *lineJudge) files(w shell.Word) (paths []string, ok bool) {
	words, ok := j.valued([]shell.Word{w}, 0)
	if !ok {
		return nil, false
	}
	for _, w := range words {
		var found []string
		if found, ok = j.paths(w); !ok && w.Has(shell.Glob) {
			found, ok = j.matches(w)
		}
		if paths = append(paths, found...); !ok || len(paths) > maxFiles {
			return nil, false
		}
	}
	return paths, true
}

// valued puts the values of loops in the place of their variables.
func (j *lineJudge) valued(words []shell.Word, depth int) ([]shell.Word, bool) {
	if depth > maxBases { // a variable may have itself in its value
		return nil, false
	}
	for i, w := range words {
		at := slices.IndexFunc(w.Parts, func(p shell.Part) bool { return p.Kind == shell.Variable })
		if at < 0 {
			continue
		}
		values := j.values[w.Parts[at].Text]
		if len(values) == 0 || len(values)+len(words) > maxFiles {
			return nil, false
		}
		next := slices.Clone(words[:i])
		for _, v := range values {
			if v.Home && at > 0 {
				return nil, false
			}
			next = append(next, shell.WordOf(slices.Concat(w.Parts[:at], v.Parts, w.Parts[at+1:])...))
		}
		return j.valued(append(next, words[i+1:]...), depth+1)
	}
	return words, true
}

// paths returns every file that a known word may name, false if that is not known.
func (j *lineJudge) paths(w shell.Word) ([]string, bool) {
	switch {
	case !w.Known || strings.ContainsRune(w.Text, 0):
		return nil, false
	case w.Home:
		if j.p.Home == "" {
			return nil, false
		}
		return []string{j.p.Home + strings.TrimPrefix(w.Text, "~")}, true
	case filepath.IsAbs(w.Text):
		return []string{w.Text}, !slices.Contains(strings.FieldsFunc(w.Text, disk.IsSeparator), "..")
	case len(j.bases) == 0:
		return nil, false
	}
	paths := make([]string, len(j.bases))
	for i, base := range j.bases {
		var ok bool
		if paths[i], ok = j.p.Disk.From(base, w.Text); !ok {
			return nil, false
		}
	}
	return paths, true
}

// matches returns the files that a pattern names, false if that is not known. Names with a dot at their begin count too.
func (j *lineJudge) matches(w shell.Word) ([]string, bool) {
	var pattern strings.Builder
	for _, p := range w.Parts {
		switch {
		case p.Kind == shell.Glob:
			pattern.WriteString(strings.Replace(p.Text, "[!", "[^", 1))
		case p.Kind == shell.Literal:
			for _, c := range p.Text {
				if strings.ContainsRune(`*?[\`, c) {
					pattern.WriteByte('\\')
				}
				pattern.WriteRune(c)
			}
		default:
			return nil, false
		}
	}
	if len(j.bases) == 0 || j.p.Disk.List == nil {
		return nil, false
	}
	var all []string
	for _, base := range j.bases {
		found := []string{base}
		if strings.HasPrefix(pattern.String(), "/") {
			found = []string{"/"}
		}
		for name := range strings.SplitSeq(pattern.String(), "/") {
			var ok bool
			if found, ok = j.p.Disk.Matching(found, name); !ok {
				return nil, false
			}
		}
		all = append(all, found...)
	}
	return all, true
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
