package md

import "image/color"

// Surfaces are the colors beside those of a style of glamour, which knows none for them. nil leaves one out.
type Surfaces struct {
	// Raised is behind blocks of code, Added and Removed behind changed lines, AddedWord and RemovedWord behind what changed
	// within them.
	Raised, Added, Removed, AddedWord, RemovedWord color.Color
	// Good and Bad are the signs of changed lines, Dim is the language of code.
	Good, Bad, Dim color.Color
	// Note to Caution are the kinds of alerts.
	Note, Tip, Important, Warning, Caution color.Color
}

// On returns the theme with these surfaces. The theme itself does not change.
func (t *Theme) On(s Surfaces) *Theme {
	on := *t
	on.source.look.bg = s.Raised
	on.source.label = overlay{fg: s.Dim, set: t.source.label.set}
	if s.Added != nil && s.Removed != nil {
		on.added.line, on.removed.line, on.tinted = overlay{bg: s.Added}, overlay{bg: s.Removed}, true
		on.added.word, on.removed.word = overlay{bg: s.AddedWord}, overlay{bg: s.RemovedWord}
	}
	if !on.tinted { // what changed in a line has no surface to stand on
		on.added.word, on.removed.word = overlay{set: underline}, overlay{set: underline}
	}
	on.added.sign, on.removed.sign = on.added.line.then(overlay{fg: s.Good}), on.removed.line.then(overlay{fg: s.Bad})
	on.alerts = map[string]overlay{"[!NOTE]": {fg: s.Note}, "[!TIP]": {fg: s.Tip}, "[!IMPORTANT]": {fg: s.Important},
		"[!WARNING]": {fg: s.Warning}, "[!CAUTION]": {fg: s.Caution}}
	return &on
}

// Bare returns the theme for a terminal with sixteen colors, of which the nearest to a surface may be the one of what stands on it:
// changed lines are in one of two colors, and what changed in them is underlined.
func (t *Theme) Bare(added, removed color.Color) *Theme {
	if !t.tinted {
		return t
	}
	bare, changed := *t, overlay{set: underline}
	bare.tinted = false
	bare.added = changeTheme{line: overlay{fg: added}, sign: overlay{fg: added}, word: changed}
	bare.removed = changeTheme{line: overlay{fg: removed}, sign: overlay{fg: removed}, word: changed}
	return &bare
}
