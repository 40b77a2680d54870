package permission

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/lazyregexp"
	"parley/session/permission/disk"
	"parley/session/permission/program"
	"parley/session/permission/shell"
)

// addresses matches addresses on a network, which name no file of this machine; those of files are not among them.
var addresses = lazyregexp.New(`(?i)\b(?:https?|wss?|ftps?|git|ssh|s3|gs|postgres(?:ql)?|mysql|redis|rediss|mongodb|amqps?|tcp|udp|grpcs?|oci|docker)://[^/,;\s"'()]+[^,;\s"'()]*`)

// The signs after which the name of a file may begin within an argument: of any program, and of one that parley does not
// know, whose arguments may be texts in another language.
const (
	signsBefore        = "=:,@"
	signsBeforeUnknown = signsBefore + ";+%#!? \t\n\"'(){}[]"
)

// maxName is more than the longest name of a file, in bytes.
const maxName = 255

// outside returns the last argument of a call that may name what a rule with any arguments does not open: files outside of the
// session's directories, and what other programs run by themselves. It returns 0 for none, and why as the rest of a sentence.
func (j *lineJudge) outside(u program.Use, words []shell.Word) (int, string) {
	for i := len(words) - 1; i > 0; i-- {
		if why := j.leadsOut(u, words[i]); why != "" {
			return i, why
		}
	}
	return 0, ""
}

// leadsOut returns why an argument may name a file that a rule with any arguments does not open, "" if it does not.
func (j *lineJudge) leadsOut(u program.Use, w shell.Word) string {
	text := w.Text
	if w.Home {
		if why := j.fileLeadsOut(j.p.Home+strings.TrimPrefix(text, "~"), text); j.p.Home == "" || why != "" || !w.Known {
			return text + " is in your home directory"
		}
		return ""
	}
	if strings.Contains(text, ":") {
		if lower := strings.ToLower(text); strings.Contains(lower, "file:/") || strings.Contains(lower, "file:%") {
			return text + " is the address of a file"
		}
		text = addresses.ReplaceAllString(text, "")
	}
	signs := signsBefore
	if !u.Known {
		signs = signsBeforeUnknown
	}
	for _, name := range namesIn(text, signs) {
		if why := j.nameLeadsOut(u, name, w.Known); why != "" {
			return why
		}
	}
	if !w.Known && !u.Git {
		return "an argument is computed, and may name any file"
	}
	return ""
}

// namesIn returns the parts of an argument that may be names of files: each that begins at its begin or after one of the
// signs, up to the next of these and up to its end, and what stands right behind an option's letters.
func namesIn(text, signs string) []string {
	if !strings.ContainsAny(text, signs) {
		if name := afterOption(text, true); name != "" {
			return []string{name}
		}
		return nil
	}
	var names []string
	for from := 0; from < len(text); {
		rest := text[from:]
		end := strings.IndexAny(rest, signs)
		if end < 0 {
			end = len(rest)
		}
		for _, name := range [...]string{rest[:end], rest} {
			if name = afterOption(name, from == 0); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		from += end + 1
	}
	return names
}

// afterOption returns what may be a name in a part of an argument that may begin with an option.
func afterOption(name string, first bool) string {
	if !first || !strings.HasPrefix(name, "-") {
		return name
	}
	at := strings.IndexAny(name, "/~")
	if dots := strings.Index(name, ".."); dots >= 0 && (at < 0 || dots < at) {
		at = dots
	}
	switch {
	case at >= 0:
		return name[at:]
	case len(name) > 2 && name[1] != '-':
		return name[2:]
	}
	return ""
}

// nameLeadsOut judges one name.
func (j *lineJudge) nameLeadsOut(u program.Use, name string, known bool) string {
	parts := strings.FieldsFunc(name, disk.IsSeparator)
	switch {
	case slices.Contains(parts, ".."):
		return name + " may lead outside this session's directories"
	case name == "~" || strings.HasPrefix(name, "~/"):
		if j.p.Home == "" {
			return name + " is in your home directory"
		}
		return j.fileLeadsOut(j.p.Home+name[1:], name)
	case strings.HasPrefix(name, "~") && len(parts) > 1:
		return name + " is in a home directory"
	case filepath.IsAbs(name) || strings.HasPrefix(name, "/"):
		if isStream(name) && known {
			return ""
		}
		return j.fileLeadsOut(name, name)
	case slices.ContainsFunc(parts, func(part string) bool { return len(part) > maxName }):
		return ""
	}
	plain := !strings.ContainsAny(name, `/\.`)
	if len(j.bases) == 0 {
		if u.Known || plain {
			return ""
		}
		return "it is not sure where " + name + " is"
	}
	for _, base := range j.bases {
		path := base + string(filepath.Separator) + name
		if (plain || u.Git && !strings.Contains("/"+name, "/.")) && j.p.Disk.Exists != nil { // names as branches have them, too
			if there := len(parts) > 0 && j.p.Disk.Exists(filepath.Join(base, parts[0])); !there || j.p.Disk.Inside(path, j.p.Dirs) {
				continue
			}
		}
		if why := j.fileLeadsOut(path, name); why != "" {
			return why
		}
	}
	return ""
}

// fileLeadsOut judges the file at an absolute path, which the line calls by a name.
func (j *lineJudge) fileLeadsOut(path, name string) string {
	why := j.p.guard().Runs(path)
	switch {
	case why != "":
		return name + ": " + lowerFirst(trimReason(why))
	case j.p.notEditable(path) == "":
		return ""
	case j.p.Disk.Inside(path, j.p.Dirs):
		return name + " belongs to git or to your own settings"
	}
	return name + " is outside this session's directories"
}

// isStream reports whether a path is one of the devices that every program may use.
func isStream(path string) bool {
	name, ok := strings.CutPrefix(path, "/dev/")
	number, isNumber := strings.CutPrefix(name, "fd/")
	return ok && (slices.Contains([]string{"null", "zero", "full", "random", "urandom", "stdin", "stdout", "stderr", "tty"}, name) ||
		isNumber && number != "" && strings.Trim(number, "0123456789") == "")
}
