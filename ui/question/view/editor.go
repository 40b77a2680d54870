package view

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/internal/human"
	"parley/ui/keymap"
	"parley/ui/question"
	"parley/ui/style"
	"parley/ui/textarea"
)

// planEditor is the editor of a plan as the question draws it.
type planEditor struct {
	vim  *textarea.Vim // nil without vim's keys
	page int           // rows of the last layout
	diff diffRows
}

// diffRows are the rows of the difference of a plan, and what they depend on.
type diffRows struct {
	patch  string
	width  int
	epoch  uint64
	method style.Measure
	rows   []string
	first  int // the first row that changes
}

// changed reports whether the question is what to do with the user's version of a plan.
func (p *prompt) changed() bool { return p.q.Review != nil && p.q.Review.Edited != "" }

// editing reports whether the plan is edited in the question.
func (p *prompt) editing() bool { return p.q.Review != nil && p.q.Review.Editing && p.reason == nil }

// beginEdit opens the plan in the question.
func (p *prompt) beginEdit() {
	p.q.BeginEdit()
	e := &p.editor
	if e.vim = nil; p.keys.Vim {
		e.vim = textarea.NewVim(p.q.Review.Editor)
	}
	p.focus.give()
}

// editKey handles a key while the plan is edited.
func (p *prompt) editKey(k tea.KeyPressMsg) Action {
	e, r, s := &p.editor, p.q.Review, k.String()
	ed := r.Editor
	if e.vim != nil && !(s == "esc" && e.vim.Mode() == textarea.Normal && e.vim.Pending() == "") {
		if e.vim.Key(s) || e.vim.Mode() != textarea.Insert && !p.keys.Bound(s) && k.Text != "" {
			r.Trouble = ""
			return nil
		}
	}
	switch {
	case s == "esc":
		p.q.EndEdit()
		return nil
	case p.keys.Acts[s].Act == keymap.Editor:
		return Chosen{question.Choice{Do: question.EditPlan}}
	case s == "pgup", s == "pgdown":
		for range max(1, e.page-1) {
			if s == "pgup" {
				ed.Up()
			} else {
				ed.Down()
			}
		}
	case s == "ctrl+home":
		ed.Move(textarea.TextStart)
	case s == "ctrl+end":
		ed.Move(textarea.TextEnd)
	case s == "enter":
		ed.Newline()
	case p.keys.Edits[s] != nil:
		p.keys.Edits[s](ed)
	default:
		if text := keymap.Typed(k); text != "" {
			ed.Insert(text)
		}
	}
	r.Trouble = ""
	return nil
}

// editorRows lays out the plan that is edited in at most limit rows.
func (sk sketch) editorRows(limit int) (rows []string, cx, cy int) {
	th, ms, r, e := sk.look.Theme, sk.look.Measure, sk.of.q.Review, &sk.of.editor
	below := sk.editorHints()
	if limit < 2+len(below) {
		below = below[:max(0, limit-2)]
	}
	e.page = max(1, limit-1-len(below))
	ed := r.Editor
	ed.SetWidthMethod(ms.Method == ansi.GraphemeWidth)
	ed.SetSize(textWidth(sk.look), e.page)
	view := ed.View()
	line, of := ed.Position()
	where := "line " + human.Number(line) + " of " + human.Number(of)
	if sk.look.Width < 60 {
		where = human.Number(line) + "/" + human.Number(of)
	}
	rows = []string{"  " + ms.Spread(th.Bold.Of(ms.Clip("Edit the plan", sk.look.Width-4-ms.Width(where)-1)), th.Dim.Of(where), sk.look.Width-4)}
	for _, row := range view.Rows {
		rows = append(rows, "  "+th.Dim.Of("│")+" "+row)
	}
	return append(rows, below...), 4 + view.X, 1 + view.Y
}

// textWidth returns the columns for the text, with one for the cursor.
func textWidth(l *style.Look) int { return max(2, l.Width-5) }

// editorHints returns the rows below the text: what is wrong with it, and which keys work.
func (sk sketch) editorHints() (rows []string) {
	if t := sk.of.q.Review.Trouble; t != "" {
		for _, s := range sk.look.Measure.Wrap("! "+t, sk.look.Width-4) {
			rows = append(rows, "  "+sk.look.Theme.Warn.Of(s))
		}
	}
	hint := ""
	switch {
	case !sk.of.writes():
		hint = "enter write here · "
	case sk.of.editor.vim != nil && sk.of.editor.vim.Mode() != textarea.Insert:
		hint = "NORMAL · "
	}
	for _, b := range sk.of.keys.Rows {
		if b.Name == "undo" && len(b.Keys) > 0 {
			hint += b.Keys[0] + " undoes · "
		}
	}
	if key := sk.of.keys.Key(keymap.Editor); key != "" {
		hint += key + " opens your editor · "
	}
	return append(rows, "  "+sk.look.Theme.Dim.Of(sk.look.Measure.Hints(hint+"esc is done", sk.look.Width-4)))
}

// maxWanted is how many rows an editor asks for.
const maxWanted = 60

// editorWants returns how many rows the question needs while the plan is edited.
func (sk sketch) editorWants() int {
	ed := sk.of.q.Review.Editor
	ed.SetSize(textWidth(sk.look), max(1, sk.of.editor.page))
	return 1 + len(sk.editorHints()) + ed.Tall(maxWanted)
}

// changeRows returns the difference between the plan and the user's version.
func (sk sketch) changeRows() []string {
	r, d := sk.of.q.Review, &sk.of.editor.diff
	if now := (diffRows{patch: r.Patch, width: sk.look.Width, epoch: sk.look.Theme.Epoch, method: sk.look.Measure}); d.rows == nil || d.patch != now.patch ||
		d.width != now.width || d.epoch != now.epoch || d.method != now.method {
		*d = now
		d.rows, d.first = proseDiff(sk.look, r.Patch)
		if len(d.rows) == 0 {
			d.rows = []string{"  " + sk.look.Theme.Dim.Of("Your version is too large to compare with the plan.")}
		}
	}
	return d.rows
}

// proseDiff lays out the hunks of a unified diff of prose: lines wrap at blanks, and have no numbers. first is the first row
// of a change.
func proseDiff(l *style.Look, patch string) (rows []string, first int) {
	first = -1
	for line := range strings.SplitSeq(strings.TrimSuffix(patch, "\n"), "\n") {
		st, mark := l.Theme.Dim, " "
		switch {
		case line == "" || line[0] == '\\':
			continue
		case strings.HasPrefix(line, "@@"):
			if len(rows) > 0 {
				rows = append(rows, "    "+l.Theme.Dim.Of("⋯"))
			}
			continue
		case line[0] == '+':
			st, mark = l.Theme.Good, "+"
		case line[0] == '-':
			st, mark = l.Theme.Bad, "-"
		}
		if mark != " " && first < 0 && strings.TrimSpace(line[1:]) != "" {
			first = len(rows)
		}
		text := strings.ReplaceAll(style.Visible(line[1:]), "\t", "    ")
		for _, s := range l.Measure.Wrap(text, max(1, l.Width-8)) {
			rows = append(rows, strings.TrimRight("    "+st.Of(mark+" "+s), " "))
			mark = " "
		}
	}
	return rows, max(0, first)
}
