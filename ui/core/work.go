package core

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// WorkLabel returns what work in the background is, visible and in one row: a command line, or a child agent and its task.
// dir is the directory that paths are shown within.
func WorkLabel(w session.Work, dir string) string {
	if c := w.Child; c != nil {
		name := c.Name
		if name == "" {
			name = "agent"
		}
		if c.Description != "" {
			name += ": " + c.Description
		}
		return style.Visible(style.OneLine(name))
	}
	d := toolview.Describe(w.Tool.Name, w.Tool.Input, dir)
	label := d.Subject
	if label == "" || d.Kind != toolview.Command {
		label = strings.TrimSpace(d.Present + " " + label)
	}
	return style.Visible(style.OneLine(label))
}

// WorkIcon returns one cell for the kind of work: "$" for a command, "@" for a child agent.
func WorkIcon(w session.Work) string {
	if w.Child != nil {
		return "@"
	}
	return "$"
}

// WorkState returns how work ended in a few words, such as "exit 1"; "" while it runs.
func WorkState(w session.Work) string {
	if c := w.Child; c != nil {
		switch {
		case !c.Ended:
			return ""
		case c.Outcome == session.TurnCancelled && strings.HasPrefix(c.Summary, "ended with "):
			return style.Visible(style.OneLine(c.Summary))
		case c.Outcome == session.TurnCancelled:
			return "stopped"
		case c.Outcome == session.TurnCompleted:
			return "done"
		}
		return "failed"
	}
	t := w.Tool
	switch code := t.Result.ExitCode; {
	case !t.Ended || t.Result.Background:
		return ""
	case t.Outcome == session.ToolCancelled && strings.HasPrefix(t.Result.Summary, "ended with "):
		return style.Visible(style.OneLine(t.Result.Summary))
	case t.Outcome == session.ToolCancelled:
		return "stopped"
	case code != nil:
		return fmt.Sprintf("exit %d", *code)
	case t.Outcome == session.ToolOK:
		return "done"
	}
	return "failed"
}

// WorkFailed reports whether work ended badly, other than by being stopped.
func WorkFailed(w session.Work) bool {
	if w.Child != nil {
		return w.Child.Ended && w.Child.Outcome == session.TurnFailed
	}
	return w.Tool.Ended && !w.Tool.Result.Background && w.Tool.Outcome == session.ToolFailed
}

// WorkOutput returns what a command in the background wrote, or the last words of a child agent.
func WorkOutput(w session.Work) string {
	if c := w.Child; c != nil {
		for i := len(c.Entries) - 1; i >= 0; i-- {
			if p, ok := c.Entries[i].(*session.Part); ok && p.Kind == session.PartText && p.Len() > 0 {
				return p.Text()
			}
		}
		return ""
	}
	if w.Tool.Result.Text != "" && !w.Tool.Result.Background {
		return w.Tool.Result.Text
	}
	return w.Tool.Output()
}

// EndedWork returns what the mark of an end is about; false for other marks, and for what the transcript does not know.
//
// The work is a copy as it ended: a child agent may go on later.
func EndedWork(t *session.Transcript, e session.Event) (session.Work, bool) {
	switch e := e.(type) {
	case session.ToolEnded:
		if tool := t.Call(e.Call); tool != nil {
			return session.Work{Tool: tool}, true
		}
	case session.ChildEnded:
		if c := t.FindChild(e.ID); c != nil {
			then := *c
			then.Ended, then.Outcome, then.Summary = true, e.Outcome, e.Summary
			return session.Work{Child: &then}, true
		}
	}
	return session.Work{}, false
}

// EndText returns the line for the end of something in the background at a time: what, how and after how long. It is visible.
func EndText(w session.Work, at time.Time, dir string) string {
	return WorkLabel(w, dir) + " " + EndWords(w, at)
}

// EndWords returns how something in the background ended at a time and after how long, such as "ended with exit 2 after 41s".
func EndWords(w session.Work, at time.Time) string {
	how := WorkState(w)
	switch how {
	case "exit 0", "done", "":
		how = "ended"
	case "stopped", "failed":
	default:
		if !strings.HasPrefix(how, "ended") {
			how = "ended with " + how
		}
	}
	if since := w.Since(); !since.IsZero() && at.Sub(since) >= style.Noticeable {
		how += " after " + human.Seconds(at.Sub(since))
	}
	return how
}

// BecauseText returns the line above a turn that the agent began itself, visible; "" if there is no reason to give.
func BecauseText(because string, told bool) string {
	switch {
	case because == "":
		return ""
	case told:
		return "The agent continues:"
	}
	return "The agent goes on by itself: " + style.Visible(style.OneLine(because))
}
