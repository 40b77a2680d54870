package input

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"parley/session"
	"parley/ui/textarea"
)

func TestEnterRunsTheSelectedCommand(t *testing.T) {
	f := newField(t, nil)
	f.write("/mo")
	if s := f.screen(); !strings.Contains(s, "❯ mode") || !strings.Contains(s, "model") {
		t.Fatalf("the list is\n%s", s)
	}
	f.key("down")
	if a := f.key("enter"); a != (Command{Name: "model", Text: "/model"}) {
		t.Errorf("enter gives %#v", a)
	}
	f.want("/mo")
}

// A command of the agent that takes arguments is completed, and runs only with the next enter.
func TestEnterCompletesCommandsThatWantMore(t *testing.T) {
	f := newField(t, nil)
	f.write("/rev")
	if a := f.key("enter"); a != nil {
		t.Errorf("enter gives %#v", a)
	}
	f.want("/review ")
}

func TestEnterCompletesAndSubmitsAnArgument(t *testing.T) {
	f := newField(t, nil)
	f.write("/mode edits")
	if a := f.key("enter"); a != (Command{"mode", "acceptEdits", "/mode acceptEdits "}) {
		t.Errorf("enter gives %#v", a)
	}
}

// Commands that come while their beginning is there are offered without another key.
func TestCommandsThatCome(t *testing.T) {
	var known atomic.Bool
	f := newField(t, func(o *Options) {
		o.Commands = func(query string) []textarea.Candidate {
			if known.Load() && strings.HasPrefix("deploy", query) {
				return []textarea.Candidate{{Text: "deploy"}}
			}
			return nil
		}
		o.ToCome = func() func(context.Context) error {
			if known.Load() {
				return nil
			}
			return func(context.Context) error { known.Store(true); return nil }
		}
	})
	f.write("/dep")
	f.until("deploy is offered", func() bool { return strings.Contains(f.screen(), "❯ deploy") })
}

func TestFilesAreCompletedFromTheDisk(t *testing.T) {
	f := newField(t, nil)
	f.write("see @ma")
	f.until("main.go is offered", func() bool { return strings.Contains(f.screen(), "❯ main.go") })
	f.key("tab")
	f.want("see @main.go ")
	f.write(":3")
	f.want("see @main.go:3")
}

// Tab goes into a directory and enter takes it, with the quotes that a blank needs.
func TestDirectoriesAreEnteredOrTaken(t *testing.T) {
	f := newField(t, nil)
	f.write("@do")
	f.until("docs is offered", func() bool { return strings.Contains(f.screen(), "❯ docs/") })
	f.key("tab")
	f.want("@docs/")
	f.until("its files are offered", func() bool { return strings.Contains(f.screen(), "a file.md") })
	for !strings.Contains(f.screen(), "❯ docs/a file.md") {
		f.key("down")
	}
	f.key("tab")
	f.want(`@"docs/a file.md" `)

	f.SetValue("")
	f.write("@do")
	f.until("docs is offered again", func() bool { return strings.Contains(f.screen(), "❯ docs/") })
	f.key("enter")
	f.want("@docs/ ")
}

func TestNoFileFits(t *testing.T) {
	f := newField(t, nil)
	f.write("@zzz")
	f.until("the search ends", func() bool { return strings.Contains(f.screen(), "no file fits") })
	if f.WantList() != 1 {
		t.Errorf("wants %d rows", f.WantList())
	}
	f.key("esc")
	if f.completion.Closed() && f.WantList() != 0 {
		t.Error("the closed list still wants rows")
	}
}

// A result of the directory of another session is dropped.
func TestFilesOfAnotherDirectoryAreDropped(t *testing.T) {
	f := newField(t, nil)
	f.write("@ma")
	f.until("main.go is offered", func() bool { return strings.Contains(f.screen(), "main.go") })
	old := foundMsg{tree: f.finder.tree, query: "ma"}
	f.chat.dir = "/other"
	f.write("i")
	f.until("the other directory is read", func() bool { return f.finder.answered == "mai" })
	found := len(f.finder.found)
	f.update(old)
	if len(f.finder.found) != found || f.finder.answered != "mai" {
		t.Error("an old result was taken")
	}
}

// Where the window is too low for the list, its keys edit the text.
func TestKeysOfAListThatIsNotShown(t *testing.T) {
	f := newField(t, func(o *Options) { o.Look.Height = 5 })
	f.write("/mo")
	if p, ok := f.key("enter").(Command); !ok || p.Name != "mo" {
		t.Errorf("enter gives %#v", p)
	}
}

// A key costs nothing that grows with the directory or the text.
func TestTypingAllocatesLittle(t *testing.T) {
	f := newField(t, nil)
	f.SetValue(strings.Repeat("words and more words\n", 2000))
	f.Rows(80, 8)
	allocs := testing.AllocsPerRun(100, func() {
		f.key("x")
		f.Rows(80, 8)
	})
	if allocs > 24 {
		t.Errorf("a key and its rows make %.0f allocations", allocs)
	}
}

// Resources of MCP servers are offered as files are, once something of them is written.
func TestResourcesAreOffered(t *testing.T) {
	f := newField(t, nil)
	f.o.Resources = func() []session.ServerResource {
		return []session.ServerResource{{Mention: "depot:test://notes", Name: "notes", About: "What to remember"}, {Mention: "depot:test://plan"}}
	}
	f.write("see @notes")
	if all, _ := f.completion.List(); len(all) != 1 || all[0].Text != "depot:test://notes" || all[0].Detail != "What to remember" {
		t.Fatalf("%+v", all)
	}
	f.key("tab")
	f.want("see @depot:test://notes ")
	f.write("@")
	if f.completion.Open() {
		t.Error("all resources are offered before anything is written")
	}
}
