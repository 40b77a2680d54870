package transcript

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Prompt is an earlier prompt of the user.
type Prompt struct {
	Text string
	At   time.Time // zero if unknown
}

// promptBytes bounds what is read of the end of a transcript for prompts, promptBytesAll what is read of all.
const (
	promptBytes    = 8 << 20
	promptBytesAll = 256 << 20
)

// Prompts yields the prompts of the sessions of a working directory, one session at a time, newest first, from the last 8 MB
// of each transcript. It skips sessions for whose id skip is true, and unreadable ones. It ends when yield returns false,
// when ctx ends, or after promptBytesAll. It is for background use.
func (l *Lister) Prompts(ctx context.Context, dir string, skip func(id string) bool, yield func([]Prompt) bool) error {
	if real, err := filepath.EvalSymlinks(dir); err == nil { // as the runtime does
		dir = real
	}
	folder := filepath.Join(l.projects, Slug(dir))
	entries, err := os.ReadDir(folder)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return diskError("read prompts", err)
	}
	var files []file
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if !ok || !sessionName.MatchString(id) || skip(id) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, file{filepath.Join(folder, e.Name()), id, info.Size(), info.ModTime(), false})
		}
	}
	slices.SortStableFunc(files, func(a, b file) int { return b.mtime.Compare(a.mtime) })
	read := int64(0)
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if read += min(f.size, promptBytes); read > promptBytesAll {
			return nil
		}
		entries, err := Tail(ctx, f.path, promptBytes)
		if err != nil {
			continue
		}
		if prompts := promptsOf(entries); len(prompts) > 0 && !yield(prompts) {
			return nil
		}
	}
	return nil
}

// promptsOf returns the user's prompts, newest first.
func promptsOf(entries []Entry) (prompts []Prompt) {
	for _, e := range slices.Backward(entries) {
		if e.Type != "user" || e.Meta || e.Summary || e.Sidechain {
			continue
		}
		if text := strings.TrimSpace(PromptText(e.Blocks)); text != "" {
			prompts = append(prompts, Prompt{text, e.Time})
		}
	}
	return prompts
}
