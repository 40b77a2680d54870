package archive

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/copilot/mapper"
)

// promptBytes bounds what is read of the end of a session for prompts, promptBytesAll what is read of all, in bytes.
const (
	promptBytes    = 8 << 20
	promptBytesAll = 256 << 20
)

// Prompts yields the prompts of a directory, from the last 8 MB of each session; see [session.PromptReader]. It skips
// unreadable sessions and ends after promptBytesAll.
func (a *Archive) Prompts(ctx context.Context, dir string, skip func(session.ID) bool, yield func([]session.PastPrompt) bool) error {
	metas, err := a.Sessions(ctx)
	if len(metas) == 0 {
		return err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	read := int64(0)
	for _, m := range metas {
		if err := ctx.Err(); err != nil {
			return err
		}
		if skip(m.ID) || !same(m.Dir, dir) {
			continue
		}
		all, n := a.prompts(ctx, m)
		if read += n; read > promptBytesAll {
			return nil
		}
		if len(all) > 0 && !yield(all) {
			return nil
		}
	}
	return nil
}

// same reports whether a session's directory is dir, which has no links.
func same(of, dir string) bool {
	if of == dir {
		return true
	}
	real, err := filepath.EvalSymlinks(of)
	return err == nil && real == dir
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
	from := max(0, info.Size()-promptBytes)
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
