package mapper

import "testing"

// running returns a store with one command in the background, started in the turn "old".
func running() *background {
	b := newBackground(newRecorder("s", 1))
	b.rec.turn, b.rec.turns = "now", 2
	b.add(&toolCall{call: "c", turn: "old", task: "x", began: testTime, ended: true},
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
		"ended before the others": {func(b *background) { b.notified("c", "killed", "", testTime); b.rec.take(); b.endAll(testTime) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := running()
			c.do(b)
			same(t, brief(b.rec.take()), c.want...)
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

func TestJoinCauses(t *testing.T) {
	for _, c := range [][3]string{{"", "a", "a"}, {"a", "", "a"}, {"a", "a", "a"}, {"a", " b\n", "a; b"}} {
		if got := joinCauses(c[0], c[1]); got != c[2] {
			t.Errorf("%q and %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
