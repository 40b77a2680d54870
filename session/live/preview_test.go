package live_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// longPast is a session of so many turns.
func longPast(turns int) []session.Event {
	var out []session.Event
	for i := range turns {
		h := session.Head{Session: "s", Turn: session.TurnID(fmt.Sprint("t", i)), Gen: 1, At: time.Date(2026, 1, 1, 12, 0, i, 0, time.UTC)}
		part := session.PartID(fmt.Sprint("p", i))
		out = append(out, session.TurnStarted{Head: h, Prompt: session.Prompt{ID: session.PromptID(h.Turn), Text: "ask"}, Origin: session.OriginUser},
			session.PartStarted{Head: h, Part: part, Kind: session.PartText},
			session.PartDelta{Head: h, Part: part, Text: strings.Repeat("answer ", 100)},
			session.PartEnded{Head: h, Part: part},
			session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
	}
	return out
}

// tailing is an agent that keeps sessions itself and can tell their end.
type tailing struct {
	keeping
	asked []int64
	err   error
}

func (k *tailing) Describe(_ context.Context, id session.ID) (session.Meta, error) {
	if len(k.metas) == 0 {
		return session.Meta{}, &session.Error{Op: "describe", Kind: session.KindNotFound, Err: errBroken}
	}
	return k.metas[0], nil
}

// Tail takes an event to be 200 bytes.
func (k *tailing) Tail(_ context.Context, _ session.ID, n int64) (session.Tail, error) {
	k.asked = append(k.asked, n)
	from := max(0, len(k.events)-int(n/200))
	return session.Tail{Events: k.events[from:], Size: int64(200 * len(k.events)), Whole: from == 0}, k.err
}

// TestPreview shows the end of long sessions without open ends only.
func TestPreview(t *testing.T) {
	meta := session.Meta{ID: "s", Agent: "builtin", Dir: project}
	past := longPast(1500)
	titled := append([]session.Event{session.TitleChanged{Title: "about answers"}}, past...)
	last := past[len(past)-1].Header()
	open := slices.Concat(past, []session.Event{session.TurnStarted{Head: session.Head{Turn: "open", Gen: 1, At: last.At}, Origin: session.OriginUser}})
	waits := slices.Concat(past, []session.Event{session.Queued{Head: session.Head{Gen: 1, At: last.At}, Prompt: session.Prompt{ID: "w", Text: "w"}}})
	told := func(w *sessiontest.World, k *tailing) *tailing {
		k.Agent = w.Agent
		w.Deps.Agents = []session.Agent{k}
		return k
	}
	for name, c := range map[string]struct {
		make func(w *sessiontest.World)
		want bool
	}{
		"a long journal":        {func(w *sessiontest.World) { w.Journals.Put(meta, past...) }, true},
		"a short journal":       {func(w *sessiontest.World) { w.Journals.Put(meta, past[:500]...) }, false},
		"nothing":               {func(w *sessiontest.World) {}, false},
		"a turn is open":        {func(w *sessiontest.World) { w.Journals.Put(meta, open...) }, false},
		"a prompt waits":        {func(w *sessiontest.World) { w.Journals.Put(meta, waits...) }, false},
		"a title from long ago": {func(w *sessiontest.World) { w.Journals.Put(meta, titled...) }, true},
		"an unknown agent": {func(w *sessiontest.World) {
			w.Journals.Put(session.Meta{ID: "s", Agent: "other", Dir: project}, past...)
		}, false},
		"a damaged header":  {func(w *sessiontest.World) { w.Journals.Put(session.Meta{ID: "s"}, past...) }, false},
		"damage at the end": {func(w *sessiontest.World) { w.Journals.Put(meta, past...); w.Journals.Fail("tail", errBroken) }, false},
		"an agent's own": {func(w *sessiontest.World) {
			told(w, &tailing{keeping: keeping{events: past, metas: []session.Meta{meta}}})
		}, true},
		"an agent's, broken": {func(w *sessiontest.World) {
			told(w, &tailing{keeping: keeping{events: past, metas: []session.Meta{meta}}, err: errBroken})
		}, false},
		"both": {func(w *sessiontest.World) {
			told(w, &tailing{keeping: keeping{events: past}})
			w.Journals.Put(meta, past...)
		}, true},
		"a long past with the agent alone": {func(w *sessiontest.World) {
			told(w, &tailing{keeping: keeping{events: past}})
			w.Journals.Put(meta, past[len(past)-10:]...)
		}, true},
		"the journal goes on alone": {func(w *sessiontest.World) {
			told(w, &tailing{keeping: keeping{events: past[:5]}})
			w.Journals.Put(meta, longPast(6000)...)
		}, false},
		"an agent that keeps nothing of it": {func(w *sessiontest.World) {
			told(w, &tailing{})
			w.Journals.Put(meta, past...)
		}, false},
		"an agent that cannot tell ends": {func(w *sessiontest.World) {
			w.Deps.Agents = []session.Agent{&keeping{Agent: w.Agent, events: past}}
			w.Journals.Put(meta, past...)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, w *sessiontest.World) {
				c.make(w)
				m := w.Manager()
				p, ok := m.Preview(t.Context(), "s")
				if ok != c.want {
					t.Fatalf("a preview: %v", ok)
				}
				defer closeAll(t, m)
				if !ok {
					return
				}
				s, err := m.Resume(t.Context(), "s")
				if err != nil {
					t.Fatal(err)
				}
				all := watch(s).transcript()
				if got := session.Fold(p.Events); got.Title != all.Title {
					t.Errorf("the title is %q and not %q", got.Title, all.Title)
				}
				turns, d := sessiontest.SameEnd(session.Fold(p.Events), all)
				if d != "" || turns < 50 || turns > 1000 || p.Meta.ID != "s" || p.Settings != s.Settings() {
					t.Errorf("%d turns of %+v with %+v: %s", turns, p.Meta, p.Settings, d)
				}
				if _, ok := m.Preview(t.Context(), "s"); ok {
					t.Error("there is a preview of a session that is open")
				}
			})
		})
	}
}

// TestPreviewOfAHeldSession leaves a session of another process to Resume, which reports it.
func TestPreviewOfAHeldSession(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, longPast(1500)...)
		j, _, _, err := w.Journals.Open(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		m := w.Manager()
		if _, ok := m.Preview(t.Context(), "s"); ok {
			t.Error("there is a preview")
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		closeAll(t, m)
	})
}

// TestPreviewReadsOnlyTheEnd reads more only as long as that does not fill a screen, and never much.
func TestPreviewReadsOnlyTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		rows int
		want []int64
	}{
		"many turns": {1, []int64{256 << 10}},
		"long turns": {5, []int64{256 << 10, 1 << 20}},
		"huge turns": {1000, []int64{256 << 10, 1 << 20}},
	} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			meta := session.Meta{ID: "s", Agent: "builtin", Dir: project}
			var past []session.Event
			for i, e := range longPast(10_000 / c.rows) {
				past = append(past, e)
				if i%5 != 3 {
					continue
				}
				for range 20 * (c.rows - 1) { // calls take no room on the screen, and some in the file
					past = append(past, session.ToolInput{Head: e.Header(), Call: "c", Fragment: "x"})
				}
			}
			k := &tailing{keeping: keeping{Agent: w.Agent, events: past, metas: []session.Meta{meta}}}
			w.Deps.Agents = []session.Agent{k}
			m := w.Manager()
			if _, ok := m.Preview(t.Context(), "s"); ok != (c.rows < 1000) {
				t.Errorf("%s: a preview: %v", name, ok)
			}
			if !slices.Equal(k.asked, c.want) {
				t.Errorf("%s: it read %v", name, k.asked)
			}
			closeAll(t, m)
		})
	}
}
