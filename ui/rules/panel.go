package rules

import (
	"fmt"
	"strconv"
	"strings"

	"parley/session/permission"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// ruleList lists the permission rules in force. removed are those that were removed since it was opened.
type ruleList struct {
	Command
	listing Listing
	removed []permission.Rule
	loading bool   // nothing was read yet
	opened  string // the id of the row that was opened, "" for none
}

// Options returns the texts of the list.
func (l *ruleList) Options() list.Options {
	o := list.Options{Title: "Permission rules", Keys: "enter edit · ctrl+x remove · alt+↑ global · alt+↓ project · esc back",
		Drops: true, Moves: true, Peeks: true, Stays: true}
	if l.loading {
		o.Wait = "reading the rules…"
	}
	if l.listing.Warning != "" {
		o.Text = style.VisibleLine(l.listing.Warning)
	}
	return o
}

// The beginnings of the ids of rows that are not rules.
const (
	rowFile    = "\x00file/"
	rowNote    = "\x00note/"
	rowNew     = "\x00new/"
	rowRemoved = "\x00removed/"
)

// Rows returns the rules, each group with the file it is in.
func (l *ruleList) Rows() []list.Row {
	var rows []list.Row
	for _, g := range l.listing.Groups {
		group := g.Title()
		if g.Problem != nil {
			rows = append(rows, list.Row{ID: rowFile + string(g.Origin), Group: group, Cells: []string{"! " + style.VisibleLine(g.Problem.Err.Error()), "can't be used"},
				About: []string{style.VisibleLine(g.Problem.Error()), "parley asks before everything until the file is fixed. Its deny and ask rules still apply.", "Enter opens it in your editor."}})
		}
		for i, note := range g.Notes {
			rows = append(rows, list.Row{ID: rowNote + string(g.Origin) + "/" + strconv.Itoa(i), Group: group, Cells: []string{style.VisibleLine(note)},
				About: []string{style.VisibleLine(note) + ".", style.VisibleLine(g.Fixed) + "."}})
		}
		for _, r := range g.Rules {
			rows = append(rows, list.Row{ID: ruleID(r), Group: group, About: l.about(g, r),
				Cells: []string{fmt.Sprintf("%d  %-5s  %s", r.Number, r.Ruling, style.VisibleLine(r.String())), strings.TrimPrefix(Since(r, l.listing.At), "since ")}})
		}
		for i, r := range l.removed {
			if r.Origin == g.Origin {
				rows = append(rows, list.Row{ID: rowRemoved + strconv.Itoa(i), Group: group, Cells: []string{"-  removed  " + style.VisibleLine(r.String()), "enter brings it back"},
					About: []string{style.VisibleLine(string(r.Ruling) + " " + r.String()), "This rule was removed. Enter brings it back."}})
			}
		}
		if g.Fixed == "" && g.Problem == nil {
			rows = append(rows, list.Row{ID: rowNew + string(g.Origin), Group: group, Cells: []string{"+  new rule…"},
				About: []string{"Adds a rule to this file:", l.path(g)}})
		}
	}
	return rows
}

// about returns the preview of a rule.
func (l *ruleList) about(g Group, r permission.Rule) []string {
	about := []string{style.VisibleLine(string(r.Ruling) + " " + r.String()), ""}
	for _, text := range means(r) {
		about = append(about, style.VisibleLine(text))
	}
	where := fmt.Sprintf("Rule %d, %s", r.Number, g.Origin)
	if since := Since(r, l.listing.At); since != "" {
		where += ", " + since
	}
	about = append(about, "", where+".")
	if g.Path != "" {
		about = append(about, l.path(g))
	}
	if g.Fixed != "" {
		about = append(about, style.VisibleLine(g.Fixed)+".")
	}
	return about
}

// path returns the visible file of a group.
func (l *ruleList) path(g Group) string {
	return style.VisibleLine(style.ShortPath(g.Path, l.Look.Home))
}

func ruleID(r permission.Rule) string {
	return "\x00rule/" + string(r.Origin) + "/" + strconv.Itoa(r.Number)
}

// rule returns the rule of a row, and why it cannot be changed; false if the row is not a rule.
func (l *ruleList) rule(id string) (r permission.Rule, fixed string, ok bool) {
	for _, g := range l.listing.Groups {
		for _, r := range g.Rules {
			if ruleID(r) == id {
				return r, g.Fixed, true
			}
		}
	}
	return permission.Rule{}, "", false
}

// Choose edits a rule, opens a file, or brings a rule back.
func (l *ruleList) Choose(id string) panel.Effect {
	l.opened = id
	if r, fixed, ok := l.rule(id); ok {
		if fixed != "" {
			return refusal(fixed)
		}
		return l.edit(r)
	}
	if rest, ok := strings.CutPrefix(id, rowRemoved); ok {
		if i, err := strconv.Atoi(rest); err == nil && i < len(l.removed) {
			return l.restore(l.removed[i])
		}
	}
	for _, g := range l.listing.Groups {
		switch {
		case id == rowNew+string(g.Origin):
			return l.edit(permission.Rule{Origin: g.Origin, Ruling: permission.Allow})
		case id == rowFile+string(g.Origin) && g.Fixed == "":
			return panel.EditFile{Path: g.Path}
		case strings.HasPrefix(id, rowNote+string(g.Origin)+"/"), id == rowFile+string(g.Origin):
			return refusal(g.Fixed)
		}
	}
	return nil
}

// Do removes a rule, or moves it between the files of the project and of the user.
func (l *ruleList) Do(a list.Action) panel.Effect {
	switch a := a.(type) {
	case list.Dropped:
		r, fixed, ok := l.rule(a.Row.ID)
		if ok && r.Origin == permission.FromSession {
			return panel.Start{Cmd: l.revoke(r)}
		}
		if !ok || fixed != "" {
			return refusal(fixed)
		}
		store, dir := l.Store, l.Chat().Dir
		removed := append(l.removed[:len(l.removed):len(l.removed)], r)
		return panel.Start{Cmd: l.change(fmt.Sprintf("removed: %s %s", r.Ruling, r), removed, func() error { return store.Remove(dir, r) })}
	case list.Moved:
		r, fixed, ok := l.rule(a.Row.ID)
		to := Other(r.Origin)
		if !ok || fixed != "" || (to == permission.FromGlobal) != (a.By < 0) { // global rules stand above those of the project
			return refusal(fixed)
		}
		store, dir := l.Store, l.Chat().Dir
		done := fmt.Sprintf("moved to the %s rules: %s %s", to, r.Ruling, r)
		return panel.Start{Cmd: l.change(done, l.removed, func() error { return store.Move(dir, r, to) })}
	}
	return nil
}

// refusal reports why something cannot be done, if there is a reason.
func refusal(why string) panel.Effect {
	if why == "" {
		return nil
	}
	return panel.Notice{Text: why, Warn: true}
}
