package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session/permission"
	"parley/ui/input"
	"parley/ui/lists"
	"parley/ui/permissions"
	"parley/ui/picker"
	"parley/ui/transcript"
)

// permitScreen does for the command /permissions what only the root can.
type permitScreen struct {
	screen  *screen
	covers  *covers
	current *current
	conv    *transcript.Model
	input   *input.Model
}

// Permissions returns what rules are listed for.
func (p *permitScreen) Permissions() permissions.Chat {
	meta := p.current.meta()
	c := permissions.Chat{Dir: p.current.dir(), Dirs: meta.Dirs, Mode: p.current.mode(), Grants: permission.Grants(p.conv.Transcript()),
		Environ: p.screen.opts.Env, Home: p.screen.look.Home}
	if p.current.session != nil && p.current.opening == nil {
		c.Revoke = p.current.session.RevokeRule
	}
	return c
}

// Open covers the screen with a list.
func (p *permitScreen) Open(l lists.List, filter string) { p.covers.open(l, filter) }

// Refresh replaces what is in the open list.
func (p *permitScreen) Refresh(l lists.List) bool { return p.covers.refresh(l) }

// Opened returns the open list.
func (p *permitScreen) Opened() (lists.List, *picker.Picker) {
	if p.covers.list == nil {
		return nil, nil
	}
	return p.covers.list.of, p.covers.list.Picker
}

// Fits reports whether a line fits into a notice.
func (p *permitScreen) Fits(line string) bool {
	return p.screen.look.Measure.Width(line) < p.screen.width-4
}

// Write puts a text into an empty field.
func (p *permitScreen) Write(text string) tea.Cmd {
	if p.input.Value() != "" {
		return nil
	}
	return p.input.Edited(text)
}

// Edit opens a file in the user's editor.
func (p *permitScreen) Edit(path string, done func(error) tea.Msg) tea.Cmd {
	return p.screen.editFile(path, done)
}
