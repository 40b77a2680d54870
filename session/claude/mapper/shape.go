package mapper

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"parley/internal/errmark"
	"parley/internal/human"
	"parley/session"
	"parley/session/claude/transcript"
)

// toolResult prefers the tool's own result to the text for the model where it reads better. raw is an object whose shape
// depends on the tool, a list of blocks for MCP tools, and a string for failures.
func toolResult(name string, raw json.RawMessage, text string, outcome session.ToolOutcome) session.ToolResult {
	res := session.ToolResult{Text: text}
	switch outcome {
	case session.ToolFailed, session.ToolDenied:
		return failedResult(name, text)
	case session.ToolCancelled:
		return cancelledResult(name, text)
	}
	switch name {
	case "Bash", "PowerShell":
		res = shellResult(raw, text)
	case "Read", "NotebookRead":
		res.Summary = readSummary(raw)
	case "Glob", "Grep":
		res.Summary, res.Truncated = searchSummary(raw)
	case "WebFetch", "WebSearch":
		res.Summary = webSummary(raw)
	case "Agent", "Task":
		res = agentResult(raw, text)
	case "Skill":
		var done struct{ Status string }
		if json.Unmarshal(raw, &done) != nil || done.Status != "forked" {
			res.Summary = session.SkillLoaded
		}
	case "EnterPlanMode", "TodoWrite": // the text is for the model; the effect is shown elsewhere
		res = session.ToolResult{Sent: text}
	case "ExitPlanMode":
		res = planResult(raw, text)
	case "AskUserQuestion":
		res = answersResult(raw, text)
	}
	if path, preview, ok := persisted(text); ok && res.FullPath == "" {
		res.Truncated, res.FullPath = true, path
		if res.Text == text {
			res.Text, res.Sent = preview, text
		}
	}
	return res
}

// failedResult removes the markup around the text of a failure.
func failedResult(name, text string) session.ToolResult {
	res := session.ToolResult{Text: text}
	shown := text
	if why, ok := hookReason(name, text); ok {
		shown = why
	} else if inner, ok := strings.CutPrefix(shown, "<tool_use_error>"); ok {
		shown = strings.TrimSuffix(inner, "</tool_use_error>")
	} else if words, ok := strings.CutPrefix(shown, saying); ok {
		shown, res.Summary = words, session.RefusedWithWords
	}
	if rest, ok := strings.CutPrefix(shown, "Exit code "); ok && (name == "Bash" || name == "PowerShell") {
		digits, output, _ := strings.Cut(rest, "\n")
		if code, err := strconv.Atoi(digits); err == nil {
			res.ExitCode = &code
			shown = output
		}
	}
	if shown != text {
		res.Text, res.Sent = shown, text
	}
	return res
}

// cancelledResult removes the notes to the model about the interrupt.
func cancelledResult(name, text string) session.ToolResult {
	shown := text
	for _, note := range []string{rejected, interrupted, askAborted, "<error>" + aborted, RefusedByAbort} {
		shown, _, _ = strings.Cut(shown, note)
	}
	res := failedResult(name, strings.TrimSpace(shown))
	res.Sent = text
	return res
}

func planResult(raw json.RawMessage, text string) session.ToolResult {
	var r struct{ Plan string }
	if json.Unmarshal(raw, &r) != nil || r.Plan == "" {
		return session.ToolResult{Text: text}
	}
	return session.ToolResult{Text: r.Plan, Sent: text}
}

// answersResult lists each question with its answer.
func answersResult(raw json.RawMessage, text string) session.ToolResult {
	var r struct {
		Questions []struct{ Question string }
		Answers   map[string]string
	}
	if json.Unmarshal(raw, &r) != nil || len(r.Answers) == 0 {
		return session.ToolResult{Text: text}
	}
	var rows []string
	for _, q := range r.Questions {
		if a := r.Answers[q.Question]; a != "" {
			rows = append(rows, q.Question+" "+a)
		}
	}
	return session.ToolResult{Text: strings.Join(rows, "\n"), Sent: text, Summary: human.Count(len(rows), "answer", "answers")}
}

func shellResult(raw json.RawMessage, text string) session.ToolResult {
	res := session.ToolResult{Text: text}
	var bash struct {
		Stdout, Stderr      string
		BackgroundTaskID    string
		PersistedOutputPath string
		PersistedOutputSize int64
	}
	if json.Unmarshal(raw, &bash) != nil {
		return res
	}
	if bash.BackgroundTaskID != "" {
		res.Summary, res.Background = "in the background", true
		return res
	}
	zero := 0
	res.ExitCode = &zero
	shown := strings.TrimRight(bash.Stdout, "\n")
	if bash.Stderr != "" {
		shown = strings.TrimLeft(shown+"\n"+strings.TrimRight(bash.Stderr, "\n"), "\n")
	}
	if shown != text {
		res.Text, res.Sent = shown, text
	}
	if bash.PersistedOutputPath != "" {
		res.Truncated, res.FullPath = true, bash.PersistedOutputPath
		res.Summary = human.Size(bash.PersistedOutputSize)
	}
	return res
}

// persisted reads the replacement of an output that is too large for the model: the path of the whole and a preview.
func persisted(text string) (path, preview string, ok bool) {
	body, ok := strings.CutPrefix(text, "<persisted-output>")
	if !ok {
		return "", "", false
	}
	body = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(body), "</persisted-output>"))
	head, preview, _ := strings.Cut(body, "\n\n")
	_, path, ok = strings.Cut(head, "Full output saved to: ")
	if !ok {
		return "", "", false
	}
	if first, rest, found := strings.Cut(preview, "\n"); found && strings.HasPrefix(first, "Preview (") {
		preview = rest
	}
	return strings.TrimSpace(path), preview, true
}

func readSummary(raw json.RawMessage) string {
	var r struct {
		Type string
		File struct {
			NumLines   int
			StartLine  int
			Cells      []json.RawMessage
			Dimensions struct{ OriginalWidth, OriginalHeight int }
		}
	}
	// The content may be long, and only its end matters.
	rest, content := transcript.Without(raw, "file", "content")
	if json.Unmarshal(rest, &r) != nil {
		return ""
	}
	switch r.Type {
	case "text":
		n := r.File.NumLines
		var end string
		if json.Unmarshal(lastOf(content), &end) == nil && strings.HasSuffix(end, "\n") && n > 0 {
			n-- // the runtime counts the empty line after the last line break
		}
		if r.File.StartLine > 1 {
			return fmt.Sprintf("%s from line %d", human.Count(n, "line", "lines"), r.File.StartLine)
		}
		return human.Count(n, "line", "lines")
	case "notebook":
		return human.Count(len(r.File.Cells), "cell", "cells")
	case "image":
		if d := r.File.Dimensions; d.OriginalWidth > 0 {
			return fmt.Sprintf("image, %d×%d", d.OriginalWidth, d.OriginalHeight)
		}
		return "image"
	case "pdf":
		return "PDF"
	}
	return ""
}

// lastOf returns the end of a JSON string as a JSON string, without splitting an escape.
func lastOf(raw []byte) []byte {
	const enough = 64
	if len(raw) <= enough {
		return raw
	}
	cut := len(raw) - enough
	for cut > 0 && raw[cut-1] == '\\' {
		cut--
	}
	return append([]byte{'"'}, raw[cut:]...)
}

func searchSummary(raw json.RawMessage) (summary string, truncated bool) {
	var r struct {
		Mode      string
		NumFiles  *int
		NumLines  *int
		Matches   *int `json:"numMatches"`
		Truncated bool
	}
	if json.Unmarshal(raw, &r) != nil {
		return "", false
	}
	switch {
	case r.Mode == "content" && r.NumLines != nil:
		summary = human.Count(*r.NumLines, "line", "lines")
	case r.Mode == "count" && r.Matches != nil:
		summary = human.Count(*r.Matches, "match", "matches")
	case r.NumFiles != nil:
		summary = human.Count(*r.NumFiles, "file", "files")
	}
	return summary, r.Truncated
}

func webSummary(raw json.RawMessage) string {
	var r struct {
		Bytes    int64
		Code     int
		CodeText string
		Results  []json.RawMessage
	}
	if json.Unmarshal(raw, &r) != nil {
		return ""
	}
	switch {
	case r.Code > 0:
		return strings.TrimSpace(fmt.Sprintf("%d %s", r.Code, r.CodeText)) + ", " + human.Size(r.Bytes)
	case r.Results != nil:
		return human.Count(len(r.Results), "result", "results")
	}
	return ""
}

// agentResult returns the child's text without the runtime's note on how to resume it.
func agentResult(raw json.RawMessage, text string) session.ToolResult {
	res := session.ToolResult{Text: text}
	var r struct {
		Status          string
		Content         json.RawMessage
		TotalToolUse    int     `json:"totalToolUseCount"`
		TotalDurationMS float64 `json:"totalDurationMs"`
	}
	if json.Unmarshal(raw, &r) != nil {
		return res
	}
	switch {
	case r.Status == "async_launched":
		res.Text, res.Sent, res.Summary = "", text, "in the background"
	case r.Content != nil:
		if shown, _, _ := errmark.Strip(textOf(r.Content)); shown != text {
			res.Text, res.Sent = shown, text
		}
		res.Summary = human.Count(r.TotalToolUse, "tool call", "tool calls")
		if took := time.Duration(r.TotalDurationMS) * time.Millisecond; took >= time.Second {
			res.Summary += ", " + took.Round(time.Second).String()
		}
	}
	return res
}
