package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/panel"
)

// Every effect is carried out: by the stack, the screen or the chat.
func TestEveryEffectIsCarriedOut(t *testing.T) {
	var effects, cases []string
	inspect := func(path string, see func(ast.Node)) {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool { see(n); return true })
	}
	inspect("panel/effect.go", func(n ast.Node) {
		if f, is := n.(*ast.FuncDecl); is && f.Name.Name == "effect" {
			effects = append(effects, f.Recv.List[0].Type.(*ast.Ident).Name)
		}
	})
	for _, path := range []string{"panel/stack.go", "effects.go", "chat/effects.go"} {
		inspect(path, func(n ast.Node) {
			c, is := n.(*ast.CaseClause)
			if !is {
				return
			}
			for _, e := range c.List {
				switch e := e.(type) {
				case *ast.Ident:
					cases = append(cases, e.Name)
				case *ast.SelectorExpr:
					cases = append(cases, e.Sel.Name)
				}
			}
		})
	}
	if len(effects) < 20 {
		t.Fatalf("%d effects were found", len(effects))
	}
	for _, e := range effects {
		if !slices.Contains(cases, e) {
			t.Errorf("nothing carries out %s", e)
		}
	}
}

// A theme is read off the event loop, and of two the one that was asked for last is worn, whichever is read first.
func TestThemesAreReadOffTheLoop(t *testing.T) {
	m, _ := shownChat(t, 1, nil)
	first := m.CarryOut(panel.Bottom, panel.Apply{Key: "theme", Value: "light"})
	if !m.look.Theme.Dark {
		t.Fatal("the theme was read on the loop")
	}
	last := m.CarryOut(panel.Bottom, panel.Apply{Key: "theme", Value: "dark"})
	for _, cmd := range []tea.Cmd{last, first} {
		epoch := m.look.Theme.Epoch
		m.Update(cmd())
		if worn := m.look.Theme.Epoch > epoch; worn == (epoch > 0) || !m.look.Theme.Dark {
			t.Errorf("worn %v after %d, dark %v", worn, epoch, m.look.Theme.Dark)
		}
	}
	m.Update(m.CarryOut(panel.Bottom, panel.Apply{Key: "theme", Value: "/no/such.json"})())
	if note := m.notices.Text(); !strings.Contains(note, "The theme can't be used") {
		t.Errorf("%q", note)
	}
}
