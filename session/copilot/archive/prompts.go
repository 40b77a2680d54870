package archive

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/copilot/mapper"
	"parley/session/sources"
)

// Prompts yields the prompts of a directory, from the last 8 MB of each session; see [session.PromptReader]. It skips
// unreadable sessions.
func (a *Archive) Prompts(ctx context.Context, dir string, skip func(session.ID) bool, yield func([]session.PastPrompt) bool) error {
	metas, err := a.Sessions(ctx)
	if len(metas) == 0 {
		return err
	}
	dir = sources.Real(dir)
	is := map[string]bool{dir: true} // whether a directory is the same one: it is asked for once, and not for what yield does not want
	return sources.Prompts(ctx, metas, func(m session.Meta) ([]session.PastPrompt, int64) {
		same, known := is[m.Dir]
		if !known {
			same = sources.Real(m.Dir) == dir
			is[m.Dir] = same
		}
		if !same || skip(m.ID) {
			return nil, 0
		}
		return a.prompts(ctx, m)
	}, yield)
}

// prompts returns the prompts of a session, newest first, and how much was read.
func (a *Archive) prompts(ctx context.Context, m session.Meta) ([]session.PastPrompt, int64) {
	folder, err := a.find(m.ID)
	if err != nil {
		return nil, 0
	}
	f, info, err := safefs.OpenFile(filepath.Join(folder, eventsFile), safefs.NoLinks)
	if err != nil {
		return nil, 0
	}
	defer f.Close()
	from := max(0, info.Size()-sources.PromptBytes)
	lines, err := wholeLines(ctx, f, from, info.Size())
	if err != nil {
		return nil, 0
	}
	var out []session.PastPrompt
	for line := range bytes.Lines(lines) {
		if !bytes.Contains(line[:min(len(line), 256)], []byte(`"user.message"`)) {
			continue
		}
		if e, ok := parse(line); ok {
			if text, ok := mapper.PromptText(e); ok {
				out = append(out, session.PastPrompt{Text: text, At: e.Timestamp, Dir: m.Dir})
			}
		}
	}
	slices.Reverse(out)
	return out, info.Size() - from
}
