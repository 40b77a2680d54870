package models

import (
	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// CheckInLines prints what is wrong with the model or the effort of the session, once it is known.
func CheckInLines(t *core.Lines) {
	v, agent := t.Current().Settings, t.Current().Agent
	check, ok := t.Options.Catalog.(session.SettingsChecker)
	if !ok || v.Model == "" && v.Effort == "" {
		return
	}
	t.Background(func() func() {
		problem := check.SettingsProblem(t.Context, agent, v)
		return func() {
			if problem != "" && t.Current().Settings == v {
				t.Print("warning", style.OneLine(problem))
			}
		}
	})
}
