package chat

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/core"
)

// memory is a store of drafts.
type memory map[string]string

func (d memory) Load(key string) (string, error) { return d[key], nil }

func (d memory) Save(key, text string) error {
	d[key] = text
	return nil
}

// What is written is saved once a moment later, under the key of its session.
func TestADraftIsSavedOnceLater(t *testing.T) {
	m, _ := longChat(t, 1)
	store := memory{}
	d := m.prompts.drafts
	m.opts.Drafts, d.keeper = store, core.NewDraftKeeper(store)
	d.changed()
	d.save()
	m.input.Update(tea.KeyPressMsg{Code: 'a', Text: "a"})
	if d.changed() == nil || !d.due {
		t.Fatal("no timer is started")
	}
	m.input.Update(tea.KeyPressMsg{Code: 'b', Text: "b"})
	if d.changed() != nil {
		t.Error("a second timer is started")
	}
	m.send(draftMsg{})
	d.keeper.Flush()
	if d.due || !strings.Contains(store[d.key], `"ab"`) {
		t.Errorf("%q is saved", store)
	}
}
