package uitest

import (
	"testing"

	"parley/ui"
)

// TestPickersOnSmallScreens shows the pickers of models and sessions where there is little room.
func TestPickersOnSmallScreens(t *testing.T) {
	Run(t, Config{Width: 40, Height: 12, Settings: opus, Options: func(o *ui.Options) { o.Catalog = catalog{} }}, func(p *Program) {
		p.Type("/model")
		p.Golden("models-40x12")
		p.Keys("esc")
		p.Type("/effort")
		p.Golden("efforts-40x12")
		p.Keys("esc")
		p.Keys("ctrl+k")
		p.Golden("palette-small")
	})
}

// TestResumeOnASmallScreen shows the picker of sessions where there is room for the list alone.
func TestResumeOnASmallScreen(t *testing.T) {
	Run(t, Config{Width: 40, Height: 12, World: library()}, func(p *Program) {
		p.Type("/resume")
		p.Settle()
		p.Golden("resume-40x12")
		p.Send("テスト")
		p.Settle()
		p.Golden("resume-cjk-40x12")
	})
}
