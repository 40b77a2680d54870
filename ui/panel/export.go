package panel

import (
	"context"

	"parley/session/export"
	"parley/ui/core"
	"parley/ui/style"
)

// Of returns the effect that writes the session that is shown, and reports the file. A file that exists stays.
func (e Export) Of(shown core.Current, look *style.Look) Effect {
	if shown.Session == nil || len(shown.Transcript.Turns) == 0 {
		return Notice{Text: "Nothing to export yet", Warn: true}
	}
	name, options, err := export.Parse(e.Args)
	if err != nil {
		return Notice{Text: "Couldn't export: " + err.Error(), Warn: true}
	}
	path, home := core.ExportPath(name, shown.Dir, look.Home, look.Now()), look.Home
	meta, events := shown.Meta, core.History(shown.Session)
	return Run{Work: func(context.Context) Effect {
		if err := core.Export(path, meta, events(), options); err != nil {
			return Notice{Text: "Couldn't export: " + err.Error(), Warn: true}
		}
		return Notice{Text: "Exported to " + style.ShortPath(path, home)}
	}}
}
