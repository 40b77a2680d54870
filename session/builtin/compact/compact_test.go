package compact

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/wire"
)

func TestRoomOf(t *testing.T) {
	for name, c := range map[string]struct {
		m    session.Model
		want int64
	}{
		"a longest prompt":          {session.Model{ContextWindow: 1_000_000, MaxPrompt: 936_000}, 936_000},
		"a window that ends before": {session.Model{ContextWindow: 144_000, MaxPrompt: 128_000}, 112_000},
		"a window alone":            {session.Model{ContextWindow: 200_000}, 168_000},
		"a longest prompt alone":    {session.Model{MaxPrompt: 50_000}, 50_000},
		"the window is the prompt":  {session.Model{ContextWindow: 64_000, MaxPrompt: 64_000}, 44_800},
		"less than an answer":       {session.Model{ContextWindow: 20_000}, 10_000},
		"unknown":                   {session.Model{}, 0},
	} {
		r := RoomOf(c.m, 32_000)
		if r.Most != c.want || c.want > 0 && (r.Start >= r.Most || r.Start < r.Most/2) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestGauge(t *testing.T) {
	var g Gauge
	if got := g.Tokens("a", 4000); got != 1000 {
		t.Error(got)
	}
	g.Observe("a", 3000, 1000)
	if got := g.Tokens("a", 6000); got != 2000 {
		t.Error(got)
	}
	if got := g.Tokens("b", 6000); got <= 2000 {
		t.Errorf("another model counts %d", got)
	}
	for _, odd := range []int64{0, -1, 1, 1 << 40} {
		g.Observe("a", 3000, odd)
	}
	if got := g.Bytes("a", 1000); got < 2990 || got > 3010 {
		t.Error(got)
	}
}

// turn returns the pieces of a turn: a prompt, and answers with a result each.
func turn(id string, prompt int, results ...int) []wire.Piece {
	out := []wire.Piece{{Role: "user", Turn: session.TurnID(id), Blocks: []wire.Content{{Type: "text", Text: strings.Repeat("p", prompt)}}}}
	for i, n := range results {
		call := fmt.Sprintf("%s%d", id, i+1)
		out = append(out, wire.Piece{Role: "assistant", Turn: session.TurnID(id), Answer: i + 1, Blocks: []wire.Content{{Type: "tool_use", ID: call}}},
			wire.Piece{Role: "user", Turn: session.TurnID(id), Answer: i + 1, Blocks: []wire.Content{{Type: "tool_result", ToolUseID: call, Content: strings.Repeat("r", n)}}})
	}
	return out
}

func join(lists ...[]wire.Piece) (out []wire.Piece) {
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

func TestKeep(t *testing.T) {
	for name, c := range map[string]struct {
		pieces []wire.Piece
		room   int
		want   session.Cut
	}{
		"everything":                     {join(turn("a", 10, 10), turn("b", 10)), 10000, session.Cut{Turn: "a"}},
		"a whole turn":                   {join(turn("a", 10, 5000), turn("b", 10, 10)), 1000, session.Cut{Turn: "b"}},
		"answers of the newest turn":     {join(turn("a", 10, 10), turn("b", 10, 5000, 100, 100)), 1000, session.Cut{Turn: "b", Answer: 2}},
		"answers of a turn before":       {join(turn("a", 10, 5000, 100), turn("b", 10)), 1000, session.Cut{Turn: "a", Answer: 2}},
		"not with a prompt that is long": {join(turn("a", 9000, 5000, 100), turn("b", 10)), 1000, session.Cut{Turn: "b"}},
		"nothing fits":                   {join(turn("a", 10, 10), turn("b", 10, 5000)), 1000, session.Cut{Turn: "b", Answer: 2}},
		"the newest prompt does not fit": {join(turn("a", 10, 10), turn("b", 5000)), 1000, session.Cut{Turn: "b", Answer: 1}},
		"nothing at all":                 {nil, 1000, session.Cut{}},
	} {
		if got := Keep(c.pieces, c.room); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestDrop(t *testing.T) {
	pieces := join(turn("a", 10, 9000, 100, 9000, 9000), turn("b", 10, 9000, 9000, 9000, 9000))
	if got := fmt.Sprint(Drop(pieces, 70000, 60000)); got != "[a1 a3]" {
		t.Error(got)
	}
	if got := Drop(pieces, 70000, 30000); got != nil {
		t.Errorf("the newest answers keep their results: %v", got)
	}
}

// What is shortened fits, keeps calls and results together, and leaves the given pieces alone.
func TestShorten(t *testing.T) {
	pieces := join(turn("a", 100, 9000, 9000), turn("b", 100, 9000))
	before := fmt.Sprint(pieces)
	for _, room := range []int{20000, 3000, 1000, 300} {
		out := Shorten(pieces, room)
		size := 0
		open := map[string]bool{}
		for _, p := range out {
			size += SizeOf(p)
			for _, c := range p.Blocks {
				if c.ID != "" {
					open[c.ID] = true
				}
				delete(open, c.ToolUseID)
			}
		}
		if size > room || len(open) > 0 {
			t.Errorf("%d bytes for %d, open calls %v", size, room, open)
		}
	}
	if fmt.Sprint(pieces) != before {
		t.Error("the pieces were changed")
	}
}

func TestSummary(t *testing.T) {
	for _, none := range []string{" Sure! ", strings.Repeat("no ", 500), strings.Repeat("é", 30000), "1 2 3 4 5 6 7 8 9 10 11 12", "OK. What next?"} {
		if _, err := Summary(none, nil); !errors.Is(err, ErrNone) {
			t.Errorf("%.40q is a summary", none)
		}
	}
	if _, err := Summary("任务 是 让 日期 解析 器 接受 周 数 , 下一步 运行 测试", nil); err != nil {
		t.Error(err)
	}
	got, err := Summary(strings.Repeat("The user wants the parser of dates to accept weeks, é. ", 1000)+"\xff", []session.Todo{{Text: "mend it", State: session.TodoActive}})
	if err != nil || len(got) > maxSummary+200 || !strings.Contains(got, "cut here") || !strings.HasSuffix(got, "- [in_progress] mend it") {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if ask := Ask("the parser"); !strings.Contains(ask, "above all: the parser") || strings.Contains(Ask(" "), "above all") {
		t.Error(ask)
	}
}
