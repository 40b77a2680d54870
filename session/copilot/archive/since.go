package archive

import (
	"bytes"
	"context"
	"path/filepath"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/copilot/mapper"
)

// maxSince bounds the end of a file in which prompts are looked for, in bytes.
const maxSince = 16 << 20

// PromptsSince returns the turns that other programs began, from the lines of a session after a position, and the position after the
// last line. A negative one, and one after the end of a file that has become shorter, stand for the end of the file: at most its last
// 16 MiB are read. It returns nothing for a session that is not stored, or cannot be read.
func (a *Archive) PromptsSince(ctx context.Context, id session.ID, from int64) (turns []session.TurnStarted, next int64) {
	dir, err := a.find(id)
	if err != nil {
		return nil, from
	}
	f, info, err := safefs.OpenFile(filepath.Join(dir, eventsFile), safefs.NoLinks)
	if err != nil {
		return nil, from
	}
	defer f.Close()
	if info.Size() == from {
		return nil, from
	}
	begin := max(from, info.Size()-maxSince)
	if from < 0 || from > info.Size() {
		begin = max(0, info.Size()-maxSince)
	}
	lines, err := wholeLines(ctx, f, begin, info.Size())
	if err != nil {
		return nil, from
	}
	for line := range bytes.Lines(lines) {
		if !bytes.Contains(line[:min(len(line), peekBytes)], []byte(`"user.message"`)) && len(line) > peekBytes {
			continue
		}
		if e, ok := parse(line); ok {
			if turn, ok := mapper.ForeignPrompt(id, e); ok {
				turns = append(turns, turn)
			}
		}
	}
	return turns, begin + int64(len(lines))
}
