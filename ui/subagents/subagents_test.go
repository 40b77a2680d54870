package subagents

import (
	"testing"

	"parley/ui/list/listtest"
	"parley/ui/panel"
)

func TestList(t *testing.T) {
	listtest.Check(t, listtest.Case{Source: List{All: []Child{{ID: "c1", Name: "name", Depth: 2}}}, First: panel.OpenChild{ID: "c1"}})
}
