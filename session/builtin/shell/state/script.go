package state

import (
	"os"
	"strings"
)

// Run is one command that begins with a state. Only one goroutine uses it.
type Run struct {
	s *State
	content
	bash bool
	// report is the file into which the shell writes its state at the end, load the one with the functions; "" for none.
	report, load string
}

// Begin returns a run of the current state for bash or, if not, a plain POSIX shell. If keep, what the command leaves can be
// kept. The caller closes it.
func (s *State) Begin(bash, keep bool) *Run {
	s.mu.Lock()
	s.dir()
	r := &Run{s: s, content: s.now, bash: bash}
	s.mu.Unlock()
	if keep {
		r.report = temporary("")
	}
	if r.functions != "" && bash {
		r.load = temporary(r.functions)
	}
	return r
}

// temporary creates a file that only the user can read, and returns its path, or "" if it cannot be created.
func temporary(content string) string {
	f, err := os.CreateTemp("", "parley-shell-*")
	if err != nil {
		return ""
	}
	_, err = f.WriteString(content)
	if err2 := f.Close(); err != nil || err2 != nil {
		_ = os.Remove(f.Name())
		return ""
	}
	return f.Name()
}

// Dir returns the directory of the command.
func (r *Run) Dir() string { return r.dir }

// Environ returns the environment of the command.
func (r *Run) Environ() []string {
	out := make([]string, 0, len(r.environ)+1)
	for _, kv := range r.environ {
		if !strings.HasPrefix(kv, "PWD=") {
			out = append(out, kv)
		}
	}
	return append(out, "PWD="+r.dir)
}

// The parts of a script. The state is written after the command, or by a trap if the command exits first. The text of the
// command follows "eval" in quotes: the shell reads it exactly as it would read it alone, and reports its lines as such.
const (
	quietly = `{ set +eux; } 2>/dev/null; `
	ended   = `{ __parley=$?; set +eux; } 2>/dev/null; `
	// saveBash and savePlain write sections that end with NUL, which no text of a shell contains.
	saveBash = `{ builtin pwd -L; builtin printf '\0'; builtin pwd -P; builtin printf '\0'; builtin export -p; builtin printf '\0'; ` +
		`builtin declare -F; builtin printf '\0'; builtin declare -f; builtin printf '\0end'; } 2>/dev/null >|`
	savePlain = `{ command pwd -L; printf '\0'; command pwd -P; printf '\0'; export -p; printf '\0\0\0end'; } 2>/dev/null >|`
)

// Script returns the script that runs a command line. Its exit status is that of the command line.
func (r *Run) Script(command string) string {
	if r.report == "" && r.load == "" {
		return command
	}
	var b strings.Builder
	if r.load != "" {
		b.WriteString(". " + quote(r.load) + " 2>/dev/null\n")
	}
	if r.report == "" {
		b.WriteString("eval " + quote(" "+command))
		return b.String()
	}
	save, end := savePlain, "exit"
	if r.bash {
		save, end = saveBash, "builtin exit"
	}
	save += quote(r.report)
	b.WriteString("trap " + quote(quietly+`case ${__parley-} in '') `+save+`; esac`) + " 0\n")
	// The end is quoted too: after a command that lacks a quote bash reads what follows wrongly, and would print it.
	b.WriteString("eval " + quote(" "+command) + "\neval " + quote(ended+save+"; "+end+` "$__parley"`))
	return b.String()
}

// quote returns a text as one word of a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Close removes the files of the run.
func (r *Run) Close() {
	for _, path := range []string{r.report, r.load} {
		if path != "" {
			_ = os.Remove(path)
		}
	}
}
