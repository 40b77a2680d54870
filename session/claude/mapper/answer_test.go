package mapper

import (
	"slices"
	"testing"
)

func TestAnswers(t *testing.T) {
	text := func(a *answers, words string) {
		a.startBlock(streamEvent{Block: block{Type: "text"}}, testTime)
		a.delta(fragment{0, "text_delta", words}, testTime)
	}
	call := func(a *answers, input string) {
		a.startBlock(streamEvent{Block: block{Type: "tool_use", ID: "c", Name: "Read"}}, testTime)
		a.delta(fragment{0, "input_json_delta", input}, testTime)
		a.stopBlock(0, testTime)
	}
	part := []string{`part_started{"kind":"text","part":"m:0","turn":"t"}`, `part_delta{"part":"m:0","text":"hi","turn":"t"}`}
	tool := []string{`tool_started{"call":"c","name":"Read","turn":"t"}`, `tool_input{"call":"c","fragment":"{}","turn":"t"}`, `tool_ready{"call":"c","input":{},"turn":"t"}`}
	for name, c := range map[string]struct {
		do     func(a *answers)
		before []string
		want   []string
	}{
		"streamed":  {func(a *answers) { text(a, "hi"); a.stopBlock(0, testTime) }, part, []string{`part_ended{"part":"m:0","turn":"t"}`}},
		"committed": {func(a *answers) { text(a, "hi"); a.commit(block{Type: "text", Text: "hi"}, testTime); a.end(testTime) }, part, []string{`part_ended{"part":"m:0","turn":"t"}`}},
		"corrected": {func(a *answers) {
			text(a, "hi")
			a.commit(block{Type: "text", Text: "ho"}, testTime)
			a.stopBlock(0, testTime)
		}, part, []string{`part_replaced{"kind":"text","part":"m:0","text":"ho","turn":"t"}`}},
		"never streamed": {func(a *answers) { a.commit(block{Type: "text", Text: "ho"}, testTime) }, nil, []string{`part_replaced{"kind":"text","part":"m:0","text":"ho","turn":"t"}`}},
		"empty":          {func(a *answers) { a.commit(block{Type: "text"}, testTime) }, nil, nil},
		"shorter reasoning": {func(a *answers) {
			a.startBlock(streamEvent{Block: block{Type: "thinking"}}, testTime)
			a.rec.Take()
			a.commit(block{Type: "thinking"}, testTime)
		}, nil, []string{`part_ended{"part":"m:0","turn":"t"}`}},
		"retracted": {func(a *answers) { text(a, "hi"); a.retract(testTime); a.end(testTime) }, part, []string{`part_retracted{"part":"m:0","turn":"t"}`}},
		"kept":      {func(a *answers) { text(a, "hi"); a.end(testTime); a.retract(testTime) }, part, []string{`part_ended{"part":"m:0","turn":"t"}`}},
		"a call": {func(a *answers) {
			call(a, "{}")
			a.commit(block{Type: "tool_use", ID: "c", Name: "Read", Input: []byte(`{"x":1}`)}, testTime)
			a.retract(testTime)
		}, tool, nil},
		"a broken input":    {func(a *answers) { call(a, "{") }, tool[:1], []string{`tool_input{"call":"c","fragment":"{","turn":"t"}`}},
		"a retracted call":  {func(a *answers) { call(a, "{}"); a.retract(testTime) }, tool, []string{`tool_ended{"call":"c","outcome":"cancelled","turn":"t"}`}},
		"a call cut off":    {func(a *answers) { call(a, "{}"); a.end(testTime) }, tool, []string{`tool_ended{"call":"c","outcome":"cancelled","turn":"t"}`}},
		"a call without id": {func(a *answers) { a.commit(block{Type: "tool_use"}, testTime) }, nil, nil},
		"index too large": {func(a *answers) {
			a.startBlock(streamEvent{Index: maxBlocks}, testTime)
			a.delta(fragment{maxBlocks, "text_delta", "x"}, testTime)
		}, nil, nil},
		"started twice": {func(a *answers) { text(a, "hi"); a.startBlock(streamEvent{Block: block{Type: "text"}}, testTime) }, part, nil},
		"after the end": {func(a *answers) { a.end(testTime); text(a, "hi"); a.stopBlock(0, testTime) }, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			calls := someCalls()
			a := newAnswers(calls.rec, calls)
			a.begin("m")
			c.do(a)
			same(t, brief(calls.rec.Take()), slices.Concat(c.before, c.want)...)
		})
	}
}
