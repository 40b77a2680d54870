package patch

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quoted returns a name as git writes it in a patch: in quotes if it holds anything that is not plainly seen.
func quoted(name string) string {
	var b strings.Builder
	plain := true
	for at := 0; at < len(name); {
		r, size := utf8.DecodeRuneInString(name[at:])
		part := name[at : at+size]
		at += size
		switch {
		case r == '"' || r == '\\':
			plain = false
			b.WriteString(`\` + part)
		case r == '\n':
			plain = false
			b.WriteString(`\n`)
		case r == '\t':
			plain = false
			b.WriteString(`\t`)
		case r == utf8.RuneError || r != ' ' && !unicode.IsGraphic(r) || unicode.IsSpace(r) && r != ' ' || unicode.Is(unicode.Variation_Selector, r):
			plain = false
			for _, c := range []byte(part) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteString(part)
		}
	}
	if plain {
		return name
	}
	return `"` + b.String() + `"`
}

// ended returns a name for a line that begins with --- or +++. A tab ends one with blanks, because a time could follow.
func ended(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return name + "\t"
	}
	return name
}
