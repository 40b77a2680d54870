package changes

import (
	"fmt"
	"strings"
	"testing"

	"parley/session/changes/snapshot"
)

func TestDiff(t *testing.T) {
	b := newLibrary(t)
	l := b.Log("s1")
	put := func(content string) snapshot.State {
		s, err := b.o.Store.Put(t.Context(), []byte(content))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	none := snapshot.State{Kind: snapshot.None}
	run := put("a\n")
	run.Mode = 0o755
	for _, c := range []struct {
		name     string
		from, to snapshot.State
		want     string
	}{
		{"equal", put("a\n"), put("a\n"), "+0 -0"},
		{"changed", put("a\nb\n"), put("a\nc\n"), "+1 -1: @@ -1,2 +1,2 @@| a|-b|+c|"},
		{"created", none, put("a\n"), "created +1 -0: @@ -0,0 +1 @@|+a|"},
		{"created empty", none, put(""), "created +0 -0"},
		{"removed", put("a\n"), none, "deleted +0 -1: @@ -1 +0,0 @@|-a|"},
		{"only the mode", put("a\n"), run, "+0 -0 (mode 644 to 755)"},
		{"the mode as well", put("b\n"), run, "+1 -1 (mode 644 to 755): @@ -1 +1 @@|-b|+a|"},
		{"binary", put("a\x00"), put("b\x00"), "+0 -0 (binary)"},
		{"now binary", put("a\n"), put("b\x00"), "+0 -0 (binary)"},
		{"not UTF-8", put("a\xff\n"), put("b\xff\n"), "+1 -1: @@ -1 +1 @@|-a\uFFFD|+b\uFFFD|"},
		{"only what is not UTF-8", put("a\xff\n"), put("a\xfe\n"), "+0 -0 (only bytes that are not text differ)"},
		{"line ends", put("a\nb\n"), put("a\r\nb\r\n"), "+2 -2 (line ends): @@ -1,2 +1,2 @@|-a|-b|+a\r|+b\r|"},
		{"too large", put("a\n"), put(strings.Repeat("a\n", maxDiff/2)), "+0 -0 (too large to compare, 4096 kB)"},
		{"not kept", snapshot.State{Kind: snapshot.File, Size: 1 << 30, Unkept: "it is larger than 32 MB"}, none,
			"deleted +0 -0 (not kept: it is larger than 32 MB)"},
		{"not read", snapshot.State{Kind: snapshot.File}, none, "deleted +0 -0 (not kept)"},
		{"swept", st("never kept"), none, "deleted +0 -0 (its content is not kept any more)"},
		{"now a link", put("a\n"), snapshot.State{Kind: snapshot.Link, Target: "x"}, "+0 -1 (now a link to x): @@ -1 +0,0 @@|-a|"},
		{"a link", none, snapshot.State{Kind: snapshot.Link, Target: "x"}, "created +0 -0 (link to x)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := l.Diff(t.Context(), "/f", c.from, c.to)
			if err != nil || e.Path != "/f" {
				t.Fatal(e.Path, err)
			}
			got := fmt.Sprintf("+%d -%d", e.Added, e.Removed)
			switch {
			case e.Created:
				got = "created " + got
			case e.Deleted:
				got = "deleted " + got
			}
			if e.Note != "" {
				got += " (" + e.Note + ")"
			}
			if e.Patch != "" {
				got += ": " + strings.ReplaceAll(e.Patch, "\n", "|")
			}
			if got != c.want {
				t.Errorf("%q\nwant %q", got, c.want)
			}
		})
	}
}

// The figure of interest is 50 ms for a file of 10,000 lines.
func BenchmarkDiff(b *testing.B) {
	lib := newLibrary(b)
	lines := make([]string, 10_000)
	for i := range lines {
		lines[i] = fmt.Sprintf("\tvalue%d := compute(%d, %q)", i, i%50, strings.Repeat("x", i%30))
	}
	put := func(edit func(i int, line string) string) snapshot.State {
		out := make([]string, len(lines))
		for i, l := range lines {
			out[i] = edit(i, l)
		}
		s, err := lib.o.Store.Put(b.Context(), []byte(strings.Join(out, "\n")+"\n"))
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	from := put(func(_ int, l string) string { return l })
	for name, to := range map[string]snapshot.State{
		"few edits":        put(func(i int, l string) string { return strings.Repeat("edited ", i%1999/1998) + l }),
		"every line":       put(func(i int, l string) string { return l + ";" }),
		"every other line": put(func(i int, l string) string { return strings.Repeat("\t", i%2) + l }),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := lib.Log("s1").Diff(b.Context(), "/f", from, to); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestNotes(t *testing.T) {
	file := func(mode uint32) snapshot.State { s := st("A"); s.Mode = octalMode(mode); return s }
	link := func(to string) snapshot.State { return snapshot.State{Kind: snapshot.Link, Target: to} }
	none := snapshot.State{Kind: snapshot.None}
	for _, c := range []struct {
		from, to snapshot.State
		want     string
	}{
		{file(0o644), file(0o644), ""},
		{file(0o644), file(0o755), "mode 644 to 755"},
		{file(0o755), file(0o4755), "mode 755 to 4755"},
		{file(0o600), file(0o004), "mode 600 to 004"},
		{none, file(0o644), ""},
		{none, file(0o755), "mode 755"},
		{file(0o755), none, ""},
		{none, link("x"), "link to x"},
		{link("x"), none, "link to x"},
		{link("x"), link("y"), "link to y, was to x"},
		{file(0o644), link("y"), "now a link to y"},
		{link("x"), file(0o644), "was a link to x"},
		{file(0o644), snapshot.State{Kind: snapshot.Other}, "now something that is not a file"},
	} {
		if got := strings.Join(about(c.from, c.to), ", "); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
