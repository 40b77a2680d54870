package changes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
	"parley/ui/changes/listing"
	"parley/ui/keymap"
	"parley/ui/md"
	"parley/ui/style"
)

// logOf returns a real log with one change of a file from one text to another.
func logOf(tb testing.TB, before, after string) *changes.Log {
	tb.Helper()
	store := snapshot.New(snapshot.Options{Dir: tb.TempDir()})
	log := changes.New(changes.Options{Dir: tb.TempDir(), Store: store}).Log("s")
	var states [2]snapshot.State
	for i, text := range []string{before, after} {
		var err error
		if states[i], err = store.Put(tb.Context(), []byte(text)); err != nil {
			tb.Fatal(err)
		}
	}
	err := log.Add(tb.Context(), changes.Change{Path: "/src/long.go", Turn: "t", Call: "c", Tool: "Edit", Before: states[0], After: states[1], At: time.Unix(1, 0)})
	if err != nil {
		tb.Fatal(err)
	}
	return log
}

// opened returns a panel on a log, read and drawn once.
func opened(tb testing.TB, log listing.Log) *model {
	tb.Helper()
	keys, err := keymap.New(nil)
	if err != nil {
		tb.Fatal(err)
	}
	look := &style.Look{Theme: style.NewTheme(true, true, nil), Now: time.Now, Width: 120, Height: 40, Highlighter: md.NewHighlighter(time.Now)}
	names := listing.Names{Dir: "/src", Turn: func(session.TurnID) (int, string) { return 1, "go" }, Child: func(session.ChildID) string { return "" }}
	m := newModel(Options{Look: look, Keys: keys, Log: log, Names: names})
	m.Update(m.refresh()(tb.Context()))
	m.rows(120, 40)
	return m
}

// BenchmarkOpenDifference compares a file of 10,000 lines and draws the first frame of it: with some changes, and rewritten.
func BenchmarkOpenDifference(b *testing.B) {
	var before, some, all strings.Builder
	for i := range 10000 {
		line := fmt.Sprintf("\tfmt.Println(\"line %d of the file\", value%d, other)\n", i, i%17)
		before.WriteString(line)
		if i%100 == 50 {
			line = fmt.Sprintf("\tfmt.Println(\"changed %d\", value)\n", i)
		}
		some.WriteString(line)
		fmt.Fprintf(&all, "\tlog.Printf(\"entry %%d\", %d)\n", i)
	}
	for name, after := range map[string]string{"some": some.String(), "all": all.String()} {
		b.Run(name, func(b *testing.B) {
			log := logOf(b, before.String(), after)
			b.ResetTimer()
			for range b.N {
				b.StopTimer()
				m := opened(b, log)
				b.StartTimer()
				m.Update(m.work()(b.Context()))
				m.rows(120, 40)
			}
		})
	}
}

// TestDifferenceOfARealLog draws what a real log holds, and undoes it.
func TestDifferenceOfARealLog(t *testing.T) {
	m := opened(t, logOf(t, "a\nb\n", "a\nc\n"))
	m.Update(m.work()(t.Context()))
	text := style.Unstyled(strings.Join(m.rows(120, 40), "\n"))
	for _, want := range []string{"Turn 1  go", "long.go", "2 - b", "2 + c", "+1 -1"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	_, cmd := m.Update(tea.KeyPressMsg{Code: 'u', Text: "u"})
	m.Update(cmd(t.Context()))
	m.rows(120, 40)
	if m.ask == nil || len(m.ask.choices) != 2 { // the file is not there
		t.Errorf("undone without a question:\n%s", strings.Join(m.rows(120, 40), "\n"))
	}
}
