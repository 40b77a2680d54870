package mapper

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"parley/internal/human"
	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/copilot/protocol"
	"parley/session/process/record"
)

// toolEnded ends a call with its result, and with it a child in the foreground.
func (m *Mapper) toolEnded(e protocol.Event, at time.Time) {
	d := decode[toolComplete](e)
	t := m.calls.Running(session.CallID(d.Call))
	if t == nil {
		m.rec.Count("tool result")
		return
	}
	if t.Child == "" {
		m.turn.last = at
	}
	m.calls.ready(t.ID, nil, at)
	end := session.ToolEnded{Head: m.rec.At(at), Call: t.ID, Outcome: outcomeOf(d), Duration: max(0, at.Sub(t.Began))}
	end.Result = resultOf(t.Name, d, end.Outcome)
	switch {
	case end.Outcome == session.ToolOK && t.Name == "ask_user":
		end.Result = answerOf(t.With.input, end.Result)
	case end.Outcome == session.ToolOK && editsFiles(t.Name, t.With.input):
		end.Edits = editsOf(d.Result.Detailed)
	case isShell(t.Name):
		m.shells.started(t.ID, d, &end)
	}
	if isShell(t.Name) && end.Outcome == session.ToolOK && end.Result.ExitCode != nil && *end.Result.ExitCode != 0 {
		end.Outcome = session.ToolFailed
	}
	m.calls.end(end)
	if end.Outcome == session.ToolOK {
		m.shells.asked(t, d, at)
		m.todosOf(t, at)
	}
	t.With.input = nil
	if child := m.children.calls[t.ID]; child != "" {
		answered(m, child, end.Result.Background || end.Result.Summary == backgroundSummary, record.OutcomeOf(end.Outcome), at)
	}
}

// Codes and texts of the failures that the user or an interrupt caused.
var (
	deniedCodes = setOf("denied rejected")
	stoppedText = lazyregexp.New(`(?i)^(operation |the )?(was |tool call was )?(cancelled|canceled|aborted|interrupted)|interrupted before a result was recorded`)
)

// RefusedByUser is the text that the model reads of a call that the user refused without words.
const RefusedByUser = "Do not try to do the same in another way; ask what the user wants instead."

// feedback begins the result of a call that the user refused with words, as the runtime writes it.
const feedback = "The user rejected this tool call. User feedback: "

func outcomeOf(d toolComplete) session.ToolOutcome {
	switch {
	case d.Success:
		return session.ToolOK
	case deniedCodes[d.Error.Code]:
		return session.ToolDenied
	case d.Error.Code == "cancelled", d.Error.Code == "aborted", stoppedText.MatchString(d.Error.Message):
		return session.ToolCancelled
	}
	return session.ToolFailed
}

// isShell reports whether a tool runs commands.
func isShell(tool string) bool {
	return tool == "bash" || tool == "powershell" || tool == "local_shell"
}

// resultOf returns the result of a call as the user sees it.
func resultOf(tool string, d toolComplete, outcome session.ToolOutcome) session.ToolResult {
	text := d.Result.Content
	if outcome != session.ToolOK {
		text = d.Error.Message
		if text == "" {
			text = d.Result.Content
		}
		if words, ok := strings.CutPrefix(text, feedback); ok && outcome == session.ToolDenied && words != RefusedByUser {
			return session.ToolResult{Text: words, Sent: text, Summary: session.RefusedWithWords}
		}
		return session.ToolResult{Text: text}
	}
	r := session.ToolResult{Text: text}
	switch {
	case isShell(tool):
		r = shellResult(d)
	case tool == "task":
		if strings.HasPrefix(text, startedInBackground) || strings.HasPrefix(text, movedToBackground) {
			r = session.ToolResult{Sent: text, Summary: backgroundSummary}
		}
	case tool == "skill":
		r.Summary = session.SkillLoaded
	case tool == "view" && text != "" && !strings.HasPrefix(text, savedOutput):
		r.Summary = human.Count(strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1, "line", "lines")
	}
	if path, preview, ok := saved(text); ok {
		r.Truncated, r.FullPath, r.Text, r.Sent = true, cmp.Or(r.FullPath, path), preview, text
	}
	for _, c := range append(d.Result.Contents, d.Result.Binary...) {
		if c.Type == "image" && len(c.Data) > 0 {
			r.Media = append(r.Media, session.Media{MediaType: c.MimeType, Data: c.Data})
		}
	}
	return r
}

// answerOf returns the result of a question with the question and its answer. The runtime writes "User selected: red" for it.
func answerOf(input json.RawMessage, r session.ToolResult) session.ToolResult {
	var asked struct {
		Question string `json:"question"`
	}
	_, answer, ok := strings.Cut(r.Text, ": ")
	if !ok || !strings.HasPrefix(r.Text, "User ") || json.Unmarshal(input, &asked) != nil || asked.Question == "" {
		return r
	}
	return session.ToolResult{Text: asked.Question + " " + answer, Sent: r.Text, Summary: "1 answer"}
}

// These begin the result of the call of a child that works in the background: from its beginning, or since the user sent
// it there.
const (
	startedInBackground = "Agent started in background"
	movedToBackground   = "Agent moved to background"
)

// backgroundSummary is the summary of the result of a call whose work goes on in the background.
const backgroundSummary = "in the background"

// shellEnd matches the note to the model at the end of a command's output.
var shellEnd = lazyregexp.New(`\n?<(?:command with )?(?:shellId: \S+|exited|command) (?:completed |exited )?with exit code (-?\d+)>\s*$|\n?<exited with exit code (-?\d+)>\s*$`)

// shellResult returns the output of a command without the note at its end.
func shellResult(d toolComplete) session.ToolResult {
	text := d.Result.Content
	r := session.ToolResult{Text: text}
	for _, c := range d.Result.Contents {
		if c.ExitCode != nil {
			r.ExitCode = c.ExitCode
		}
		if c.FilePath != "" {
			r.FullPath, r.Truncated = c.FilePath, true
		}
	}
	switch {
	case d.Shell != nil && d.Shell.ExitCode != nil:
		r.ExitCode = d.Shell.ExitCode
	case r.ExitCode == nil:
		r.ExitCode = d.Telemetry.Metrics.ExitCode
	}
	if at := shellEnd.FindStringSubmatchIndex(text); at != nil {
		r.Text, r.Sent = text[:at[0]], text
		if r.ExitCode == nil {
			var code int
			digits := text[at[2]:at[3]]
			if at[2] < 0 {
				digits = text[at[4]:at[5]]
			}
			if json.Unmarshal([]byte(digits), &code) == nil {
				r.ExitCode = &code
			}
		}
	}
	return r
}

// savedOutput begins the replacement of a result that is too large for the model.
const savedOutput = "Output too large to read at once ("

// saved reads such a replacement: the path of the whole and a preview.
func saved(text string) (path, preview string, ok bool) {
	rest, ok := strings.CutPrefix(text, savedOutput)
	if !ok {
		return "", "", false
	}
	_, rest, ok = strings.Cut(rest, "Saved to: ")
	if !ok {
		return "", "", false
	}
	path, rest, _ = strings.Cut(rest, "\n")
	if _, after, found := strings.Cut(rest, "Preview ("); found {
		_, preview, _ = strings.Cut(after, "\n")
	}
	return strings.TrimSpace(path), preview, true
}
