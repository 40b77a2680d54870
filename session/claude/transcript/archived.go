package transcript

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/safefs"
)

// archivedFile is the runtime's record, in the folder of a session, of whether that is archived. It reads no longer one than maxArchived.
const (
	archivedFile = "archived.json"
	maxArchived  = 4096
)

// archived is the runtime's record. By is "cli" for the runtime itself.
type archived struct {
	Archived bool   `json:"archived"`
	At       string `json:"at"`
	By       string `json:"by"`
}

// folderOf returns the folder of a session beside its transcript, which need not exist.
func folderOf(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) }

// ArchivedPath returns the path of the record, which need not exist, of the session of a transcript.
func ArchivedPath(path string) string { return filepath.Join(folderOf(path), archivedFile) }

// SetArchived records that the session of a transcript is archived from a time on, or no longer.
func SetArchived(path string, yes bool, at time.Time) error {
	file := ArchivedPath(path)
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) && !yes {
		return nil
	}
	data, err := json.Marshal(archived{yes, at.UTC().Format("2006-01-02T15:04:05.000Z07:00"), "parley"})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return safefs.WriteFile(file, data)
}

// IsArchived reports whether the runtime shows the session of a transcript as archived, which a later prompt ends. A record that it cannot
// read is none.
func IsArchived(path string, prompted time.Time) bool {
	data, err := safefs.ReadFile(context.Background(), ArchivedPath(path), maxArchived, safefs.NoLinks)
	var a archived
	if err != nil || json.Unmarshal(data, &a) != nil || !a.Archived {
		return false
	}
	at, err := time.Parse(time.RFC3339, a.At)
	return err == nil && !prompted.After(at)
}
