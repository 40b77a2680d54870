package queue

import (
	"errors"
	"slices"
	"testing"

	"parley/session"
)

func of(ids ...session.PromptID) *Queue {
	q := &Queue{}
	for _, id := range ids {
		q.Items = append(q.Items, New(session.Prompt{ID: id}, session.OriginQueued))
	}
	return q
}

func (q *Queue) ids() (out []session.PromptID) {
	for _, it := range q.Items {
		out = append(out, it.Prompt.ID)
	}
	return out
}

func TestMove(t *testing.T) {
	for name, c := range map[string]struct {
		id     session.PromptID
		step   int
		before session.PromptID
		moved  bool
		want   []session.PromptID
	}{
		"towards the front": {"c", -1, "b", true, []session.PromptID{"a", "c", "b"}},
		"to the front":      {"c", -9, "a", true, []session.PromptID{"c", "a", "b"}},
		"towards the end":   {"a", 1, "c", true, []session.PromptID{"b", "a", "c"}},
		"to the end":        {"a", 9, "", true, []session.PromptID{"b", "c", "a"}},
		"at the end":        {"c", 1, "", false, []session.PromptID{"a", "b", "c"}},
		"unknown":           {"x", 1, "", false, []session.PromptID{"a", "b", "c"}},
	} {
		q := of("a", "b", "c")
		before, moved := q.Move(c.id, c.step)
		if before != c.before || moved != c.moved || !slices.Equal(q.ids(), c.want) {
			t.Errorf("%s: %q %v %v", name, before, moved, q.ids())
		}
	}
	q := of("a", "b")
	q.Items[0].Steering = true
	if _, moved := q.Move("a", 1); moved {
		t.Error("moved a prompt that is being offered to the running turn")
	}
}

func TestBeginPassesWhatMayNotBeDelivered(t *testing.T) {
	q := of("held", "steering", "free")
	q.Items[0].Held, q.Items[1].Steering = true, true
	it := q.Begin()
	if it == nil || it.Prompt.ID != "free" || q.Current != it || it.Ctx == nil {
		t.Fatalf("began %+v", it)
	}
	if q.Begin() != nil {
		t.Error("began a prompt that is held or steering")
	}
	if n := q.Release(); n != 1 || q.Next().Prompt.ID != "held" {
		t.Errorf("released %d", n)
	}
	q.Items[1].Offered = true
	q.TakeBackOffered()
	if q.Withdraw("steering") == nil {
		t.Error("an offer that was not used is still with the agent")
	}
}

func TestKeepComesAfterHeldPrompts(t *testing.T) {
	q := of("new")
	if !q.Keep(session.Prompt{ID: "old 1"}) || !q.Keep(session.Prompt{ID: "old 2"}) || q.Keep(session.Prompt{ID: "old 1"}) {
		t.Error("kept the wrong prompts")
	}
	if want := []session.PromptID{"old 1", "old 2", "new"}; !slices.Equal(q.ids(), want) {
		t.Errorf("order %v", q.ids())
	}
	if len(q.Held()) != 2 {
		t.Errorf("held %v", q.Held())
	}
	q.ForgetHeld("new")
	q.ForgetHeld("old 1")
	if want := []session.PromptID{"old 2", "new"}; !slices.Equal(q.ids(), want) {
		t.Errorf("forgot: %v", q.ids())
	}
}

func TestDropAllEndsEveryWait(t *testing.T) {
	q := of("a", "b")
	all := slices.Clone(q.Items)
	q.DropAll(errors.New("closed"))
	for _, it := range all {
		<-it.Done
		if it.Err == nil {
			t.Error("a wait ended without an error")
		}
	}
	if len(q.Items) > 0 {
		t.Error("dropped prompts wait")
	}
}
