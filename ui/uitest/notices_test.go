package uitest

import (
	"testing"
	"time"

	"parley/session"
	"parley/ui"
)

// TestNotices shows again what was told and went away.
func TestNotices(t *testing.T) {
	atSizes(t, Config{Options: func(o *ui.Options) {
		o.Notice = "The runtime is newer than those that parley was tested with, 9.9.9 instead of 2.1.197, and may do things that parley does not know."
	}}, func(p *Program, size string) {
		p.Type("go")
		turn := p.Turn()
		turn.Emit(session.Notice{Severity: session.Warning, Text: "設定ファイルが読めません: settings.json"})
		turn.Text("Done.")
		turn.End(session.TurnCompleted)
		p.Pass(5 * time.Minute)
		p.Type("/nonsense")
		p.Keys("ctrl+u")
		p.Pass(time.Minute)
		p.Type("/notices")
		p.Golden("notices-" + size)
		p.Send("設定")
		p.Keys("enter")
		if !p.Has("! 設定ファイル") {
			t.Errorf("the notice is not shown where it stands:\n%s", p.Text())
		}
		p.Type("/notices")
		p.Keys("enter")
		if !p.Has("no command /nonsense") {
			t.Errorf("what was said is not said again:\n%s", p.Text())
		}
	})
}
