package style

import "parley/ui/md"

// DiffRows lays a change out, from the hunks of a unified diff.
func DiffRows(l *Look, patch string, width int) []string {
	if patch == "" {
		return nil
	}
	return md.Diff(patch, DiffOptions(l, width))
}

// DiffOptions are how changes are laid out.
func DiffOptions(l *Look, width int) md.DiffOptions {
	return md.DiffOptions{Options: md.Options{Width: width, Theme: l.Theme.Markdown(), Method: l.Measure.Method}}
}
