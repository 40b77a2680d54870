package archive

import (
	"bytes"
	"context"
	"path/filepath"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/copilot/mapper"
	"parley/session/words"
)

// Texts passes on the prompts and answers of a session; see [session.TextReader].
func (a *Archive) Texts(ctx context.Context, id session.ID, likely func([]byte) bool, yield func(session.Text) bool) (int64, error) {
	folder, err := a.find(id)
	if err != nil {
		return 0, err
	}
	f, _, err := safefs.OpenFile(filepath.Join(folder, eventsFile), safefs.NoLinks)
	if err != nil {
		return 0, notFound(id)
	}
	defer f.Close()
	return words.Lines(ctx, f, func(line []byte) bool {
		start := line[:min(len(line), 256)]
		if !bytes.Contains(start, []byte(`"user.message"`)) && !bytes.Contains(start, []byte(`"assistant.message"`)) || !likely(line) {
			return true
		}
		e, ok := parse(line)
		if !ok {
			return true
		}
		if text, is := mapper.PromptText(e); is {
			return yield(session.Text{Prompt: true, Bytes: []byte(text)})
		}
		text := mapper.AnswerText(e)
		return text == "" || yield(session.Text{Bytes: []byte(text)})
	})
}
