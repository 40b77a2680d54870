package mapper

import (
	"strings"

	"parley/internal/lazyregexp"
)

var (
	modelDate = lazyregexp.New(`-\d{8}$`)
	dashed    = lazyregexp.New(`^(claude-[a-z]+-\d+)-(\d{1,2})$`)
)

// RuntimeModel returns Claude Code's spelling of a model, "claude-opus-4-6" for "claude-opus-4.6": it treats any other as a
// model of unknown abilities. The proxy understands both.
func RuntimeModel(id string) string {
	if strings.HasPrefix(id, "claude-") {
		return strings.ReplaceAll(id, ".", "-")
	}
	return id
}

// ListedModel returns Copilot's spelling of a model in a transcript, "claude-sonnet-4.6" for "claude-sonnet-4-6".
func ListedModel(id string) string {
	if !strings.HasPrefix(id, "claude-") {
		return id
	}
	id, _, _ = strings.Cut(id, "[")
	return dashed.ReplaceAllString(modelDate.ReplaceAllString(id, ""), "$1.$2")
}

// synthetic is the model of messages that the runtime makes up.
const synthetic = "<synthetic>"

// realModel returns the model of a message, empty for one that the runtime made up.
func realModel(id string) string {
	if id == synthetic {
		return ""
	}
	return id
}
