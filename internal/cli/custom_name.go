package cli

import (
	"path/filepath"
	"strings"
)

// customNamed returns the value of --agent-file as settings have it: an absolute path, or a name.
func customNamed(value string) string {
	if !strings.ContainsAny(value, `/\`) && !strings.HasSuffix(strings.ToLower(value), ".md") {
		return value
	}
	if abs, err := filepath.Abs(value); err == nil {
		return abs
	}
	return value
}
