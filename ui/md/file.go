package md

import (
	"strings"

	"github.com/alecthomas/chroma/v2"

	"parley/ui/md/cells"
	"parley/ui/md/highlight"
)

// quietToken is the kind of text among code that is not code.
const quietToken = int16(chroma.Comment)

// File lays out a file as tools return it, in the colors of the language of its name. Lines may be numbered ("12→", "12\t",
// "12. "); numbers, and lines without one among numbered lines, are quiet. It returns false if the language is unknown.
func File(text, name string, o Options) ([]string, bool) {
	if !(highlight.Language{Name: name, File: true}).Known() {
		return nil, false
	}
	r := newRenderer(o)
	lines := strings.Split(strings.TrimSuffix(cells.Visible(text), "\n"), "\n")
	numbers := make([]int, len(lines))
	numbered := numberLength(lines[0]) > 0
	var code []byte
	for i, line := range lines {
		if numbers[i] = numberLength(line); !numbered {
			numbers[i] = 0
		} else if numbers[i] == 0 {
			continue
		}
		code = append(append(code, line[numbers[i]:]...), '\n')
	}
	h := highlight.Lines{Tokens: r.colors.fileTokens(name, code)}
	b := r.outer()
	b.look = b.look.with(r.theme.source.look).with(r.theme.source.plain)
	quiet := b
	quiet.look = r.base.with(r.theme.source.quiet)
	var rows []string
	for i, line := range lines {
		if numbered && numbers[i] == 0 {
			rows = r.codeLine(rows, nil, []byte(line), quiet)
			continue
		}
		toks := []highlight.Token{{End: int32(numbers[i]), Kind: quietToken}}
		for _, t := range h.Next(len(line) - numbers[i]) {
			toks = append(toks, highlight.Token{End: t.End + int32(numbers[i]), Kind: t.Kind})
		}
		rows = r.codeLine(rows, toks, []byte(line), b)
	}
	return rows, true
}

// numberLength returns the length of the number that a line begins with, its separator included; 0 if there is none.
func numberLength(line string) int {
	rest := strings.TrimLeft(line, " ")
	digits := strings.TrimLeft(rest, "0123456789")
	if len(digits) == len(rest) {
		return 0
	}
	for _, sep := range []string{"\t", "→", ". ", ": "} {
		if strings.HasPrefix(digits, sep) {
			return len(line) - len(digits) + len(sep)
		}
	}
	return 0
}
