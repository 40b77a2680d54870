package program

import (
	"regexp"
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// judgeSed: scripts of sed run commands (e), read (r) and write files (w), and -i changes them in place. Only scripts of
// addresses with p, d, q, = and s are safe, and s only with flags that do none of that.
func judgeSed(name string, args []shell.Word) Use {
	r := reader{flags: "nErsuz", valued: "e", files: pattern, takes: "e", long: "--quiet --silent --regexp-extended"}
	u := r.judge(name, args)
	if u.Asked != "" {
		return u
	}
	options, rest, _ := r.parse(args)
	var scripts []shell.Word
	for _, o := range options {
		if o.name == "e" {
			scripts = append(scripts, o.value)
		}
	}
	if len(scripts) == 0 {
		if len(rest) == 0 {
			return u
		}
		scripts = rest[:1]
	}
	for _, s := range scripts {
		if !s.Known || !isSafeSed(s.Text) {
			u.Asked, u.Safe = "its script may run or write something", false
		}
	}
	return u
}

const sedAddress = `(?:[0-9]+(?:~[0-9]+)?|\$|/(?:[^/\\\n]|\\[^\n])*/I?)`

var sedRange = regexp.MustCompile(`^[ \t]*(?:` + sedAddress + `(?:,[ \t]*(?:\+[0-9]+|` + sedAddress + `))?)?[ \t]*!?[ \t]*`)

// isSafeSed reads commands one after another.
func isSafeSed(script string) bool {
	if strings.ContainsAny(script, "\n\r{}") && strings.Contains(script, "\n") {
		return false
	}
	for {
		script = script[len(sedRange.FindString(script)):]
		if script == "" {
			return true
		}
		command := script[0]
		script = script[1:]
		switch command {
		case 'p', 'd', '=', 'q':
			if command == 'q' {
				script = strings.TrimLeft(script, "0123456789 ")
			}
		case 's':
			var ok bool
			if script, ok = afterSubstitution(script); !ok {
				return false
			}
		default:
			return false
		}
		script = strings.TrimLeft(script, " \t")
		if script == "" {
			return true
		}
		if script[0] != ';' {
			return false
		}
		script = script[1:]
	}
}

// afterSubstitution returns what follows a substitution without the flags that run or write. A delimiter in brackets, which
// implementations read differently, ends the reading.
func afterSubstitution(script string) (rest string, ok bool) {
	if script == "" || !strings.ContainsRune("/|,#:@%!", rune(script[0])) {
		return "", false
	}
	delimiter := script[0]
	found := 0
	i := 1
	for ; i < len(script) && found < 2; i++ {
		switch script[i] {
		case '\\':
			if i+1 < len(script) && script[i+1] == delimiter {
				return "", false
			}
			i++
		case '\n':
			return "", false
		case '[':
			if end := strings.IndexByte(script[i:], ']'); found == 0 && (end < 0 || strings.IndexByte(script[i:i+end], delimiter) >= 0) {
				return "", false
			}
		case delimiter:
			found++
		}
	}
	if found < 2 {
		return "", false
	}
	rest = strings.TrimLeft(script[i:], "gpIi0123456789")
	return rest, rest == "" || rest[0] == ';' || rest[0] == ' '
}

// judgeAwk: programs of awk run commands (system, |), write (>) and read files by other ways than their arguments.
func judgeAwk(name string, args []shell.Word) Use {
	r := reader{valued: "Fv", files: pattern}
	u := r.judge(name, args)
	if u.Asked != "" {
		return u
	}
	options, rest, _ := r.parse(args)
	for _, o := range options {
		if !o.value.Known || strings.Contains(o.value.Text, "|") && o.name == "v" {
			u.Asked = "its arguments are not known to be safe"
		}
	}
	if len(rest) == 0 {
		return u
	}
	script := rest[0]
	for _, bad := range []string{"|", ">", "@", "system", "getline", "ARGV", "ARGC", "SYMTAB", "PROCINFO", "ENVIRON", "\\\n", "extension", "FUNCTAB"} {
		if strings.Contains(script.Text, bad) {
			u.Asked = "its program may run or write something"
		}
	}
	if !script.Known {
		u.Asked = "its program is computed"
	}
	// An argument with "=" sets a variable, one that is both is not worth being clever.
	if slices.ContainsFunc(rest[1:], func(w shell.Word) bool { return strings.Contains(w.Text, "=") }) {
		u.Asked = "its arguments are not known to be safe"
	}
	u.Safe = u.Asked == ""
	return u
}

// findTests are the parts of an expression of find that only look, findValued those with a value.
var (
	findTests = strings.Fields("-print -print0 -o -a -not ! ( ) , -and -or -empty -true -false -prune -depth -mount -xdev -ls -readable -writable -executable" +
		" -nouser -nogroup -quit -daystart")
	findValued = strings.Fields("-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size -mtime -mmin" +
		" -atime -amin -ctime -cmin -perm -user -group -links -inum -printf")
)

// judgeFind: find runs commands (-exec, -ok), deletes (-delete) and writes files (-fprint, -fls).
func judgeFind(_ string, args []shell.Word) Use {
	u := Use{Known: true, Safe: true, Deep: true}
	i := 0
	for ; i < len(args) && (args[i].Sure() && args[i].Text != "(" && args[i].Text != "!" && args[i].Text != ","); i++ {
		u.Reads = append(u.Reads, args[i])
	}
	for ; i < len(args); i++ {
		w := args[i]
		switch {
		case w.Known && slices.Contains(findTests, w.Text):
		case w.Known && slices.Contains(findValued, w.Text) && i+1 < len(args) && args[i+1].Known:
			i++
		case w.Known && (w.Text == "-newer" || w.Text == "-samefile") && i+1 < len(args) && args[i+1].Known:
			i++
			u.Reads = append(u.Reads, args[i])
		default:
			u.Asked = "the argument " + w.Text + " of find may run or change something"
			return u
		}
	}
	return u
}

// judgeJq: filters of jq read modules and the environment.
func judgeJq(name string, args []shell.Word) Use {
	r := reader{flags: "rRnceasSjCM", files: pattern, long: "--raw-output --compact-output --slurp --null-input --exit-status --sort-keys --tab"}
	u := r.judge(name, args)
	_, rest, _ := r.parse(args)
	if u.Asked == "" && len(rest) > 0 {
		for _, bad := range []string{"import", "include", "modulemeta", "env", "ENV", "input_filename", "debug"} {
			if !rest[0].Known || strings.Contains(rest[0].Text, bad) {
				u.Asked, u.Safe = "its filter may read other files", false
			}
		}
	}
	return u
}
