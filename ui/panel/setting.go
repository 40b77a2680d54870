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
	return Run{Work: func(context.Context) Effect {
		over, err := s.Set(e.Key, e.Value)
		switch {
		case err != nil:
			return Notice{Text: "Not saved: " + err.Error(), Warn: true}
		case over != "":
			return Notice{Text: "Saved, but " + over + " sets " + e.Key + " as long as it is given", Warn: true}
		case e.Said != "":
			return Notice{Text: e.Said}
		}
		return nil
	}}
}
