package program

import (
	"slices"
	"strings"

	"parley/internal/lazyregexp"
)

// An awk program reaches beyond its input by calling a function, by > and |, by getline, by @ and by variables of these names.
var (
	awkSigns = lazyregexp.New(`^(?:[\t\n !-?A-\[\]-_a-{}~]|\\[tn\\"/.*+?()\[\]{}^$dswSW-])*$`) // all of ASCII but | @ and the backquote
	awkCalls = lazyregexp.New(`([A-Za-z_][A-Za-z0-9_]*)[ \t\n]*\(`)
	awkWords = lazyregexp.New(`getline|nextfile|ENVIRON|ARG[CV]|PROCINFO|SYMTAB|FUNCTAB|BINMODE|LINT|CONVFMT|OFMT|%[^%]?[n*]`)
	awkKnown = strings.Fields(`length substr index split toupper tolower int sprintf gsub sub match sqrt log exp sin cos rand
 if else while for in do print printf return not and or BEGIN END NR NF FNR`)
)

// awkOnlyReads reports whether an awk program only reads its input, in every awk: it calls no function but those of a list, and
// has none of the signs and words by which it could write, run or read more, not even in a text.
func awkOnlyReads(program string) bool {
	if !awkSigns.MatchString(program) || awkWords.MatchString(program) {
		return false
	}
	for _, call := range awkCalls.FindAllStringSubmatch(program, -1) {
		if !slices.Contains(awkKnown, call[1]) {
			return false
		}
	}
	pattern, actions, _ := strings.Cut(program, "{")
	return strings.TrimSpace(program) != "" && !strings.Contains(pattern, ">>") && !mayWrite(actions)
}

// mayWrite reports whether a > in actions may be followed by a file: within brackets it compares. Where a text or a pattern may
// have brackets of its own, every > may.
func mayWrite(actions string) bool {
	depth := 0
	for _, c := range actions {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '>' && (depth <= 0 || strings.ContainsAny(actions, `"/`)):
			return true
		}
	}
	return false
}
