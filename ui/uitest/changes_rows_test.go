package uitest

import (
	"strings"
	"testing"

	"parley/session"
)

// ranGenerate plays a command, and what was found that it changed.
func ranGenerate(p *Program) {
	p.Type("generate it")
	turn := p.Turn()
	call := turn.Tool("Bash", `{"command":"go generate ./..."}`, "generated 14 files\nok\n")
	turn.Text("Generated.")
	turn.End(session.TurnCompleted)
	p.Settle()
	turn.Emit(session.FilesChanged{Unaccepted: 14})
	turn.Emit(session.FilesChanged{Call: call, More: 11, Gap: "What ignored files contained is not known.", Edits: []session.FileEdit{
		{Path: Dir + "/internal/mocks/client.go", Added: 1, Removed: 1, Patch: "@@ -1,3 +1,3 @@\n package mocks\n \n-type Client struct{}\n+type Client struct{ calls int }\n"},
		{Path: Dir + "/logo.png", Note: "binary, was 3 kB"},
		{Path: Dir + "/old\x1b[31m.go", Deleted: true, Removed: 1, Patch: "@@ -1,1 +0,0 @@\n-package old\n"},
	}})
	p.Settle()
}

// What a command changed stands in its row, and below when it is opened, also after the end of its turn.
func TestCommandShowsWhatItChanged(t *testing.T) {
	for name, size := range map[string][2]int{"command-changed": {120, 40}, "command-changed-80x24": {80, 24}, "command-changed-40x12": {40, 12}} {
		Run(t, Config{Width: size[0], Height: size[1]}, func(p *Program) {
			ranGenerate(p)
			if size[0] >= 80 && !p.Has("changed 14 files +1 -2") {
				t.Errorf("the row does not say it:\n%s", p.Text())
			}
			p.Keys("tab")
			p.Golden(name)
			for _, want := range []string{"type Client struct{ calls int }", "binary, was 3 kB", "… and 11 more files", "What ignored files contained is not known."} {
				if size[1] >= 40 && !p.Has(want) {
					t.Errorf("%q is not shown:\n%s", want, p.Text())
				}
			}
			p.Keys("ctrl+f")
			p.Send("calls int")
			p.Keys("enter")
			if !p.Has("1 of 1") && !p.Has("1/1") {
				t.Errorf("it cannot be found:\n%s", p.Text())
			}
			if raw := p.Raw(); strings.Contains(raw, "old\x1b[31m") {
				t.Error("a path drives the terminal")
			}
		})
	}
}

// The chat in lines says it too, and prints the patches with the output of the call.
func TestCommandChangesInLines(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("generate it")
		turn := l.Agent.Turn(l.T)
		call := turn.Tool("Bash", `{"command":"go generate ./..."}`, "ok\n")
		turn.Emit(session.FilesChanged{Unaccepted: 1})
		turn.Emit(session.FilesChanged{Call: call, Edits: []session.FileEdit{{Path: Dir + "/a.go", Added: 1, Patch: "@@ -0,0 +1,1 @@\n+package a\n"}}})
		turn.End(session.TurnCompleted)
		l.Settle()
		l.Type("/output")
		for _, want := range []string{"note: the command changed 1 file, +1 -0", "+package a"} {
			if !strings.Contains(l.Said(), want) {
				t.Errorf("%q is missing:\n%s", want, l.Said())
			}
		}
	})
}
