package style

import "parley/ui/md"

// DiffRows lays out a change of an unknown file, from the hunks of a unified diff.
func DiffRows(l *Look, patch string, width int) []string { return EditRows(l, "", patch, width, 0) }

// EditRows lays out a change of a file, from the hunks of a unified diff. The caller draws the first shown rows, 0 for all.
func EditRows(l *Look, path, patch string, width, shown int) []string {
	if patch == "" {
		return nil
	}
	o := DiffOptions(l, width)
	o.Path, o.Shown = path, shown
	return md.Diff(patch, o)
}

// FileRows lays out a file that a tool read, and reports whether its language is known from its name.
func FileRows(l *Look, path, text string, width int) ([]string, bool) {
	return md.File(text, path, DiffOptions(l, width).Options)
}

// DiffOptions returns how changes are laid out.
func DiffOptions(l *Look, width int) md.DiffOptions {
	return md.DiffOptions{Options: md.Options{Width: width, Theme: l.Theme.Markdown(), Method: l.Measure.Method, Highlighter: l.Highlighter}}
}
