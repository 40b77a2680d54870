package lists

import (
	"fmt"
	"strconv"
	"strings"

	"parley/session/permission"
	"parley/ui/permissions"
	"parley/ui/picker"
	"parley/ui/style"
)

// Permissions lists the permission rules in force. Removed are those that were removed since it was opened.
type Permissions struct {
	Listing permissions.Listing
	Removed []permission.Rule
	Loading bool // nothing was read yet
	Home    string
}

type (
	// EditRule opens a rule to be changed; a new one has no number.
	EditRule struct{ Rule permission.Rule }
	// OpenRules opens a file of rules in the user's editor.
	OpenRules struct{ Path string }
	// RestoreRule brings a removed rule back.
	RestoreRule struct{ Rule permission.Rule }
	// SaveRule puts the rule that was typed, with a ruling, in the place of one.
	SaveRule struct {
		Old    permission.Rule
		Ruling permission.Ruling
	}
	// Refuse says why something cannot be done.
	Refuse struct{ Why string }
)

func (EditRule) action()    {}
func (OpenRules) action()   {}
func (RestoreRule) action() {}
func (SaveRule) action()    {}
func (Refuse) action()      {}

// Options returns the texts of the list.
func (l Permissions) Options() picker.Options {
	o := picker.Options{Title: "Permission rules", Keys: "enter edits · ctrl+x removes · alt+↑ global · alt+↓ project · esc goes back",
		Drops: true, Moves: true, Peeks: true}
	if l.Loading {
		o.Wait = "reading the rules…"
	}
	if l.Listing.Warning != "" {
		o.Text = visible(l.Listing.Warning)
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
func (l Permissions) Rows() []picker.Row {
	var rows []picker.Row
	for _, g := range l.Listing.Groups {
		group := g.Title()
		if g.Problem != nil {
			rows = append(rows, picker.Row{ID: rowFile + string(g.Origin), Group: group, Cells: []string{"! " + visible(g.Problem.Err.Error()), "can't be used"},
				About: []string{visible(g.Problem.Error()), "Everything is asked about until the file is mended. Rules in it that deny or ask hold.", "Enter opens it in your editor."}})
		}
		for i, note := range g.Notes {
			rows = append(rows, picker.Row{ID: rowNote + string(g.Origin) + "/" + strconv.Itoa(i), Group: group, Cells: []string{visible(note)},
				About: []string{visible(note) + ".", visible(g.Fixed) + "."}})
		}
		for _, r := range g.Rules {
			rows = append(rows, picker.Row{ID: ruleID(r), Group: group, About: l.about(g, r),
				Cells: []string{fmt.Sprintf("%d  %-5s  %s", r.Number, r.Ruling, visible(r.String())), strings.TrimPrefix(permissions.Since(r, l.Listing.At), "since ")}})
		}
		for i, r := range l.Removed {
			if r.Origin == g.Origin {
				rows = append(rows, picker.Row{ID: rowRemoved + strconv.Itoa(i), Group: group, Cells: []string{"-  removed  " + visible(r.String()), "enter brings it back"},
					About: []string{visible(string(r.Ruling) + " " + r.String()), "This rule was removed. Enter brings it back."}})
			}
		}
		if g.Fixed == "" && g.Problem == nil {
			rows = append(rows, picker.Row{ID: rowNew + string(g.Origin), Group: group, Cells: []string{"+  new rule…"},
				About: []string{"Adds a rule to this file:", l.path(g)}})
		}
	}
	return rows
}

// about returns the preview of a rule.
func (l Permissions) about(g permissions.Group, r permission.Rule) []string {
	about := []string{visible(string(r.Ruling) + " " + r.String()), ""}
	for _, text := range permissions.Means(r) {
		about = append(about, visible(text))
	}
	where := fmt.Sprintf("Rule %d, %s", r.Number, g.Origin)
	if since := permissions.Since(r, l.Listing.At); since != "" {
		where += ", " + since
	}
	about = append(about, "", where+".")
	if g.Path != "" {
		about = append(about, l.path(g))
	}
	if g.Fixed != "" {
		about = append(about, visible(g.Fixed)+".")
	}
	return about
}

// path returns the visible file of a group.
func (l Permissions) path(g permissions.Group) string {
	return visible(style.ShortPath(g.Path, l.Home))
}

func ruleID(r permission.Rule) string {
	return "\x00rule/" + string(r.Origin) + "/" + strconv.Itoa(r.Number)
}

// Rule returns the rule of a row, and why it cannot be changed; false if the row is not a rule.
func (l Permissions) Rule(id string) (r permission.Rule, fixed string, ok bool) {
	for _, g := range l.Listing.Groups {
		for _, r := range g.Rules {
			if ruleID(r) == id {
				return r, g.Fixed, true
			}
		}
	}
	return permission.Rule{}, "", false
}

// Choose edits a rule, opens a file, or brings a rule back.
func (l Permissions) Choose(id string) Action {
	if r, fixed, ok := l.Rule(id); ok {
		if fixed != "" {
			return Refuse{fixed}
		}
		return EditRule{r}
	}
	if rest, ok := strings.CutPrefix(id, rowRemoved); ok {
		if i, err := strconv.Atoi(rest); err == nil && i < len(l.Removed) {
			return RestoreRule{l.Removed[i]}
		}
	}
	for _, g := range l.Listing.Groups {
		switch {
		case id == rowNew+string(g.Origin):
			return EditRule{permission.Rule{Origin: g.Origin, Ruling: permission.Allow}}
		case id == rowFile+string(g.Origin) && g.Fixed == "":
			return OpenRules{g.Path}
		case strings.HasPrefix(id, rowNote+string(g.Origin)+"/"), id == rowFile+string(g.Origin):
			return Refuse{g.Fixed}
		}
	}
	return nil
}

// Rule edits the text of a rule: the typed text with the chosen ruling.
type Rule struct{ Rule permission.Rule }

// Options returns the texts of the list.
func (l Rule) Options() picker.Options {
	o := picker.Options{Title: fmt.Sprintf("Change rule %d, %s", l.Rule.Number, l.Rule.Origin), Keys: "enter saves · ↑↓ what it does · esc goes back", Field: true, Prose: 1,
		Text: "Such as command go test *, edit src/**, read ~/notes/**, fetch example.com, mcp github or tool WebSearch."}
	if l.Rule.Number == 0 {
		o.Title = "New rule, " + string(l.Rule.Origin)
	}
	return o
}

// Rows returns the rulings.
func (l Rule) Rows() []picker.Row {
	var rows []picker.Row
	for _, r := range [][2]string{{"allow", "runs without asking"}, {"ask", "is asked about, whatever else allows it"}, {"deny", "is refused, in every mode"}} {
		rows = append(rows, picker.Row{ID: r[0], Cells: r[:], Mark: r[0] == string(l.Rule.Ruling)})
	}
	return rows
}

// Choose saves the rule with a ruling.
func (l Rule) Choose(id string) Action { return SaveRule{l.Rule, permission.Ruling(id)} }

// Facts shows lines of text.
type Facts struct {
	Title string
	Lines []string
}

// Options returns the texts of the list.
func (l Facts) Options() picker.Options {
	return picker.Options{Title: visible(l.Title), Keys: "esc goes back", Wraps: true}
}

// Rows returns the lines.
func (l Facts) Rows() []picker.Row {
	var rows []picker.Row
	for i, line := range l.Lines {
		rows = append(rows, picker.Row{ID: indexID(i), Cells: []string{visible(line)}})
	}
	return rows
}

// Choose chooses nothing.
func (l Facts) Choose(string) Action { return nil }
