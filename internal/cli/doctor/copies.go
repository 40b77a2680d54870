package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"parley/internal/human"
)

// copies reports where copies of changed files are and what they take.
func (d doctor) copies(ctx context.Context) (found string, err error) {
	dir := d.Paths.FileImages()
	files, bytes := 0, int64(0)
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			files, bytes = files+1, bytes+info.Size()
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the copies of changed files in %s can't be counted: %w", dir, err)
	}
	limit := "no limit (changes.max_mib)"
	if most := d.Config.Changes.MaxMiB; most > 0 {
		limit = human.Size(int64(most)<<20) + " at most"
	}
	if !d.Config.Changes.Keep {
		limit = "no new ones (changes.keep)"
	}
	if files == 0 {
		return fmt.Sprintf("no copies of changed files in %s, %s", dir, limit), nil
	}
	return fmt.Sprintf("%s of changed files (%s) in %s, %s", human.Count(files, "copy", "copies"), human.Size(bytes), dir, limit), nil
}
