package program

import (
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// Like returns how many words of a call name what it does, so that a rule with them and any arguments says something: three
// of "npm run lint x", two of "go test ./...". It is 0 if there is no such rule, and for programs that change files, where
// only the very call should be offered.
func Like(words []shell.Word, u Use) int {
	if u.Asked != "" || u.Changes {
		return 0
	}
	name := words[0].Text
	n := u.Needs
	switch {
	case slices.Contains([]string{"curl", "wget", "make", "gmake", "sqlite3", "psql", "npx", "env"}, name):
		if name != "npx" {
			return 0
		}
	case u.Safe && name != "git" && name != "go":
	default:
		n = max(n, 2)
	}
	if len(words) < n {
		return 0
	}
	for _, w := range words[1:n] {
		if !w.Known || !isSubcommand(w.Text) {
			return 0
		}
	}
	return n
}

// isSubcommand reports whether a word looks like the name of what a program does, and not like a file or a text.
func isSubcommand(word string) bool {
	if word == "" || word[0] < 'a' || word[0] > 'z' {
		return false
	}
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-_:") == ""
}
