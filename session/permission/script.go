package permission

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parley/internal/safefs"
	"parley/session/permission/program"
	"parley/session/permission/shell"
)

// maxScript bounds the scripts that are compared, in bytes.
const maxScript = 4 << 20

// pin is a script with the digest of what it contains.
type pin struct{ digest, path string }

// pattern returns the pattern of a rule that allows a line while scripts contain what they do now.
func pinned(pins []pin, line string) string {
	var b strings.Builder
	for _, p := range pins {
		b.WriteString(p.digest + " " + strconv.Quote(p.path) + " ")
	}
	return b.String() + "-- " + line
}

// pins returns the scripts of a rule and the line that it allows, false for a rule that has none.
func (r *Rule) pins() (pins []pin, line string, ok bool) {
	if r.Subject != OnScript {
		return nil, "", false
	}
	rest := r.Pattern
	for {
		if line, ok = strings.CutPrefix(rest, "-- "); ok {
			return pins, line, len(pins) > 0 && line != ""
		}
		digest, behind, _ := strings.Cut(rest, " ")
		quoted, err := strconv.QuotedPrefix(behind)
		if sum, bad := hex.DecodeString(digest); err != nil || bad != nil || len(sum) != sha256.Size {
			return nil, "", false
		}
		path, err := strconv.Unquote(quoted)
		if err != nil || !filepath.IsAbs(path) || !strings.HasPrefix(behind[len(quoted):], " ") {
			return nil, "", false
		}
		pins, rest = append(pins, pin{digest, path}), behind[len(quoted)+1:]
	}
}

// checkScript returns what is wrong with the pattern of a rule for a line that runs scripts.
func (r Rule) checkScript() error {
	if _, _, ok := r.pins(); !ok {
		return errors.New("a rule for a script is made where the script is asked about")
	}
	return nil
}

// scriptNames returns the names of the scripts of a rule, nil without any.
func (r Rule) scriptNames() (names []string) {
	pins, _, _ := r.pins()
	for _, p := range pins {
		names = append(names, filepath.Base(p.path))
	}
	return names
}

// digestOf returns the digest of a script in one of the session's directories, wherever links lead; false for what cannot be
// compared.
func (p Policy) digestOf(path string) (pin, bool) {
	real, ok := p.Disk.Real(path)
	if !ok || p.Digest == nil {
		return pin{}, false
	}
	for _, dir := range p.Dirs {
		root, ok := p.Disk.Real(dir)
		if !ok {
			continue
		}
		if rel, ok := p.Disk.Below(real, root); ok && rel != "." && !p.Disk.FoldCase {
			sum, ok := p.Digest(root, rel)
			return pin{sum, real}, ok
		} else if ok && rel != "." {
			sum, ok := p.Digest(filepath.Dir(real), filepath.Base(real))
			return pin{sum, real}, ok
		}
	}
	return pin{}, false
}

// digestIn returns the digest of a regular file below a directory, false if it is none, too large, or behind a link.
func digestIn(dir, name string) (string, bool) {
	root, err := safefs.OpenFolder(dir)
	if err != nil {
		return "", false
	}
	defer func() { _ = root.Close() }()
	text, err := safefs.ReadFileIn(context.Background(), root, name, maxScript, safefs.NoLinks)
	if err != nil {
		return "", false
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), true
}

// scriptOf returns the script that a call runs where the line is now, with its digest; false if the call runs none. A script that
// cannot be compared has no digest.
func (j *lineJudge) scriptOf(words []shell.Word) (pin, bool) {
	file, ok := program.Script(words)
	if !ok {
		return pin{}, false
	}
	if paths, sure := j.paths(file); sure && len(paths) == 1 {
		if found, ok := j.p.digestOf(paths[0]); ok {
			return found, true
		}
	}
	return pin{}, true
}

// runsScript reports whether a call runs a script that its words name.
func runsScript(words []shell.Word) bool {
	_, runs := program.Script(words)
	return runs
}

// scriptRule returns the rule that allows this very line and whose scripts contain what they did, nil if there is none.
func (p Policy) scriptRule(text string) (*Rule, []pin) {
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Subject != OnScript || r.Ruling != Allow || p.Digest == nil {
			continue
		}
		pins, line, ok := r.pins()
		if ok && line == text && !slices.ContainsFunc(pins, func(was pin) bool {
			is, ok := p.digestOf(was.path)
			return !ok || is != was
		}) {
			return r, pins
		}
	}
	return nil, nil
}

// runsPinned reports whether a line that was judged runs just the scripts of a rule, and writes to none of them.
func (j *lineJudge) runsPinned(pins []pin) bool {
	for _, s := range j.scripts {
		if !slices.Contains(pins, s) {
			return false
		}
	}
	writes := func(w shell.Word) bool {
		return !w.Known || slices.ContainsFunc(pins, func(p pin) bool {
			return strings.EqualFold(filepath.Base(p.path), filepath.Base(w.Text))
		})
	}
	for _, s := range j.steps {
		if s.writes != nil && writes(*s.writes) || s.words != nil && slices.ContainsFunc(program.Judge(s.words).Writes, writes) {
			return false
		}
	}
	return len(j.scripts) > 0
}

// scriptCandidate returns the rule for a line that runs scripts, nil if one of them cannot be compared.
func (j *lineJudge) scriptCandidate(text string) []Rule {
	var pins []pin
	for _, s := range j.scripts {
		if s.digest == "" {
			return nil
		}
		if !slices.Contains(pins, s) {
			pins = append(pins, s)
		}
	}
	if len(pins) > maxTogether || !j.runsPinned(pins) {
		return nil
	}
	return []Rule{{Ruling: Allow, Subject: OnScript, Pattern: pinned(pins, text)}}
}
