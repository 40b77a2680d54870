package patch

import (
	"fmt"
	"strings"
	"testing"

	"parley/session/changes"
	"parley/session/changes/snapshot"
)

// st returns a state: "-" is nothing, ">x" a link to x, "*x" a program, anything else a file.
func st(text string) snapshot.State {
	switch {
	case text == "-":
		return snapshot.State{Kind: snapshot.None}
	case strings.HasPrefix(text, ">"):
		return snapshot.State{Kind: snapshot.Link, Target: text[1:]}
	case strings.HasPrefix(text, "*"):
		return snapshot.State{Kind: snapshot.File, Mode: 0o755, Size: int64(len(text) - 1), Sum: "sum of " + text[1:]}
	}
	return snapshot.State{Kind: snapshot.File, Mode: 0o644, Size: int64(len(text)), Sum: "sum of " + text}
}

// history returns changes from "path before after status" each.
func history(lines ...string) (all []changes.Change) {
	for _, line := range lines {
		f := strings.Fields(line)
		all = append(all, changes.Change{Path: f[0], Before: st(f[1]), After: st(f[2]), Status: changes.Status(f[3])})
	}
	return all
}

func TestNet(t *testing.T) {
	for name, tc := range map[string]struct {
		changes []changes.Change
		want    string
	}{
		"nothing":            {nil, ""},
		"two edits":          {history("/f A B open", "/f B C accepted"), "/f A>C open"},
		"all accepted":       {history("/f A B accepted", "/f B C accepted"), "/f A>C accepted"},
		"yours between":      {history("/f A B open", "/f X C open"), "/f A>C open"},
		"back again":         {history("/f A B open", "/f B A open"), ""},
		"made and removed":   {history("/f - B open", "/f B - open"), ""},
		"in order":           {history("/g A B open", "/f A B open"), "/f A>B open, /g A>B open"},
		"renamed":            {history("/old A - open", "/new - A accepted"), "/old=/new A>A open"},
		"renamed, later":     {history("/new - A open", "/old A - open"), "/old=/new A>A open"},
		"renamed, made run":  {history("/old A - open", "/new - *A open"), "/old=/new A>A open"},
		"renamed and edited": {history("/old A - open", "/new - B open"), "/new ->B open, /old A>- open"},
		"two of one content": {history("/a A - open", "/b A - open", "/c - A open"), "/b A>- open, /a=/c A>A open"},
		"undone":             {history("/f A B undone"), "/f A>B undone"},
	} {
		var got []string
		for _, f := range Net(tc.changes) {
			path := f.Path
			if f.From != "" {
				path = f.From + "=" + path
			}
			show := func(s snapshot.State) string {
				if s.Kind == snapshot.None {
					return "-"
				}
				return strings.TrimPrefix(s.Sum, "sum of ")
			}
			got = append(got, fmt.Sprintf("%s %s>%s %s", path, show(f.Before), show(f.After), f.Status))
		}
		if s := strings.Join(got, ", "); s != tc.want {
			t.Errorf("%s: %s, want %s", name, s, tc.want)
		}
	}
}

func TestNamesOfPatches(t *testing.T) {
	for path, want := range map[string]string{
		"/project/a.go": "a.go", "/project/sub/a b": "sub/a b", "/project": "/project", "/projects/a": "/projects/a", "/a": "/a", "/project/..a": "..a",
	} {
		if got := Name("/project", path); got != want && !(path == "/project" && got == ".") {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	for name, want := range map[string]string{
		"a b": "a b", "ä日": "ä日", `a"b\`: `"a\"b\\"`, "a\nb\tc": `"a\nb\tc"`, "a\x1b[2J": `"a\033[2J"`, "a\u202eb": `"a\342\200\256b"`, "a\xffb": `"a\377b"`,
		"a\u00a0b": `"a\302\240b"`, "�": `"\357\277\275"`,
	} {
		if got := quoted(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
