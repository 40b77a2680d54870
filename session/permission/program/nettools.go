package program

import (
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// judgeTar: tar runs programs for many of its options, and writes what an archive names. It is covered where it lists.
func judgeTar(_ string, args []shell.Word) Use {
	u := Use{Known: true, Changes: true}
	lists := false
	for i, w := range args {
		switch {
		case !w.Known:
			u.Asked = "an argument may turn into an option"
			return u
		case i == 0 && !strings.HasPrefix(w.Text, "-") && strings.Trim(w.Text, "tvfzjJ") == "",
			strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.Trim(w.Text[1:], "tvfzjJ") == "":
			lists = lists || strings.Contains(w.Text, "t")
		case w.Text == "--list" || w.Text == "--verbose":
			lists = lists || w.Text == "--list"
		case strings.HasPrefix(w.Text, "-"), strings.Contains(w.Text, ":"):
			u.Asked = "the argument " + w.Text + " of tar may start or write something"
			return u
		default:
			u.Reads = append(u.Reads, w)
		}
	}
	if !lists {
		u.Asked = "tar writes what an archive names"
	}
	return u
}

// judgeWget: wget writes a file whose name the server may choose.
func judgeWget(_ string, args []shell.Word) Use {
	u := Use{Known: true, Changes: true}
	quiet := false
	for _, w := range args {
		switch {
		case !w.Known:
			u.Asked = "an argument may turn into an option"
			return u
		case w.Text == "-qO-" || w.Text == "-O-" || w.Text == "--spider" || w.Text == "--output-document=-":
			quiet = true
		case w.Text == "-q" || w.Text == "-nv" || w.Text == "-S" || w.Text == "--quiet":
		case strings.HasPrefix(w.Text, "-"), !isWebAddress(w.Text):
			u.Asked = "the argument " + w.Text + " of wget may start or write something"
			return u
		}
	}
	if !quiet {
		u.Asked = "wget writes a file that the server may name"
	}
	return u
}

// isWebAddress reports whether a word is the address of a page.
func isWebAddress(word string) bool {
	scheme, _, ok := strings.Cut(word, "://")
	return word != "" && word[0] != '-' && (!ok || scheme == "https" || scheme == "http") && !strings.ContainsAny(word, "{}[]@\\") &&
		!strings.HasPrefix(strings.ToLower(word), "file:")
}

// judgeMake: variables on the command line go into the commands of a makefile.
func judgeMake(_ string, args []shell.Word) Use {
	u := Use{Known: true}
	for i := 0; i < len(args); i++ {
		w := args[i]
		name, value, variable := strings.Cut(w.Text, "=")
		switch {
		case !w.Known:
			u.Asked = "an argument may turn into an option"
		case slices.Contains([]string{"-n", "-k", "-s", "-B", "-i", "-q", "-w", "-j", "--silent", "--dry-run", "--keep-going", "--always-make", "--no-print-directory"}, w.Text),
			strings.HasPrefix(w.Text, "-j") && strings.Trim(w.Text[2:], "0123456789") == "":
		case strings.HasPrefix(w.Text, "-"):
			u.Asked = "the option " + w.Text + " of make may start something"
		case variable && (Variable(name) != "" || strings.ContainsAny(name, ":+?! ") || strings.ContainsFunc(value, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("._-", c)
		})):
			u.Asked = "the variable " + name + " may change what runs"
		}
	}
	return u
}

// judgeSqlite: its own commands begin with a dot, and some of its functions read, write and load files. Without a command it
// reads them from its input.
func judgeSqlite(_ string, args []shell.Word) Use {
	u := Use{Known: true}
	var rest []shell.Word
	for _, w := range args {
		text := strings.ToLower(w.Text)
		switch {
		case !w.Known:
			u.Asked = "what it runs is computed"
		case strings.HasPrefix(text, "-") && !slices.Contains(strings.Fields("-header -json -csv -column -line -list -readonly -box -table -markdown -batch"), text):
			u.Asked = "the option " + w.Text + " may start or read something"
		case strings.HasPrefix(text, "-"):
		default:
			rest = append(rest, w)
		}
	}
	if len(rest) != 2 {
		u.Asked = "its commands come from its input"
		return u
	}
	u.Writes = rest[:1]
	sql := strings.ToLower(rest[1].Text)
	if strings.HasPrefix(strings.TrimLeft(sql, " \t"), ".") || strings.HasPrefix(strings.ToLower(rest[0].Text), "file:") ||
		slices.ContainsFunc([]string{"\n", "(", "attach", "into", "pragma", "detach"}, func(bad string) bool { return strings.Contains(sql, bad) }) {
		u.Asked = "its commands may run or write something"
	}
	return u
}

// judgePsql: backslashes begin its own commands, some of which run others. Without -c it reads them from its input.
func judgePsql(_ string, args []shell.Word) Use {
	u := Use{Known: true}
	given := false
	for _, w := range args {
		text := strings.ToLower(w.Text)
		switch {
		case !w.Known:
			u.Asked = "what it runs is computed"
		case strings.HasPrefix(text, "-") && !slices.Contains(strings.Fields("-c -d -h -U -p -t -A -x -q --csv -tc -Atc -l"), w.Text):
			u.Asked = "the option " + w.Text + " may start or read something"
		case slices.ContainsFunc([]string{`\`, "program", "copy", "pg_", "lo_", "://", "=", "language", "/*", "u&", "do $", "dblink"},
			func(bad string) bool { return strings.Contains(text, bad) }):
			u.Asked = "its commands may run or write something"
		}
		given = given || strings.HasPrefix(w.Text, "-") && strings.HasSuffix(w.Text, "c") || w.Text == "-l"
	}
	if !given {
		u.Asked = "its commands come from its input"
	}
	return u
}
