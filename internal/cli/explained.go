package cli

import (
	"log/slog"
	"os"
	"path/filepath"

	"parley/internal/safefs"
)

// explainOnce returns what remembers an explanation in a file, nil if the file is there: it was given before. Where the file
// cannot be written the explanation comes again with the next start.
func explainOnce(file string, log *slog.Logger) func() {
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	return func() {
		err := os.MkdirAll(filepath.Dir(file), 0o700)
		if err == nil {
			err = safefs.WriteFile(file, nil)
		}
		if err != nil {
			log.Warn("an explanation will be given again", "error", err)
		}
	}
}
