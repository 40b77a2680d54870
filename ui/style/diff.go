package style

import "parley/ui/md"

// EditRows lays out a change of a file, from the hunks of a unified diff, right of the gutter and an indentation. The caller
// draws the first shown rows, 0 for all. path may be empty.
func EditRows(l *Look, path, patch string, shown int) []string {
	if patch == "" {
		return nil
	}
	o := DiffOptions(l)
	o.Path, o.Shown = path, shown
	return md.Diff(patch, o)
}

// FileRows lays out a file that a tool read, and reports whether its language is known from its name.
func FileRows(l *Look, path, text string) ([]string, bool) {
	return md.File(text, path, DiffOptions(l).Options)
}

// DiffOptions returns how changes are laid out right of the gutter and an indentation.
func DiffOptions(l *Look) md.DiffOptions {
	o := md.Options{Width: l.Wide() - GutterWidth, Prose: l.Inner() - GutterWidth, Theme: l.Theme.Markdown(), Method: l.Measure.Method,
		Highlighter: l.Highlighter}
	return md.DiffOptions{Options: o, Split: l.Split && l.Width >= splitWidth}
}
