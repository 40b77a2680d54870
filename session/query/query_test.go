package query

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// here is where the queries of the tests are typed.
var here = Place{Now: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC), Dir: "/repos/x", Home: "/home/me"}

func TestQueriesOfWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"  Upload jitter ":           "upload|jitter",
		`"Upload  Test" jitter`:      "upload test|jitter",
		`"not ended yet`:             "not ended yet",
		`say "no`:                    "say|no",
		`it"s a"b`:                   `it"s|a"b`,
		`"" " "`:                     "",
		"http://host/a:b error:":     "http://host/a:b|error:",
		`note:"two words"`:           "note:two words",
		"agent: model:":              "",
		"agent:claude up dir:x down": "up|down",
		":x":                         ":x",
	} {
		q, err := Parse(text, here)
		if got := strings.Join(q.Terms, "|"); got != want || err != nil {
			t.Errorf("%q: %q, want %q, %v", text, got, want, err)
		}
	}
}

func TestFilters(t *testing.T) {
	at := func(month time.Month, day, hour int) time.Time {
		return time.Date(2026, month, day, hour, 0, 0, 0, time.UTC)
	}
	all := []session.Meta{
		{ID: "a", Agent: "claude", Dir: "/repos/x", Model: "claude-sonnet-4.5", Branch: "main", Tags: []string{"infra", "upload"}, Updated: at(11, 29, 9)},
		{ID: "b", Agent: "builtin", Dir: "/repos/x/sub", Dirs: []string{"/repos/lib"}, Model: "gpt-5", Branch: "fix/Upload", Pinned: true, Updated: at(11, 28, 23)},
		{ID: "c", Agent: "copilot", Dir: "/repos/xy", Updated: at(10, 31, 0), Archived: true},
		{ID: "d", Agent: "codex", Dir: "/home/me/My Work/p", Updated: at(1, 2, 0)},
		{ID: "e", Agent: "claude", Dir: "/repos/x", Updated: at(1, 2, 0), Deleted: at(11, 29, 10)},
	}
	for text, want := range map[string]string{
		"":                             "abd",
		"word":                         "abcd",
		"agent:":                       "abd",
		"agent:c":                      "acd",
		"AGENT:Claude":                 "a",
		"agent:parley":                 "b",
		"agent:claude agent:builtin":   "",
		"model:sonnet":                 "a",
		"branch:upload":                "b",
		"dir:.":                        "ab",
		"dir:/repos/x/":                "ab",
		"dir:/repos":                   "abc",
		"dir:/repos/lib":               "b",
		"dir:../xy":                    "c",
		"dir:~":                        "d",
		`dir:"~/My Work"`:              "d",
		`dir:"my work"`:                "d",
		"dir:xy":                       "c",
		"before:2026-11-28":            "cd",
		"before:today":                 "bcd",
		"after:today":                  "a",
		"after:yesterday":              "ab",
		"after:2026-10 before:2026-11": "c",
		"tag:inf":                      "a",
		"tag:upload tag:infra":         "a",
		"tag:load":                     "",
		"is:pinned":                    "b",
		"is:Archived":                  "c",
		"is:Deleted":                   "e",
		"IS:deleted word agent:claude": "e",
		"is:deleted agent:codex":       "",
		"before:2026":                  "",
		"before:4w":                    "cd",
		"after:13h":                    "ab",
		"after:9999w":                  "abcd",
	} {
		q, err := Parse(text, here)
		got := ""
		for i := range all {
			if q.Passes(&all[i]) {
				got += string(all[i].ID)
			}
		}
		if got != want || err != nil {
			t.Errorf("%q: %q, want %q, %v", text, got, want, err)
		}
	}
	if dirs(&all[1]); len(all[1].Dirs) != 1 || cap(all[1].Dirs) != 1 {
		t.Error("a session got a directory")
	}
}

// TestWrongFilters reports values that mean nothing, and leaves them out.
func TestWrongFilters(t *testing.T) {
	for text, want := range map[string]string{
		"before:soon":      "before:soon: give a date",
		"after:2026-13-01": "after:2026-13-01: give a date",
		"before:7m":        "give a date",
		"is:open":          "is:open: give pinned, archived or deleted",
		"before:d":         "give a date",
		"before:99999999d": "give a date",
	} {
		q, err := Parse("word "+text, here)
		if err == nil || !strings.Contains(err.Error(), want) || q.Filters() || !slices.Equal(q.Terms, []string{"word"}) {
			t.Errorf("%q: %+v, %v", text, q, err)
		}
	}
	if _, err := Parse("dir:.", Place{}); err == nil {
		t.Error("a directory relative to none")
	}
}

// A folder is found below another one, and by a part of its path; on Windows in any case and with either separator.
func TestFolders(t *testing.T) {
	root, err := filepath.Abs("/Repos")
	if err != nil {
		t.Fatal(err)
	}
	other := runtime.GOOS == "windows"
	for value, want := range map[string]bool{root: true, filepath.ToSlash(root): true, "./app": true, "../Repos": true, "repos/app": true,
		root + "/ap": false, strings.ToLower(root): other, `.\app`: other, `~\app`: other, `repos\app`: other} {
		passes, err := byDir(value, Place{Dir: root, Home: root})
		if err != nil {
			t.Fatal(err)
		}
		if got := passes(&session.Meta{Dir: filepath.Join(root, "App", "x")}) || passes(&session.Meta{Dir: filepath.Join(root, "app", "x")}); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}

// TestLine reads arguments as one line: what has a space is a phrase, unless it has quotes of its own.
func TestLine(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{`upload jitter`, []string{"upload", "jitter"}},
		{`"upload test" agent:x`, []string{"upload test", "agent:x"}},
		{`dir:"/a b" note:" this"`, []string{"dir:/a b", "note: this"}},
		{`"in a: b"`, []string{"in a: b"}},
		{`say "it is" so`, []string{`say "it is" so`}},
	} {
		if got := Line(c.args); got != c.want {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
}

// FuzzParse reads any line: what it finds is in the line, and reading the terms again finds the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"upload", `"a b" c`, `agent:"x`, "before:7d", "is:", `a:b:c"`, "dir:~/x", "\x00\xff:", "before:\u0660d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, _ := Parse(text, here)
		m := session.Meta{Agent: text, Dir: text, Updated: here.Now}
		q.Passes(&m)
		for _, term := range q.Terms {
			if term == "" || strings.TrimSpace(term) != term {
				t.Errorf("%q: the term %q", text, term)
			}
		}
	})
}
