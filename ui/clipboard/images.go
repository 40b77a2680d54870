package clipboard

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"parley/internal/crash"
)

// ReadImage returns the bytes of the image on the clipboard, or an error that names an alternative. It may run a program.
func (c *Clipboard) ReadImage(ctx context.Context) ([]byte, error) {
	img, err := c.PasteImage(ctx)
	if errors.Is(err, ErrNothing) {
		return nil, errors.New("no image on the clipboard; drag the file in instead")
	}
	return img.Data, err
}

// imagesStay is the time for which images from the clipboard are kept for drafts and the history.
const imagesStay = 14 * 24 * time.Hour

// SweepImages removes pasted images that are older than two weeks from a directory, in the background.
func SweepImages(dir string, now time.Time) {
	crash.Go(func() {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > imagesStay {
				_ = os.Remove(filepath.Join(dir, e.Name()))
			}
		}
	})
}
