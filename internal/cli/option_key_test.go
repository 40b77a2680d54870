package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/ui/keymap"
)

// otherWays are what does the same as a key with alt where neither another key nor a command nor the palette does: all of it is
// about what is being written.
var otherWays = map[string]string{
	"text-start": "`up` to the first row, then `home`", "text-end": "`down` to the last row, then `end`",
	"cut-word-right": "`ctrl+right`, then `ctrl+w`", "put-older": "`ctrl+y` pastes the last cut only", "redo": "type it again",
	"upper-word": "type it again", "lower-word": "type it again", "title-word": "type it again", "transpose": "type them again",
}

// TestGeneratedWaysWithoutAlt lists each key with alt of the table with another way to do the same: many terminals of macOS type a
// character instead.
func TestGeneratedWaysWithoutAlt(t *testing.T) {
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := strings.Builder{}
	b.WriteString("| key | what it does | without option |\n| --- | --- | --- |\n")
	alt := func(k string) bool { return strings.HasPrefix(k, "alt+") }
	seen := map[string]bool{}
	for _, row := range keys.Rows {
		if !slices.ContainsFunc(row.Keys, alt) {
			continue
		}
		seen[row.Name] = true
		with, without := []string{}, []string{}
		for _, k := range row.Keys {
			if alt(k) {
				with = append(with, "`"+k+"`")
			} else {
				without = append(without, "`"+k+"`")
			}
		}
		if row.Act == keymap.RunCommand {
			without = append(without, "`"+row.Name+"`")
		}
		other, listed := otherWays[row.Name], row.Act != keymap.None && row.Act != keymap.RunCommand
		switch {
		case len(without) > 0:
		case listed:
			without = []string{"`ctrl+k` on an empty line, then `" + row.Name + "`"}
		case other != "":
			without = []string{other}
		default:
			t.Errorf("%s has only keys with alt: %q", row.Name, row.Keys)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", strings.Join(with, " "), row.Help, strings.Join(without, ", "))
	}
	for name := range otherWays {
		if !seen[name] {
			t.Errorf("%s has no key with alt", name)
		}
	}
	within(t, "docs/macos.md", "without alt", []byte(b.String()))
}
