package archive

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/claude/transcript"
	"parley/session/sources"
)

// Prompts yields the prompts of a directory, from the last 8 MB of each transcript; see [session.PromptReader]. It skips unreadable ones.
func (a *Archive) Prompts(ctx context.Context, dir string, skip func(session.ID) bool, yield func([]session.PastPrompt) bool) error {
	all, err := places(filepath.Join(string(a.projects), transcript.Slug(sources.Real(dir)))) // as the runtime does
	if errors.Is(err, fs.ErrNotExist) || a.projects == "" {
		return nil
	}
	if err != nil {
		return &session.Error{Op: "read prompts", Kind: session.KindDisk, Err: err}
	}
	all = slices.DeleteFunc(all, func(p sources.Place) bool { return skip(session.ID(p.ID)) })
	slices.SortStableFunc(all, func(a, b sources.Place) int { return b.Stamp[0].MTime.Compare(a.Stamp[0].MTime) })
	return sources.Prompts(ctx, all, func(p sources.Place) ([]session.PastPrompt, int64) {
		entries, _ := transcript.Tail(ctx, p.Path, sources.PromptBytes) // none of a damaged one
		return promptsOf(entries, dir), min(p.Stamp[0].Size, sources.PromptBytes)
	}, yield)
}

// promptsOf returns the user's prompts, newest first.
func promptsOf(entries []transcript.Entry, dir string) (prompts []session.PastPrompt) {
	for _, e := range slices.Backward(entries) {
		if e.Type != "user" || e.Meta || e.Summary || e.Sidechain {
			continue
		}
		if text := strings.TrimSpace(transcript.PromptText(e.Blocks)); text != "" {
			prompts = append(prompts, session.PastPrompt{Text: text, At: e.Time, Dir: dir})
		}
	}
	return prompts
}
