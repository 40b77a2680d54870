package notice

import (
	"strings"
	"testing"
	"time"
)

func clock() time.Time { return time.Unix(0, 0) }

func TestAnExpiredLineTakesNoLaterOne(t *testing.T) {
	m := New(clock)
	m.Info("first")
	d, id, ok := m.Timeout(false)
	if d != InfoTime || !ok {
		t.Fatalf("%v %t", d, ok)
	}
	if _, _, again := m.Timeout(false); again {
		t.Error("a line has two timers")
	}
	m.Warn("second\x1b[2J")
	m.Expire(id)
	if m.Text() != "second␛[2J" || !m.Warns() {
		t.Errorf("%q", m.Text())
	}
	_, id, _ = m.Timeout(false)
	m.Changes()
	m.Expire(id)
	if m.Text() != "" || !m.Changes() {
		t.Error("the line stays")
	}
}

func TestALineOfTheStartStaysUntilTheAgentWorks(t *testing.T) {
	m := New(clock)
	m.Begin([]Entry{{Text: "one", Warn: true}, {Text: "two"}}, "a tip", false)
	if m.Text() != "1 of 2 (/notices): one" || len(m.Past()) != 2 {
		t.Errorf("%q %v", m.Text(), m.Past())
	}
	if _, _, ok := m.Timeout(false); ok {
		t.Error("it disappears while nothing happens")
	}
	if d, _, ok := m.Timeout(true); !ok || d != WarnTime {
		t.Error("it stays while the agent works")
	}
}

func TestAHeldLineLeavesNoRoomForATip(t *testing.T) {
	m := New(clock)
	m.Begin(nil, "a tip", true)
	m.Release()
	if m.Text() != "" {
		t.Errorf("%q", m.Text())
	}
	m = New(clock)
	m.Begin([]Entry{{Text: "late"}}, "a tip", true)
	if m.Text() != "" {
		t.Errorf("%q is shown at once", m.Text())
	}
	if m.Release(); m.Text() != "late" {
		t.Errorf("%q", m.Text())
	}
}

func TestPastLinesAreBoundedAndNotRepeated(t *testing.T) {
	m := New(clock)
	m.Info("same")
	m.Info("same")
	m.Info("press it again to leave")
	m.Flash("a mode")
	if len(m.Past()) != 1 {
		t.Errorf("%v", m.Past())
	}
	for i := range 2 * maxPast {
		m.Warn(strings.Repeat("x", i))
	}
	if len(m.Past()) != maxPast {
		t.Errorf("%d lines are kept", len(m.Past()))
	}
}
