package panel

import (
	"context"

	"parley/ui/core"
)

// In returns the effect that writes the setting, and reports what came of it. s may be nil.
func (e SetDefault) In(s core.Settings) Effect {
	if s == nil {
		return Notice{Text: "Settings can't be stored here", Warn: true}
	}
	write := s.Begin(e.Key, e.Value)
	return Run{Work: func(context.Context) Effect {
		over, err := write()
		var said Effect
		switch {
		case err != nil:
			said = Notice{Text: "Not saved: " + err.Error(), Warn: true}
		case over != "":
			said = Notice{Text: "Saved, but " + over + " sets " + e.Key + " as long as it is given", Warn: true}
		case e.Said != "":
			said = Notice{Text: e.Said}
		}
		switch {
		case e.Then == nil:
			return said
		case said == nil:
			return Then{Do: e.Then}
		}
		return All{said, Then{Do: e.Then}}
	}}
}
