package state

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/lazyregexp"
	"parley/session/proc"
)

// maxReport bounds what is read of a report, in bytes.
const maxReport = 4 << 20

// Keep makes what the command left the state of the next one. It changes nothing if the shell did not write its state, such
// as one that was killed. It is called after the end of the command.
func (r *Run) Keep() {
	if r.report == "" {
		return
	}
	text, ok := readReport(r.report)
	if !ok {
		return
	}
	sections := strings.Split(text, "\x00")
	if len(sections) != 6 || sections[5] != "end" {
		return
	}
	dir := directory(strings.TrimSuffix(sections[0], "\n"), strings.TrimSuffix(sections[1], "\n"))
	left, err := exports(sections[2])
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if dir != "" {
		r.s.now.dir = dir
	}
	if err != nil {
		r.s.notes = append(r.s.notes, "the variables that this command set were not kept: "+err.Error())
		return
	}
	r.s.keepEnviron(left)
	if r.bash {
		r.s.keepFunctions(sections[3], sections[4])
	}
}

func readReport(path string) (string, bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxReport+1))
	return string(b), err == nil && len(b) <= maxReport
}

// directory returns the directory of a shell as it was reached, or where it really is if that is something else now.
func directory(logical, physical string) string {
	if !filepath.IsAbs(logical) {
		logical = physical
	}
	if !filepath.IsAbs(logical) {
		return ""
	}
	if physical != "" && logical != physical {
		if real, err := filepath.EvalSymlinks(logical); err != nil || real != physical {
			return physical
		}
	}
	return filepath.Clean(logical)
}

var validName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// shellsOwn are variables that each shell sets, or that would give the next one options.
var shellsOwn = []string{"_", "SHLVL", "PWD", "SHELLOPTS", "BASHOPTS", "BASH_XTRACEFD", proc.MarkVariable}

// keepEnviron takes over the exported variables. The lock is held.
func (s *State) keepEnviron(left []string) {
	var next []string
	size := 0
	for _, kv := range s.base { // what no shell lists: other names, and its own
		name, _, _ := strings.Cut(kv, "=")
		if !validName.MatchString(name) || slices.Contains(shellsOwn, name) {
			next = append(next, kv)
		}
	}
	for _, kv := range left {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case slices.Contains(shellsOwn, name) || strings.HasPrefix(name, "__parley"):
		case len(kv) > maxValue:
			s.notes = append(s.notes, fmt.Sprintf("%s is not kept for later commands: it has %d bytes", name, len(kv)))
		default:
			next, size = append(next, kv), size+len(kv)
		}
	}
	if size > maxEnviron {
		s.notes = append(s.notes, fmt.Sprintf("the variables that this command set were not kept: they have %d bytes", size))
		return
	}
	safe := proc.AgentEnviron(next, s.pass)
	for _, kv := range next {
		if name, _, _ := strings.Cut(kv, "="); !slices.Contains(safe, kv) {
			s.notes = append(s.notes, name+" is not kept for later commands: it holds a GitHub token or is named like one")
		}
	}
	s.now.environ = safe
}

// Export sets variables for later commands, each as NAME=VALUE, as if a command had exported them.
func (s *State) Export(set []string) {
	if len(set) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	given := byName(set)
	var left []string
	for _, kv := range s.now.environ {
		name, _, _ := strings.Cut(kv, "=")
		if _, replaced := given[name]; !replaced && validName.MatchString(name) {
			left = append(left, kv)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if validName.MatchString(name) {
			left = append(left, name+"="+given[name])
		}
	}
	s.keepEnviron(left)
}

// keepFunctions takes over the functions, unless all came with the environment, which brings them again. The lock is held.
func (s *State) keepFunctions(list, text string) {
	var names, exported []string
	own := false
	for line := range strings.Lines(list) {
		flags, name, ok := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "declare -"), " ")
		if !ok || name == "" {
			continue
		}
		names = append(names, name)
		if strings.Contains(flags, "x") {
			exported = append(exported, name)
		}
		own = own || !slices.ContainsFunc(s.base, func(kv string) bool { return strings.HasPrefix(kv, "BASH_FUNC_"+name+"%%=") })
	}
	s.now.functions, s.now.names, s.now.exported = "", nil, nil
	switch {
	case !own:
		return
	case len(text) > maxFunctions:
		s.notes = append(s.notes, fmt.Sprintf("the functions that commands defined are not kept for later commands: they have %d bytes", len(text)))
		return
	}
	for _, name := range exported {
		text += "\nbuiltin export -f " + quote(name)
	}
	s.now.functions, s.now.names, s.now.exported = text+"\n", names, exported
}

var errReport = errors.New("the shell wrote them in an unknown form")

// exports reads what "export -p" wrote: one statement for each variable, with its value in the quotes of the shell.
func exports(text string) ([]string, error) {
	var out []string
	for text != "" {
		end := strings.IndexAny(text, "=\n")
		if end < 0 {
			return nil, errReport
		}
		words := strings.Fields(text[:end])
		if len(words) < 2 || words[0] != "declare" && words[0] != "export" && words[0] != "typeset" {
			return nil, errReport
		}
		name, array := words[len(words)-1], false
		for _, flags := range words[1 : len(words)-1] {
			array = array || strings.ContainsAny(flags, "aA")
		}
		if text[end] == '\n' { // exported without a value
			text = text[end+1:]
			continue
		}
		value, rest, err := word(text[end+1:])
		if err != nil {
			return nil, err
		}
		if text = rest; !array && validName.MatchString(name) && !strings.ContainsRune(value, 0) {
			out = append(out, name+"="+value)
		}
	}
	return out, nil
}

// word reads a quoted text to the end of its line.
func word(text string) (value, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			return b.String(), text[i+1:], nil
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case c == '\'':
			n := strings.IndexByte(text[i+1:], '\'')
			if n < 0 {
				return "", "", errReport
			}
			b.WriteString(text[i+1 : i+1+n])
			i += n + 1
		case c == '"':
			n := doubleQuoted(&b, text[i+1:])
			if n < 0 {
				return "", "", errReport
			}
			i += n
		case c == '$' && i+1 < len(text) && text[i+1] == '\'':
			n := ansiQuoted(&b, text[i+2:])
			if n < 0 {
				return "", "", errReport
			}
			i += n + 1
		default:
			b.WriteByte(c)
		}
	}
	return "", "", errReport
}

// doubleQuoted reads to the closing quote, and returns the length with it, -1 if there is none.
func doubleQuoted(b *strings.Builder, text string) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return i + 1
		case c == '\\' && i+1 < len(text) && strings.IndexByte("\"\\$`", text[i+1]) >= 0:
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return -1
}

// ansiQuoted reads the rest of $'…', and returns the length with the closing quote, -1 if there is none.
func ansiQuoted(b *strings.Builder, text string) int {
	signs := map[byte]byte{'a': 7, 'b': 8, 't': 9, 'n': 10, 'v': 11, 'f': 12, 'r': 13, 'e': 27, 'E': 27}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'':
			return i + 1
		case c != '\\' || i+1 == len(text):
			b.WriteByte(c)
		default:
			i++
			if sign, ok := signs[text[i]]; ok {
				b.WriteByte(sign)
				continue
			}
			n, value := 0, 0
			for n < 3 && i+n < len(text) && text[i+n] >= '0' && text[i+n] <= '7' {
				value = value*8 + int(text[i+n]-'0')
				n++
			}
			if n == 0 {
				b.WriteByte(text[i])
				continue
			}
			b.WriteByte(byte(value))
			i += n - 1
		}
	}
	return -1
}
