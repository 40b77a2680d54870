package shell

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// lineGroup is lines of one subject.
type lineGroup struct {
	dialect Dialect
	name    string
	lines   [][2]string
}

func TestRead(t *testing.T) {
	for _, group := range slices.Concat(linesOfCommands, linesOfWords) {
		t.Run(group.name, func(t *testing.T) {
			for _, row := range group.lines {
				line, err := Read(group.dialect, row[0])
				got := ""
				if err != nil {
					got = "# " + err.Error()
				} else {
					got = Print(line)
				}
				if got != row[1] {
					t.Errorf("%q\nis   %s\nwant %s", row[0], got, row[1])
				}
			}
		})
	}
}

// TestReadNamesAForm reads the form that a refusal names, wherever that is a line of its own.
func TestReadNamesAForm(t *testing.T) {
	of := strings.NewReplacer("NAME", "x", "VALUE", "1", "FILE", "f", "COMMAND", "ls", "[[ ]]", "[[ -f x ]]")
	forms := 0
	for _, group := range slices.Concat(linesOfCommands, linesOfWords) {
		for _, row := range group.lines {
			_, form, ok := strings.Cut(row[1], "(instead: ")
			form = of.Replace(strings.TrimSuffix(form, ")"))
			switch form = strings.TrimSuffix(form, " before the command"); {
			case !ok || slices.Contains(strings.Fields("the one a another quotes brackets several"), strings.Fields(form)[0]):
				continue
			case strings.HasSuffix(form, " alone"):
				continue
			case form == "if":
				form = "if a; then b; fi"
			case form == "for i in 1 2 3":
				form += "; do ls; done"
			case form == "<<'EOF'":
				form = "cat <<'EOF'\n$x\nEOF\n"
			case form == "'…', or printf":
				form = "printf '…'"
			case form == "$(…)":
				form = "ls $(ls)"
			case form == `"…"`:
				form = `ls "…"`
			case form == "> f or 2> f" || form == "> f or 2>&1":
				form = "ls " + strings.ReplaceAll(form, "or", "")
			case form == "$x":
				form = "ls $x"
			}
			forms++
			if _, err := Read(group.dialect, form); err != nil {
				t.Errorf("%q names %q: %v", row[0], form, err)
			}
		}
	}
	if forms < 50 {
		t.Errorf("only %d forms were read", forms)
	}
}

func TestReadLimits(t *testing.T) {
	nested := func(n int, open, end string) string { return strings.Repeat(open, n) + "a" + strings.Repeat(end, n) }
	for _, test := range []struct{ name, line, want string }{
		{"as long as may be", "a " + strings.Repeat("b", Longest-2), ""},
		{"too long", "a " + strings.Repeat("b", Longest-1), "it is too long"},
		{"as many as may be", strings.Repeat("a;", maxCommands), ""},
		{"too many", strings.Repeat("a;", maxCommands+1), "it has too many commands"},
		{"too many in a pipe", "a" + strings.Repeat("|a", maxCommands), "it has too many commands"},
		{"too many joined", "a" + strings.Repeat("&&a", maxCommands), "it has too many commands"},
		{"as deep as may be", nested(deepest-1, "( ", ")"), ""},
		{"too deep", nested(deepest, "( ", ")"), "it is nested too deeply"},
		{"too deep blocks", nested(deepest, "{ ", ";}"), "it is nested too deeply"},
		{"too deep outputs", "b " + nested(deepest, `"$(a `, `)"`), "it is nested too deeply"},
		{"too deep conditions", nested(deepest, "if ", ";then b;fi"), "it is nested too deeply"},
		{"too many elifs", "if a;then b;" + strings.Repeat("elif a;then b;", deepest) + "fi", "it is nested too deeply"},
		{"very deep", nested(4000, "( ", ")"), "it is "},
		{"many words of braces", "a {1,2,3,4,5,6,7,8}" + `''{1,2,3,4,5,6,7,8}`, ""},
		{"too many words of braces", "a {1,2,3,4,5,6,7,8}" + `''{1,2,3,4,5,6,7,8,9}`, "its braces make too many words"},
		{"not text", "a '\xff'", "it has bytes that are not text"},
		{"half a character", "a '\xe3\x81'", "it has bytes that are not text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			line, err := Read(Bash, test.line)
			switch {
			case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)):
				t.Errorf("%v, want %q", err, test.want)
			case err == nil && len(line) == 0:
				t.Error("nothing was read")
			}
		})
	}
}

// TestReadRefusesEveryCharacterThatShowsNothing reads characters in quotes, but for most of those that are much alike.
func TestReadRefusesEveryCharacterThatShowsNothing(t *testing.T) {
	for r := rune(1); r < 0xe0200; r++ {
		switch {
		case r == '\'':
			continue
		case r == 0x4e00, r == 0xac00, r == 0x20000: // letters of one kind, halves of characters, what is not assigned
			r = map[rune]rune{0x4e00: 0x9f00, 0xac00: 0xf800, 0x20000: 0xe0000}[r]
		}
		_, err := Read(Bash, "a '"+string(r)+"'")
		shows := r == ' ' || r == '\t' || r == '\n' || strconv.IsPrint(r) && !IsInvisible(r)
		if (err == nil) != shows {
			t.Fatalf("%U: %v, want it read: %v", r, err, shows)
		}
	}
}
