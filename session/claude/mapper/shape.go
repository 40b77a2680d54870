package mapper

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"parley/internal/errmark"
	"parley/session"
	"parley/session/claude/transcript"
)

// toolResult shows what the runtime keeps beside the text for the model, where that reads better. raw is an object whose
// shape depends on the tool, a list of blocks for tools of MCP servers, and a string for failures.
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
	case "EnterPlanMode", "TodoWrite": // what it says is for the model, what it did is shown elsewhere
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

// failedResult takes the frame off the words of a failure.
func failedResult(name, text string) session.ToolResult {
	res := session.ToolResult{Text: text}
	shown := text
	if why, ok := hookReason(name, text); ok {
		shown = why
	} else if inner, ok := strings.CutPrefix(shown, "<tool_use_error>"); ok {
		shown = strings.TrimSuffix(inner, "</tool_use_error>")
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

// cancelledResult leaves out what tells the model that the user has interrupted it.
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

// answersResult shows each question with its answer.
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
	return session.ToolResult{Text: strings.Join(rows, "\n"), Sent: text, Summary: counted(len(rows), "answer")}
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
		res.Summary = size(bash.PersistedOutputSize)
	}
	return res
}

// persisted reads what the runtime gives the model in place of an output that is too large for it: where the whole is, and
// how it begins.
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
	// What was read may be long, and of it only the end counts.
	rest, content := transcript.Without(raw, "file", "content")
	if json.Unmarshal(rest, &r) != nil {
		return ""
	}
	switch r.Type {
	case "text":
		n := r.File.NumLines
		var end string
		if json.Unmarshal(lastOf(content), &end) == nil && strings.HasSuffix(end, "\n") && n > 0 {
			n-- // what follows the last line break is counted as a line
		}
		if r.File.StartLine > 1 {
			return fmt.Sprintf("%s from line %d", counted(n, "line"), r.File.StartLine)
		}
		return counted(n, "line")
	case "notebook":
		return counted(len(r.File.Cells), "cell")
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

// lastOf returns the end of a JSON string as a JSON string, cut where no escape can be.
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
		summary = counted(*r.NumLines, "line")
	case r.Mode == "count" && r.Matches != nil:
		summary = counted(*r.Matches, "match")
	case r.NumFiles != nil:
		summary = counted(*r.NumFiles, "file")
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
		return strings.TrimSpace(fmt.Sprintf("%d %s", r.Code, r.CodeText)) + ", " + size(r.Bytes)
	case r.Results != nil:
		return counted(len(r.Results), "result")
	}
	return ""
}

// agentResult shows the child's words without the runtime's note about how to go on with it.
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
		res.Summary = counted(r.TotalToolUse, "tool call")
		if took := time.Duration(r.TotalDurationMS) * time.Millisecond; took >= time.Second {
			res.Summary += ", " + took.Round(time.Second).String()
		}
	}
	return res
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "ch") {
		what += "e"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func size(bytes int64) string {
	switch {
	case bytes >= 10<<20:
		return fmt.Sprintf("%d MB", bytes>>20)
	case bytes >= 10<<10:
		return fmt.Sprintf("%d kB", bytes>>10)
	default:
		return fmt.Sprintf("%d bytes", bytes)
	}
}

// mayEdit tells most results that are no edits without decoding them: what was read may be long.
func mayEdit(raw []byte) bool {
	return bytes.Contains(raw, []byte(`"structuredPatch"`)) || bytes.Contains(raw, []byte(`"notebook_path"`)) ||
		bytes.Contains(raw, []byte(`"create"`))
}

// editsOf reads what a tool did to a file: a ready-made patch, or for notebooks the file before and after.
func editsOf(raw json.RawMessage) []session.FileEdit {
	var r struct {
		Type     string `json:"type"`
		FilePath string `json:"filePath"`
		Content  string `json:"content"`
		Patch    []struct {
			OldStart, OldLines, NewStart, NewLines int
			Lines                                  []string
		} `json:"structuredPatch"`
		Notebook string `json:"notebook_path"`
		Before   string `json:"original_file"`
		After    string `json:"updated_file"`
		Failure  string `json:"error"`
	}
	if !mayEdit(raw) || json.Unmarshal(raw, &r) != nil {
		return nil
	}
	if r.Notebook != "" && r.Failure == "" && r.Before != r.After {
		return []session.FileEdit{EditBetween(r.Notebook, r.Before, r.After)}
	}
	if r.FilePath == "" || (r.Patch == nil && r.Type != "create") {
		return nil
	}
	e := session.FileEdit{Path: r.FilePath, Created: r.Type == "create"}
	var b strings.Builder
	if e.Created && len(r.Patch) == 0 && r.Content != "" {
		lines := strings.Split(strings.TrimSuffix(r.Content, "\n"), "\n")
		fmt.Fprintf(&b, "@@ -0,0 +1,%d @@\n", len(lines))
		for _, l := range lines {
			b.WriteString("+" + l + "\n")
		}
		e.Added = len(lines)
	}
	for _, h := range r.Patch {
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		for _, l := range h.Lines {
			b.WriteString(l + "\n")
			count(&e, l)
		}
	}
	e.Patch = b.String()
	return []session.FileEdit{e}
}

// EditBetween is the change from one content of a file to another.
func EditBetween(path, before, after string) session.FileEdit {
	e := session.FileEdit{Path: path, Created: before == ""}
	patch := udiff.Unified(filepath.Base(path), filepath.Base(path), before, after)
	if at := strings.Index(patch, "@@"); at >= 0 {
		e.Patch = patch[at:]
	}
	for l := range strings.SplitSeq(e.Patch, "\n") {
		count(&e, l)
	}
	return e
}

func count(e *session.FileEdit, line string) {
	switch {
	case strings.HasPrefix(line, "+"):
		e.Added++
	case strings.HasPrefix(line, "-"):
		e.Removed++
	}
}
