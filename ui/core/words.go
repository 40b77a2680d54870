package core

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/live"
	"parley/ui/style"
)

// NoticeText returns the line that an event is shown as, not yet made visible, with the user's home directory shortened in paths, and
// whether it reports a problem. It is "" for events that have no line.
func NoticeText(e session.Event, home string) (string, bool) {
	switch e := e.(type) {
	case session.Notice:
		return e.Text, e.Severity != session.Info
	case session.Compacted:
		return compactedText(e), false
	case session.ModelChanged:
		text := "Switched to " + style.ShortModel(e.Model)
		if e.Effort != "" {
			text += " (" + e.Effort + ")"
		}
		return text, false
	case session.ModeChanged:
		return "Switched to " + ModeName(e.Mode) + " mode", false
	case session.CustomChanged:
		if e.Custom == "" {
			return "Back to the agent without a custom agent", false
		}
		return "Switched to the custom agent " + session.CustomName(e.Custom), false
	case session.DirsChanged:
		if len(e.Dirs) == 0 {
			return "No further directories", false
		}
		var dirs []string
		for _, dir := range e.Dirs {
			dirs = append(dirs, style.ShortPath(dir, home))
		}
		return "Further directories: " + strings.Join(dirs, ", "), false
	case session.RuntimeChanged:
		why, _, _ := strings.Cut(strings.TrimSpace(e.Detail), "\n")
		switch e.State {
		case session.RuntimeExited:
			return strings.TrimSuffix("the agent's runtime ended: "+why, ": "), true
		case session.RuntimeRestarting:
			return strings.TrimSuffix("Restarting the agent: "+why, ": "), false
		}
	}
	return "", false
}

// compactedText describes a compaction and what it saved.
func compactedText(e session.Compacted) string {
	s := "Summarized the conversation so far"
	switch {
	case e.Undone:
		s = "Undid the compaction; the whole conversation is sent again"
	case len(e.Dropped) > 0:
		s = "Left out " + human.Count(len(e.Dropped), "old tool result", "old tool results")
	}
	if e.Before > 0 && e.After > 0 {
		s += ": " + human.Tokens(e.Before) + " to " + human.Tokens(e.After) + " tokens"
	}
	if e.Focus != "" {
		s += " (focus: " + style.OneLine(e.Focus) + ")"
	}
	return s
}

// modeWords are the words for a permission mode: its name, what the agent does in it, and more of that where modes are chosen.
type modeWords struct{ name, does, about string }

var modes = map[session.Mode]modeWords{
	session.ModeDefault:     {"default", "asks before it acts", "asks before edits and commands"},
	session.ModeAcceptEdits: {"accept edits", "edits without asking", "edits below this directory run, commands ask"},
	session.ModePlan:        {"plan", "plans, changes nothing", "nothing is changed"},
	session.ModeBypass:      {"bypass permissions", "never asks", "nothing is asked"},
}

// wordsOf returns the words for a mode, of which an unknown one has only its name.
func wordsOf(m session.Mode) modeWords {
	if m == "" {
		m = session.ModeDefault
	}
	if w, ok := modes[m]; ok {
		return w
	}
	return modeWords{name: style.Visible(string(m)), does: style.Visible(string(m)) + " mode"}
}

// ModeName returns the name of a permission mode, visible.
func ModeName(m session.Mode) string { return wordsOf(m).name }

// ModeWords returns what the agent does in a permission mode, visible.
func ModeWords(m session.Mode) string { return wordsOf(m).does }

// ModeAbout describes a permission mode in a few words, "" for an unknown one.
func ModeAbout(m session.Mode) string { return wordsOf(m).about }

// AgentTitle returns the name of an agent for people, visible.
func AgentTitle(agent string) string { return style.VisibleLine(session.AgentTitle(agent)) }

// AttachmentName returns a few visible words for an attachment of a prompt. Paths are shortened by the session's directory
// dir and the user's directory home.
func AttachmentName(dir, home string, a session.Attachment) string {
	name := style.Visible(filepath.ToSlash(strings.TrimPrefix(style.ShortPath(a.Path, home), strings.TrimSuffix(style.ShortPath(dir, home), "/")+"/")))
	switch a.Kind {
	case session.AttachSelection:
		return fmt.Sprintf("%s, lines %d to %d", name, a.FirstLine, a.LastLine)
	case session.AttachPaste:
		return "pasted text, " + human.Count(style.Lines(a.Text), "line", "lines")
	case session.AttachImage:
		if name == "" {
			return "image"
		}
		return style.Visible(filepath.Base(a.Path)) + ", " + human.Kilobytes(len(a.Data))
	case session.AttachCommand:
		return "! " + style.Visible(style.OneLine(a.Path)) + ", " + human.Count(style.Lines(a.Text), "line", "lines")
	}
	return name
}

// EditedPlan begins the message that returns a plan the user changed in the editor. The plan follows.
const EditedPlan = "The user changed the plan. Take it as it stands here, and propose it again before you begin:\n\n"

// BypassMeans describes what a user agrees to by bypassing permissions.
const BypassMeans = "The agent then runs every command and changes every file without asking, also outside this directory, with all " +
	"that your account may do. It holds for this session, until you choose another mode or leave parley."

// Activity describes what the agent is doing in a running turn, in a word or a few, as visible text. asks is how many
// questions are open.
func Activity(t *session.Turn, asks int, now time.Time) string {
	if r := t.Retry; r != nil {
		s := "trying again"
		if left := r.At.Add(r.Delay).Sub(now); left > 0 {
			s += " in " + human.Seconds(left+time.Second-1)
		}
		if r.Of > 0 {
			s += " (" + human.Number(r.Attempt) + " of " + human.Number(r.Of) + ")"
		}
		if r.Why != "" {
			s += ": " + style.Visible(style.OneLine(r.Why))
		}
		return s
	}
	if asks > 0 {
		return "waiting for you"
	}
	for i := len(t.Entries) - 1; i >= 0; i-- {
		switch e := t.Entries[i].(type) {
		case *session.Part:
			switch {
			case e.Retracted:
			case e.Ended:
				return Waiting
			case e.Kind == session.PartReasoning:
				return "thinking"
			default:
				return "writing"
			}
		case *session.Tool:
			switch {
			case e.Ended: // one before it may still run
			case !e.Ready:
				return "preparing " + style.Visible(e.Name)
			default:
				return Working
			}
		case *session.Child:
			if !e.Ended && !e.Background {
				return Working
			}
		}
	}
	return Waiting
}

// Two of the words of Activity: the model has the turn, or a call does.
const (
	Waiting = "waiting for Copilot"
	Working = "working"
)

// NextSettings returns the settings that a new session takes over from the one before. A bypass of permissions is not among
// them: it was confirmed for that session alone. Directories are given to a new session beside its settings.
func NextSettings(v session.Settings) session.Settings {
	v.Dirs = ""
	if v.Mode == session.ModeBypass {
		v.Mode = session.ModeDefault
	}
	return v
}

// NextDraft returns the options of a new session after s: with another agent unless it is "", in another directory unless that is "".
// The further directories go along where the directory stays.
func NextDraft(s *live.Session, agent, dir string) live.DraftOptions {
	m := s.Meta()
	o := live.DraftOptions{Agent: cmp.Or(agent, m.Agent), Dir: cmp.Or(dir, m.Dir), Settings: NextSettings(s.Settings())}
	if o.Dir == m.Dir {
		o.Dirs = m.Dirs
	}
	return o
}

// WithDirs returns the settings of a session with a further directory added and another one taken back; "" for none.
func WithDirs(s *live.Session, add, remove string) session.Settings {
	v := s.Settings()
	dirs := slices.DeleteFunc(slices.Clone(v.Dirs.Or(s.Meta().Dirs)), func(dir string) bool { return dir == remove || dir == add })
	if add != "" {
		dirs = append(dirs, add)
	}
	v.Dirs = session.DirsOf(dirs)
	return v
}

// EffortWords returns what is printed once an effort is set, "" for that of the model.
func EffortWords(effort string) string {
	if effort == "" {
		return "effort: the model's default"
	}
	return "effort " + effort
}

// CustomWords returns what is printed once a custom agent leads, or none if it has no name.
func CustomWords(a session.CustomAgent) string {
	if a.Name == "" {
		return "no custom agent"
	}
	return "custom agent " + a.Name
}
