package input

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// Prompts of this session are there at once, those of others join them, and enter takes the selected one.
func TestSearchFindsPastPrompts(t *testing.T) {
	f := newField(t, func(o *Options) {
		o.Prompts = func(_ context.Context, yield func([]session.PastPrompt) bool) error {
			yield([]session.PastPrompt{{Text: "mend the parser", Dir: "/project"}, {Text: "mend the printer", Dir: "/elsewhere"}})
			return nil
		}
	})
	f.SetHistory([]string{"here and now"})
	f.write("draft")
	f.run(f.OpenSearch())
	if s := f.screen(); !strings.Contains(s, "here and now") || !f.Searching() {
		t.Fatalf("the search shows\n%s", s)
	}
	f.until("the others are read", func() bool { return strings.Contains(f.screen(), "/elsewhere") })
	f.update(tea.PasteMsg{Content: "mend"})
	f.key("down")
	f.key("up")
	f.key("up")
	if a := f.key("enter"); a != nil || f.Searching() {
		t.Errorf("enter gives %#v, searching %v", a, f.Searching())
	}
	f.want("mend the printer")
}

// Closing the search ends the reading of prompts and leaves the text as it was.
func TestClosedSearchStopsReading(t *testing.T) {
	ended := make(chan error, 1)
	f := newField(t, func(o *Options) {
		o.Prompts = func(ctx context.Context, _ func([]session.PastPrompt) bool) error {
			<-ctx.Done()
			ended <- ctx.Err()
			return ctx.Err()
		}
	})
	f.write("draft")
	f.run(f.OpenSearch())
	late := pastMsg{of: f.search}
	f.key("esc")
	if err := <-ended; err == nil {
		t.Error("reading ended without the context")
	}
	f.update(late)
	f.want("draft")
	f.CloseSearch()
}
