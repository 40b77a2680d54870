package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"

	"parley/session"
	"parley/session/copilot/mapper"
	"parley/session/copilot/protocol"
	"parley/session/words"
)

// Texts passes on the prompts, answers and tool calls of a session; see [session.TextReader].
func (a *Archive) Texts(ctx context.Context, id session.ID, want session.TextQuery, yield func(session.Text) bool) (session.TextsRead, error) {
	folder, err := a.find(id)
	if err != nil {
		return session.TextsRead{}, err
	}
	return words.File(ctx, filepath.Join(folder, eventsFile), want, func(line []byte) bool {
		start := line[:min(len(line), 256)]
		tool := bytes.Contains(start, []byte(`"tool.execution_start"`)) || bytes.Contains(start, []byte(`"tool.execution_complete"`))
		if !tool && !bytes.Contains(start, []byte(`"user.message"`)) && !bytes.Contains(start, []byte(`"assistant.message"`)) ||
			tool && want.Spoken || !tool && want.Tools || want.Skips(line) { // the words are looked for last
			return true
		}
		e, ok := parse(line)
		if !ok {
			return true
		}
		if tool {
			text := toolText(e)
			return len(text) == 0 || yield(session.Text{Tool: true, Bytes: text})
		}
		if text, is := mapper.PromptText(e); is {
			return yield(session.Text{Prompt: true, Bytes: []byte(text)})
		}
		text := mapper.AnswerText(e)
		return text == "" || yield(session.Text{Bytes: []byte(text)})
	})
}

// toolText returns the input or the result of a tool call at the top level, nil for that of a child agent.
func toolText(e protocol.Event) []byte {
	var d struct {
		Parent            string `json:"parentToolCallId"`
		Arguments, Result json.RawMessage
	}
	if e.Agent != "" || json.Unmarshal(e.Data, &d) != nil || d.Parent != "" {
		return nil
	}
	if len(d.Arguments) > 0 {
		return words.Strings(d.Arguments)
	}
	return words.Strings(d.Result)
}
