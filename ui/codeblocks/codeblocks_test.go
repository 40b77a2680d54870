package codeblocks

import (
	"testing"

	"parley/ui/list/listtest"
	"parley/ui/md"
	"parley/ui/panel"
)

func TestList(t *testing.T) {
	blocks := []md.CodeBlock{{Text: "\nx := 1\x1b[2J", Lang: "go"}}
	listtest.Check(t, listtest.Case{Source: List{Blocks: blocks}, First: panel.Copy{What: "code", Text: "\nx := 1\x1b[2J"}})
}
