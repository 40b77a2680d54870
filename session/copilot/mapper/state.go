package mapper

import (
	"strings"
	"time"

	"parley/session"
	"parley/session/copilot/protocol"
)

// opened maps the beginning of a session's stretch with a process. In a file, what an earlier process left open has ended.
func opened(m *Mapper, e protocol.Event, d sessionData, at time.Time) {
	if e.Agent != "" {
		return
	}
	if m.stored && !d.WasActive {
		m.endStored()
		endBackground(m, at)
	}
	setModel(m, d.Model, d.Effort, at)
}

// setModel reports the model and the effort that the runtime named, if they changed.
func setModel(m *Mapper, model, effort string, at time.Time) {
	if model == "" {
		return
	}
	c := session.ModelChanged{Model: m.names(model), Effort: effort}
	if c == m.model {
		return
	}
	m.model = c
	c.Head = m.rec.At(at)
	m.rec.Emit(c)
}

// setRuntimeMode reports that the runtime entered or left its plan mode. It never makes a session ask less than by default:
// only the user chooses a looser mode.
func setRuntimeMode(m *Mapper, mode string, at time.Time) {
	next := session.ModeDefault
	switch {
	case mode == "plan":
		next = session.ModePlan
	case m.mode != session.ModePlan:
		return
	}
	if next == m.mode {
		return
	}
	m.mode = next
	m.rec.Emit(session.ModeChanged{Head: m.rec.At(at), Mode: next})
}

func setTitle(m *Mapper, title string, at time.Time) {
	title = strings.TrimSpace(title)
	if title == "" || title == m.title {
		return
	}
	m.title = title
	m.rec.Emit(session.TitleChanged{Head: m.rec.At(at), Title: title})
}

// compacted reports a compaction, or its failure.
func compacted(m *Mapper, e protocol.Event, at time.Time) {
	d := decode[compactionData](e)
	if e.Agent != "" {
		return
	}
	if !d.Success {
		text := "The conversation could not be compacted"
		if why := firstLine(d.Error); why != "" {
			text += ": " + strings.TrimSuffix(why, ".")
		}
		m.rec.Emit(session.Notice{Head: m.rec.At(at), Severity: session.Warning, Text: text + "."})
		return
	}
	after := d.After
	if after == 0 {
		after = d.System + d.Conversation + d.Tools
	}
	if after == 0 && d.Before > d.Removed {
		after = d.Before - d.Removed
	}
	auto := d.Trigger != "manual"
	if d.Trigger == "" { // older runtimes do not say it; users compact between turns
		auto = m.rec.Turn != ""
	}
	m.rec.Emit(session.Compacted{Head: m.rec.At(at), Auto: auto, Before: d.Before, After: after,
		Summary: strings.TrimSpace(d.Summary), Focus: strings.TrimSpace(d.Focus)})
	if after > 0 {
		m.usage.context(after, 0, at)
	}
}

// shutdown ends what a file leaves open, because the process that ran it has ended.
func shutdown(m *Mapper, e protocol.Event, d sessionData, at time.Time) {
	if e.Agent != "" {
		return
	}
	if m.stored {
		m.endStored()
		endBackground(m, at)
	}
	m.usage.context(d.Tokens, 0, at)
}

// hiddenInfo are the kinds of information that rows, figures or problems show already.
var hiddenInfo = setOf(`file_created file_modified file_deleted model_retry cancellation timing context_window snapshot
	debug telemetry fork model auth configuration`)

// note reports what the runtime tells its user.
func note(m *Mapper, e protocol.Event, at time.Time) {
	d := decode[noticeData](e)
	text := strings.TrimSpace(d.Message)
	if text == "" || e.Agent != "" || hiddenInfo[d.Info] {
		return
	}
	severity := session.Info
	if e.Type == "session.warning" {
		severity = session.Warning
	}
	m.rec.Emit(session.Notice{Head: m.rec.At(at), Severity: severity, Text: text})
}

// firstLine returns the first line of a text, without spaces around it.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
