package uitest

import (
	"encoding/xml"
	"io"
	"math"
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
