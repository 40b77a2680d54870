package uitest

import (
	"encoding/xml"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// pictured writes bytes to a small terminal and returns its picture.
func pictured(t *testing.T, width, height int, bytes string) string {
	t.Helper()
	s := NewScreen(width, height)
	defer s.Close()
	if _, err := s.Write([]byte(bytes)); err != nil {
		t.Fatal(err)
	}
	return s.SVG(DarkScheme, "a <title> & more")
}

func TestSVGHoldsTheGrid(t *testing.T) {
	svg := pictured(t, 20, 4, "a<b>&\"c \x1b[31mred\x1b[0m \x1b[1;4mbold\x1b[0m\r\n漢字 x 👩‍💻y\r\n├──┤\x1b[48;2;1;2;3m bg \x1b[7minverse")
	dec := xml.NewDecoder(strings.NewReader(svg))
	texts := map[string]xml.StartElement{}
	var last xml.StartElement
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			last = tok.Copy()
		case xml.CharData:
			if last.Name.Local == "text" && strings.TrimSpace(string(tok)) != "" {
				texts[string(tok)] = last
			}
		}
	}
	attr := func(text, name string) string {
		e, ok := texts[text]
		if !ok {
			t.Fatalf("%q is no run of\n%s", text, svg)
		}
		for _, a := range e.Attr {
			if a.Name.Local == name {
				return a.Value
			}
		}
		return ""
	}
	for text, column := range map[string]int{`a<b>&"c`: 0, "red": 8, "bold": 12, "漢": 0, "字": 2, "x": 5, "y": 9} {
		x, err := strconv.ParseFloat(attr(text, "x"), 64)
		if err != nil || math.Abs(x-float64(column)*cellWidth) > 0.01 {
			t.Errorf("%q begins at %v (%v), not in column %d", text, x, err, column)
		}
	}
	if got := attr("漢", "textLength"); got != px(2*cellWidth) {
		t.Errorf("a wide character is %s long", got)
	}
	if got := attr("red", "fill"); got != DarkScheme.Palette[1] {
		t.Errorf("red of the palette is drawn %s", got)
	}
	if attr("bold", "font-weight") == "" || attr("bold", "text-decoration") != "underline" {
		t.Error("bold or underline are missing")
	}
	for _, part := range []string{"#010203", "&lt;title&gt; &amp; more", `role="img"`} {
		if !strings.Contains(svg, part) {
			t.Errorf("%s is missing", part)
		}
	}
	if svg != pictured(t, 20, 4, "a<b>&\"c \x1b[31mred\x1b[0m \x1b[1;4mbold\x1b[0m\r\n漢字 x 👩‍💻y\r\n├──┤\x1b[48;2;1;2;3m bg \x1b[7minverse") {
		t.Error("the same screen gives another picture")
	}
}

func TestSVGDrawsRulesAndColumns(t *testing.T) {
	svg := pictured(t, 20, 3, "────────────────────\r\na b   c\r\n\x1b[48;2;1;2;3mone \x1b[1mtwo")
	for _, part := range []string{`<rect x="0" y="8.46" width="168" `, `>a b</text>`, `<text x="50.4" y="31.5" textLength="8.4" lengthAdjust="spacingAndGlyphs">c</text>`,
		`<rect x="0" y="36" width="58.8" height="18" fill="#010203"/>`} {
		if !strings.Contains(svg, part) {
			t.Errorf("%s is missing in\n%s", part, svg)
		}
	}
}

func TestSVGDrawsTheCursorThatIsShown(t *testing.T) {
	block := `fill="` + DarkScheme.Foreground + `"/>`
	if svg := pictured(t, 5, 1, "ab\x1b[D"); strings.Count(svg, block) != 1 || !strings.Contains(svg, `fill="`+DarkScheme.Background+`">b</text>`) {
		t.Errorf("no block below a character in the background's color:\n%s", svg)
	}
	if svg := pictured(t, 5, 1, "ab\x1b[D\x1b[?25l"); strings.Contains(svg, block) {
		t.Errorf("a hidden cursor is drawn:\n%s", svg)
	}
}

func TestSchemeFollowsTheReportedBackground(t *testing.T) {
	for report, want := range map[string]Scheme{
		"abc":                              {Foreground: DarkScheme.Foreground, Background: DarkScheme.Background},
		"\x1b]11;rgb:ffff/ffff/eeee\x07":   {Foreground: LightScheme.Foreground, Background: "#ffffee"},
		"\x1b]11;rgb:0000/2b2b/3636\x1b\\": {Foreground: DarkScheme.Foreground, Background: "#002b36"},
	} {
		if got := DarkScheme.reported(report); got.Foreground != want.Foreground || got.Background != want.Background {
			t.Errorf("%q gives %s on %s", report, got.Foreground, got.Background)
		}
	}
}

func TestGoldenScreensAreDrawn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	before := option("svg")
	if err := flag.Set("svg", dir); err != nil {
		t.Fatal(err)
	}
	defer flag.Set("svg", before)
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Golden("empty-80x24")
		drawn, err := os.ReadFile(filepath.Join(dir, "empty-80x24.svg"))
		if err != nil || string(drawn) != p.SVG(DarkScheme, "empty-80x24") {
			t.Errorf("drawn was %q, %v", drawn, err)
		}
	})
}
