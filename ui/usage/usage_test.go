package usage

import (
	"strings"
	"testing"

	"parley/ui/list/listtest"
)

func TestList(t *testing.T) {
	listtest.Check(t, listtest.Case{Source: List{Lines: [][2]string{{"This session", strings.Repeat("word ", 40)}}}})
}
