package uitest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
	"parley/ui"
)

// gatedJournals make no journal before the gate is opened, as a disk that is slow.
type gatedJournals struct {
	session.Journals
	gate chan struct{}
}

func (g *gatedJournals) Create(ctx context.Context, m session.Meta) (session.Journal, error) {
	select {
	case <-g.gate:
		return g.Journals.Create(ctx, m)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// watchedDrafts are drafts that look at every text that is forgotten.
type watchedDrafts struct {
	*memoryDrafts
	gone func(key, was string)
}

func (d watchedDrafts) Save(key, text string) error {
	if was := d.get(key); was != "" && text == "" {
		d.gone(key, was)
	}
	return d.memoryDrafts.Save(key, text)
}

// promptsOnDisk are the prompts of all journals, joined.
func promptsOnDisk(w *sessiontest.World, id session.ID) string {
	var all []string
	for _, e := range w.Journals.Stored(id) {
		switch e := e.(type) {
		case session.TurnStarted:
			all = append(all, e.Prompt.Text)
		case session.Queued:
			all = append(all, e.Prompt.Text)
		}
	}
	return strings.Join(all, "\n")
}

// TestPromptIsInItsDraftUntilItIsStored holds the disk of the sessions up at enter: whenever the process is killed, what
// was sent is in a draft or in the journal.
func TestPromptIsInItsDraftUntilItIsStored(t *testing.T) {
	w := sessiontest.NewWorld()
	gated := &gatedJournals{Journals: w.Journals}
	w.Deps.Journals = gated
	drafts := &memoryDrafts{}
	var id session.ID
	watched := watchedDrafts{drafts, func(key, was string) {
		stored := promptsOnDisk(w, id) + drafts.get("session:"+string(id))
		for _, words := range []string{"first words", "the second", "half a third"} {
			if strings.Contains(was, words) && !strings.Contains(stored, words) {
				t.Errorf("%q went from the draft %s and is in no journal", words, key)
			}
		}
	}}
	with := func(o *ui.Options) { o.Drafts, gated.gate = watched, make(chan struct{}) }
	Run(t, Config{World: w, Options: with}, func(p *Program) {
		id = p.Session.ID()
		p.Type("first words")
		p.Pass(time.Second)
		p.Type("the second")
		p.Send("half a third")
		p.Pass(time.Second)
		draft := drafts.get("dir:" + Dir)
		for _, words := range []string{"first words", "the second", "half a third"} {
			if !strings.Contains(draft, words) || strings.Count(draft, words) != 1 {
				t.Errorf("with nothing stored, the draft is %q", draft)
			}
		}
		close(gated.gate)
		turn := p.Turn()
		p.Settle()
		if got := drafts.get("dir:" + Dir); got != "" {
			t.Errorf("with all stored, the draft of the directory is %q", got)
		}
		if got := drafts.get("session:" + string(id)); !strings.Contains(got, "half a third") || strings.Contains(got, "second") {
			t.Errorf("with all stored, the draft of the session is %q", got)
		}
		turn.End(session.TurnCompleted)
		p.Turn().End(session.TurnCompleted)
		p.Settle()
	})
}

// TestPromptThatCannotBeStoredStaysADraft fails to store a prompt, and finds it again in the next process; when the disk
// works again before, it is forgotten with the next prompt.
func TestPromptThatCannotBeStoredStaysADraft(t *testing.T) {
	for _, mends := range []bool{false, true} {
		w := sessiontest.NewWorld()
		w.Journals.Fail("create", errors.New("no space left"))
		drafts := &memoryDrafts{}
		with := func(o *ui.Options) { o.Drafts = drafts }
		Run(t, Config{World: w, Options: with}, func(p *Program) {
			p.Type("first words")
			p.Pass(time.Second)
			p.Send("and more")
			p.Pass(time.Second)
			if mends {
				w.Journals.Fail("create", nil)
				p.Keys("enter")
				p.Turn().End(session.TurnCompleted)
				p.Settle()
			}
		})
		got := drafts.get("dir:" + Dir)
		if mends && got != "" {
			t.Errorf("after all was stored the draft is %q", got)
		}
		if !mends && (!strings.Contains(got, "first words") || !strings.Contains(got, "and more")) {
			t.Errorf("with nothing stored the draft is %q", got)
		}
	}
}

// TestWordsOfTheCommandLineLeaveTheDraftAlone starts with a prompt while a draft of the directory waits.
func TestWordsOfTheCommandLineLeaveTheDraftAlone(t *testing.T) {
	drafts := &memoryDrafts{texts: map[string]string{"dir:" + Dir: "half a thought"}}
	Run(t, Config{Options: func(o *ui.Options) { o.Drafts, o.First = drafts, "from the command line" }}, func(p *Program) {
		turn := p.Turn()
		if turn.Prompt.Text != "from the command line" || !p.Has("> half a thought") {
			t.Errorf("sent %q:\n%s", turn.Prompt.Text, p.Text())
		}
		turn.End(session.TurnCompleted)
		p.Settle()
		if got := drafts.get("session:" + string(p.Session.ID())); !strings.Contains(got, "half a thought") {
			t.Errorf("the draft is %q", got)
		}
	})
}
