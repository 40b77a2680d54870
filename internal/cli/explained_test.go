package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
)

func TestExplainOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "explained", "answers")
	done := explainOnce(file, slog.New(slog.DiscardHandler))
	if done == nil {
		t.Fatal("nothing is explained to a new user")
	}
	if explainOnce(file, nil) == nil {
		t.Error("an explanation that was shown and not used counts as given")
	}
	done()
	if explainOnce(file, nil) != nil {
		t.Error("it is explained again")
	}
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	explainOnce(filepath.Join(blocked, "explained", "answers"), slog.New(slog.DiscardHandler))() // reported, no panic
}
