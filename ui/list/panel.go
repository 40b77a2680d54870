package list

import (
	"reflect"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/panel"
	"parley/ui/style"
)

// ChooseKeys are the keys of a list in which there is nothing to do but to choose.
const ChooseKeys = "enter choose · esc back"

// Source is what a list shows, and what follows from a choice.
type Source interface {
	// Options returns the texts of the list, and what can be done in it besides choosing.
	Options() Options
	// Rows returns what can be chosen.
	Rows() []Row
	// Choose returns what the choice of a row stands for, nil for nothing. id is that of a row.
	Choose(id string) panel.Effect
}

// Doer is a source in which rows can be dropped, moved or acted on, have values, or are chosen with what is typed. What it returns for
// a [Picked] closes the list itself.
type Doer interface {
	// Do returns what such an action stands for.
	Do(a Action) panel.Effect
}

// Leaver is a source that is left in a way of its own.
type Leaver interface {
	// Leave returns what the keys that close the list do, nil for nothing but that.
	Leave() panel.Effect
}

// Peeker is a source whose previews are read in the background.
type Peeker interface {
	// Peek returns the command that reads the preview of a row in so many columns. It brings a [Preview].
	Peek(id string, width, height int) panel.Effect
}

// Updater is a source that waits for something.
type Updater interface {
	// Update handles a message that was sent to the panel of the source. It returns [panel.Pass] for what is not its own.
	Update(p *Panel, msg tea.Msg) (panel.Effect, panel.Cmd)
}

// Trial is a source that tries out the row that is selected, until the list is closed.
type Trial interface {
	// Try returns what follows from the selection of a row.
	Try(id string) panel.Effect
	// End returns what follows once the list is closed, whether or not a row was chosen.
	End() panel.Effect
	// Sample returns rows that stand below the list where there is room.
	Sample() []string
}

type (
	// Fresh replaces the source of each open list whose source has the same type. With Forget, values that the user turned to are
	// those of the new rows.
	Fresh struct {
		Source Source
		Forget bool
	}
	// Preview carries the preview of a row, as visible text without styles: rows that are always shown, and rows of which the end is shown.
	Preview struct {
		ID         string
		Lead, Rows []string
	}
	// peekDue reports that a row has been selected for peekDelay.
	peekDue struct{ id string }
)

// peekDelay is the time that a row must be selected before it is read: choosing quickly passes over many.
const peekDelay = 80 * time.Millisecond

// Panel covers the chat with a list. The event loop owns it.
type Panel struct {
	Picker *Picker
	Source Source
}

// Open returns a panel with a list, filtered by some words.
func Open(l *style.Look, s Source, filter string) *Panel {
	o := s.Options()
	p := &Panel{New(l, o), s}
	p.Picker.narrower, _ = s.(Narrower)
	p.Picker.SetFilter(filter)
	if o.Wait == "" && o.Trouble == "" {
		p.Picker.setRows(s.Rows())
	}
	return p
}

// Found returns the rows that the filter shows, or why there are none yet: what is waited for, or what is wrong. It is for the
// chat in lines.
func (p *Panel) Found() (rows []Row, wait, trouble string) {
	for _, at := range p.Picker.shown {
		r := p.Picker.all[at]
		r.Says = p.Picker.hits.by[r.ID]
		rows = append(rows, r)
	}
	if wait = p.Picker.Wait; wait == "" {
		wait = p.Picker.hits.state
	}
	if part, is := p.Source.(interface{ More() bool }); is && wait == "" && part.More() {
		wait = "more"
	}
	return rows, wait, p.Picker.Trouble
}

// Set replaces what is listed, and keeps the selection where it can.
func (p *Panel) Set(s Source) {
	o := s.Options()
	p.Picker.narrower, _ = s.(Narrower)
	p.Source, p.Picker.Right, p.Picker.Heads, p.Picker.Text, p.Picker.Keys = s, o.Right, o.Heads, o.Text, o.Keys
	if o.Trouble != "" {
		p.Picker.Fail(o.Trouble)
		return
	}
	p.Picker.setRows(s.Rows())
}

// Update handles what the user does, and what the source waits for.
func (p *Panel) Update(msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		before := p.standing()
		a := p.Picker.Update(msg)
		_, passed := a.(Passed)
		if source, is := p.Source.(Leaver); is && passed && (msg.String() == "esc" || msg.String() == "ctrl+c") {
			if e := source.Leave(); e != nil {
				return e, nil
			}
		}
		return p.after(before, a)
	case tea.PasteMsg:
		before := p.standing()
		return p.after(before, p.Picker.Update(msg))
	case findDue:
		return nil, p.look(msg.typed)
	case Fresh:
		if reflect.TypeOf(msg.Source) != reflect.TypeOf(p.Source) {
			return panel.Pass{}, nil
		}
		if msg.Forget {
			p.Picker.values.turned = nil
		}
		p.Set(msg.Source)
		return nil, nil
	case Preview:
		if _, known := p.Picker.previews[msg.ID]; !known {
			return panel.Pass{}, nil
		}
		p.Picker.previews[msg.ID] = msg
		return nil, nil
	case panel.Drawn:
		if p.Picker.resized {
			p.Picker.resized = false
			return nil, p.Wanted()
		}
		return nil, nil
	case peekDue:
		if source, is := p.Source.(Peeker); is && p.Picker.Load(msg.id) {
			return source.Peek(msg.id, p.Picker.previewWidth(), p.Picker.height), nil
		}
		return nil, nil
	}
	if source, is := p.Source.(Updater); is {
		return source.Update(p, msg)
	}
	return panel.Pass{}, nil
}

// standing is the words typed and the row selected.
type standing struct{ typed, selected string }

func (p *Panel) standing() standing {
	r, _ := p.Picker.Selected()
	return standing{p.Picker.Typed(), r.ID}
}

// after carries out what came of the picker, looks for what is typed now, and tries out another row than was selected before.
func (p *Panel) after(before standing, a Action) (panel.Effect, panel.Cmd) {
	e, c := p.does(a)
	trial, is := p.Source.(Trial)
	if now := p.standing(); is && now.selected != "" && now.selected != before.selected && e == nil {
		e = trial.Try(now.selected)
	}
	return e, panel.Batch(c, p.typed(before.typed))
}

// does carries out what came of the picker.
func (p *Panel) does(a Action) (panel.Effect, panel.Cmd) {
	switch a := a.(type) {
	case Passed:
		return panel.Pass{}, nil
	case Refused:
		return panel.Notice{Text: a.Row.Cells[0] + ": " + a.Row.Off, Warn: true}, nil
	case Peek:
		return nil, p.peek(a)
	case Picked:
		if p.Picker.Field || p.Picker.Value > 0 {
			break // the choice is more than the row
		}
		if p.Picker.Stays {
			return p.Source.Choose(a.Row.ID), nil
		}
		return panel.All{panel.Pop{}, p.Source.Choose(a.Row.ID)}, nil
	case nil:
		return nil, nil
	}
	if source, is := p.Source.(Doer); is {
		return source.Do(a), nil
	}
	return nil, nil
}

// Wanted returns the command that provides the preview of the selected row a moment later, nil if it needs none.
func (p *Panel) Wanted() panel.Cmd { return p.peek(p.Picker.Missing()) }

func (p *Panel) peek(a Action) panel.Cmd {
	if missing, is := a.(Peek); is {
		return panel.After(peekDelay, peekDue{missing.Row.ID})
	}
	return nil
}

// Draw returns the list. On a screen that keeps the terminal's own rows it takes no more than it needs.
func (p *Panel) Draw(width, height int) panel.Frame {
	var sample []string
	if trial, is := p.Source.(Trial); is {
		if sample = trial.Sample(); height-len(sample) < leastRows {
			sample = nil
		}
		height -= len(sample)
	}
	p.Picker.SetSize(width, height)
	if p.Picker.look.Inline {
		height = p.Picker.Want(width, height)
	}
	var f panel.Frame
	f.Rows, f.X, f.Y = p.Picker.Rows(width, height)
	if n := len(f.Rows) - 1; len(sample) > 0 && n > 0 { // the last row has the keys
		f.Rows = slices.Insert(f.Rows, n, sample...)
		if f.Y >= n {
			f.Y += len(sample)
		}
	}
	return f
}

// leastRows is the least number of rows of a list above a sample.
const leastRows = 12

// Close ends what was tried out.
func (p *Panel) Close() panel.Effect {
	if trial, is := p.Source.(Trial); is {
		return trial.End()
	}
	return nil
}
