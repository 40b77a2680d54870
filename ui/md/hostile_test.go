package md

import (
	"strings"
	"testing"

	"parley/internal/repeat"
	"parley/ui/md/cells"
)

// hostile are inputs made to cost more than their size.
func hostile() map[string]string {
	n := repeat.Times(200, 1000, 10_000)
	rep := strings.Repeat
	return map[string]string{
		"quotes":           rep(">", n),
		"spaced quotes":    rep("> ", n) + "x",
		"quotes in lines":  rep(rep("> ", n/100)+"x\n", n/50),
		"lists":            rep("- ", n) + "x",
		"deep list":        deepList(n / 25),
		"numbers":          rep("1. ", n) + "x",
		"brackets":         rep("[", n),
		"bracket pairs":    rep("[a", n/2) + rep("]", n/2),
		"closed brackets":  rep("[]", n),
		"images":           rep("![", n),
		"links":            rep("[a](", n),
		"titles":           rep("[a](b \"", n),
		"titles in lines":  rep("[a](b \"\n", n),
		"parentheses":      rep("[a](()", n),
		"link labels":      rep("[a]: x\n", n/4),
		"undefined labels": rep("[a][b]", n),
		"stars":            rep("*", n),
		"star words":       rep("*a **b ", n),
		"nested emphasis":  rep("**a ", n/2) + rep("b** ", n/2),
		"underscores":      rep("_a", n),
		"backticks":        ticks(n * 3 / 100),
		"tildes":           rep("~~a ", n),
		"angles":           rep("<", n),
		"tags":             rep("<a ", n),
		"comments":         rep("<!-- ", n),
		"entities":         rep("&amp", n),
		"backslashes":      rep("\\", n),
		"dollars":          rep("$a ", n),
		"math":             rep("\\(", n),
		"display":          rep("\\[\n", n/4),
		"pipes":            rep("|", n) + "\n" + rep("|-", n/2) + "|\n" + rep("|x", n),
		"table rows":       "|a|b|\n|-|-|\n" + rep("|", n),
		"hashes":           rep("#", n),
		"tabs":             rep("\t", n),
		"blank lines":      rep("\n", n),
		"nul":              rep("\x00", n),
		"invalid":          rep("\xff\xc3", n),
		"marks":            "e" + rep("\u0301", n),
		"joiners":          rep("\u200d", n),
		"mail":             rep("a@", n),
		"urls":             rep("http://a.b ", n/4),
		"one line":         rep("word ", 20*n),
		"one word":         rep("x", 105*n),
		"wide":             rep("漢", 10*n),
		"setext":           rep("a\n", n) + "===",
	}
}

func deepList(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return b.String()
}

func ticks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("`", i) + " ")
	}
	return b.String()
}

// Time is not asserted: input that costs more than about its size runs into the timeout of the test.
func TestHostileInput(t *testing.T) {
	for name, doc := range hostile() {
		t.Run(name, func(t *testing.T) {
			o := Options{Width: 80}
			want := Render(doc, o)
			d := New(o)
			step := max(len(doc)/8, 1)
			for i := 0; i < len(doc); i += step {
				d.Append(doc[i:min(i+step, len(doc))])
				d.Len()
			}
			d.End()
			if diff := difference(d.all(), want); diff != "" {
				t.Fatal(diff)
			}
			checkRows(t, want, o)
			if narrow := (Options{Width: 3, Method: cells.Grapheme}); len(doc) < 50_000 {
				checkRows(t, Render(doc, narrow), narrow)
			}
		})
	}
}
