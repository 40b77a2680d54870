package toolview

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// abs returns a path in the directory of the tests, "" for none.
func abs(name string) string {
	if name == "" {
		return ""
	}
	return "/repo/" + name
}

func TestTallyWords(t *testing.T) {
	for _, c := range []struct {
		calls               string // a tool, a colon and its path or pattern
		past, present, want string
	}{
		{"Read:a Read:b", "read 2 files", "reading 2 files", "wants to read 2 files"},
		{"Read:a Grep:x Read:b view:c Glob:y", "read 3 files, searched twice", "reading 3 files, searching twice", "wants to read 3 files, search twice"},
		{"Grep:x Read:a", "read a, searched", "reading a, searching", "wants to read a, search"},
		{"Grep:x Grep:x rg:y", "searched 3 times", "searching 3 times", "wants to search 3 times"},
		{"Read:a Read:a", "read a twice", "reading a twice", "wants to read a twice"},
		{"Read:a Read:a Read:b", "read 2 files", "reading 2 files", "wants to read 2 files"},
		{"Read: Read:a Read:", "read 3 files", "reading 3 files", "wants to read 3 files"}, // not written yet
		{"LS:a LS:b LS:a", "listed 2 directories", "listing 2 directories", "wants to list 2 directories"},
		{"Read:a LS:a", "read a, listed 1 directory", "reading a, listing 1 directory", "wants to read a, list 1 directory"},
	} {
		var tally Tally
		for call := range strings.FieldsSeq(c.calls) {
			name, path, _ := strings.Cut(call, ":")
			in, _ := json.Marshal(map[string]string{"file_path": abs(path), "path": abs(path), "pattern": path})
			if !Shares(name, in) {
				t.Fatalf("%s shares no row", name)
			}
			tally.Add(name, in)
		}
		plain := func(s string) string { return s }
		got := fmt.Sprint(tally.Words(Done, "/repo", plain), " | ", tally.Words(Running, "/repo", plain), " | ", tally.Words(Waiting, "/repo", plain))
		if want := c.past + " | " + c.present + " | " + c.want; got != want {
			t.Errorf("%s: %s, want %s", c.calls, got, want)
		}
	}
}

// TestSharesIsOnlyForLooking lists all tools whose calls share a row: none of them changes anything, and each has words.
func TestSharesIsOnlyForLooking(t *testing.T) {
	for name := range toolRows {
		d := Describe(name, nil, "")
		if Shares(name, nil) && d.Kind != Read && d.Kind != Search {
			t.Errorf("%s shares a row", name)
		}
	}
	for name, want := range map[string]bool{"Read": true, "view": true, "Grep": true, "glob": true, "LS": true, "NotebookRead": true,
		"Bash": false, "Edit": false, "WebFetch": false, "BashOutput": false, "list_bash": false, "read_agent": false, "show_file": false,
		"mcp__a__b": false, "Unknown": false, "": false} {
		if got := Shares(name, nil); got != want {
			t.Errorf("%s shares a row: %v", name, got)
		}
	}
	for command, want := range map[string]bool{"view": true, "create": false, "str_replace": false} {
		if got := Shares("str_replace_editor", json.RawMessage(`{"command":"`+command+`","path":"/a"}`)); got != want {
			t.Errorf("the editor's %s shares a row: %v", command, got)
		}
	}
}

// TestTallyNames has each name once, not all of many, and none that the words hold already.
func TestTallyNames(t *testing.T) {
	count := func(calls ...string) *Tally {
		var tally Tally
		for _, call := range calls {
			name, what, _ := strings.Cut(call, ":")
			in, _ := json.Marshal(map[string]string{"file_path": abs(what), "path": abs(what), "pattern": what})
			tally.Add(name, in)
		}
		return &tally
	}
	for _, c := range []struct {
		tally *Tally
		want  string
	}{
		{count("Read:src/a.go", "Read:b.go", "Grep:x", "Grep:x"), "a.go b.go x"},
		{count("Read:src/a.go", "Grep:x"), "x"},
		{count("Read:a", "Read:a"), ""},
		{count("LS:src", "LS:docs"), "src docs"},
	} {
		if got := strings.Join(c.tally.Names(), " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	many := count()
	for i := range 1000 {
		many.Add("Read", json.RawMessage(fmt.Sprintf(`{"file_path":"/repo/%d"}`, i)))
	}
	if n := len(many.Names()); n != maxNames {
		t.Errorf("%d names are kept", n)
	}
	more := many.Clone()
	more.Add("Grep", json.RawMessage(`{"pattern":"y"}`))
	if len(many.Names()) != maxNames {
		t.Error("a clone changes what it was made from")
	}
}
