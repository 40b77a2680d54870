package mapper

import (
	"testing"

	"parley/session/process/record"
)

// running returns a store with one command in the background, started in the turn "old".
func running() *background {
	b := newBackground(record.New("s", 1))
	b.rec.Turn, b.rec.Turns = "now", 2
	b.add(&toolCall{ID: "c", Turn: "old", With: callState{task: "x"}, Began: testTime, Ended: true},
		"Command running in background with ID: x. Output is being written to: /tmp/x.output. You will be notified.")
	return b
}

func TestBackgroundCommands(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(b *background)
		want []string
	}{
		"finished": {func(b *background) { b.output = "out\n"; b.notified("c", "completed", "done", testTime) },
			[]string{`tool_ended{"call":"c","outcome":"ok","result":{"text":"out"},"turn":"old"}`}},
		"failed": {func(b *background) { b.notified("c", "failed", `"make" failed with exit code 2`, testTime) },
			[]string{`tool_ended{"call":"c","outcome":"failed","result":{"exitCode":2},"turn":"old"}`}},
		"killed": {func(b *background) { b.notified("c", "killed", "", testTime) },
			[]string{`tool_ended{"call":"c","outcome":"cancelled","turn":"old"}`}},
		"twice": {func(b *background) { b.notified("c", "killed", "", testTime); b.notified("c", "killed", "", testTime) },
			[]string{`tool_ended{"call":"c","outcome":"cancelled","turn":"old"}`}},
		"another call":          {func(b *background) { b.notified("d", "completed", "", testTime) }, nil},
		"updated in this turn":  {func(b *background) { b.updated("x", "completed"); b.flush(1, testTime) }, nil},
		"updated, no end":       {func(b *background) { b.updated("x", "running"); b.flush(9, testTime) }, nil},
		"updated, another task": {func(b *background) { b.updated("", "completed"); b.flush(9, testTime) }, nil},
		"updated, a turn later": {func(b *background) { b.updated("x", "completed"); b.flush(2, testTime) }, []string{`tool_ended{"call":"c","outcome":"ok","turn":"old"}`}},
		"updated, then notified": {func(b *background) {
			b.updated("x", "completed")
			b.notified("c", "failed", "", testTime)
			b.flush(9, testTime)
		}, []string{`tool_ended{"call":"c","outcome":"failed","turn":"old"}`}},
		"the runtime has ended":   {func(b *background) { b.endAll(testTime) }, []string{`tool_ended{"call":"c","outcome":"cancelled","turn":"old"}`}},
		"ended before the others": {func(b *background) { b.notified("c", "killed", "", testTime); b.rec.Take(); b.endAll(testTime) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := running()
			c.do(b)
			same(t, brief(b.rec.Take()), c.want...)
		})
	}
}

// A notification after the end of a command still explains the next turn, once.
func TestNotificationAfterTheEnd(t *testing.T) {
	b := running()
	b.updated("x", "completed")
	b.flush(2, testTime)
	for i, want := range []bool{true, false} {
		if got := b.notified("c", "completed", "", testTime); got != want {
			t.Errorf("notification %d: %v, want %v", i, got, want)
		}
	}
}

func TestOutputFiles(t *testing.T) {
	b := running()
	if c := b.find("x"); c == nil || c.file != "/tmp/x.output" {
		t.Errorf("%+v", c)
	}
	b.endAll(testTime)
	if c := b.find("x"); c != nil {
		t.Errorf("found after its end: %+v", c)
	}
}
