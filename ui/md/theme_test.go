package md

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"
)

func TestGlamourStylesCanBeRead(t *testing.T) {
	for name, s := range styles.DefaultStyles {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), name+".json")
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		th, err := LoadTheme(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, w := range []int{80, 20} {
			o := Options{Width: w, Theme: th}
			checkRows(t, Render(corpus(t)["rich.md"], o), o)
		}
	}
}

func TestOurStylesAreKnownToGlamour(t *testing.T) {
	files, err := own.ReadDir("themes")
	if err != nil || len(files) < 3 {
		t.Fatalf("no style files: %v", err)
	}
	for _, f := range files {
		b, err := own.ReadFile("themes/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		dec := json.NewDecoder(strings.NewReader(string(b)))
		dec.DisallowUnknownFields()
		var s ansi.StyleConfig
		if err := dec.Decode(&s); err != nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
	}
}

func TestEveryNamedThemeLoads(t *testing.T) {
	want := []string{"ascii", "dark", "dracula", "high-contrast", "light", "notty", "parley-dark", "parley-light", "pink", "tokyo-night"}
	if got := themeNames(); !slices.Equal(got, want) {
		t.Errorf("names are %q, want %q", got, want)
	}
	for _, name := range want {
		if _, err := LoadTheme(name); err != nil {
			t.Error(err)
		}
	}
	// A name that exists hides a file of that name; any other spelling is a path, as for glamour.
	if _, err := LoadTheme("Dark"); err == nil {
		t.Error("a name in another case was taken for a style")
	}
}

func TestLoadThemeNamesWhatIsWrong(t *testing.T) {
	_, err := LoadTheme("no-such-theme")
	if err == nil || !strings.Contains(err.Error(), "no-such-theme") || !strings.Contains(err.Error(), "dark") {
		t.Errorf("got %v", err)
	}
	file := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(file, []byte(`{"h1": 3}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadTheme(file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("got %v", err)
	}
}

// The text of a style is from outside as well.
func TestAStyleCannotDriveTheTerminal(t *testing.T) {
	evil := "\x1b]0;x\x07\n"
	s := ansi.StyleConfig{}
	s.Item.BlockPrefix, s.H1.Prefix, s.Code.Suffix, s.Task.Ticked, s.HorizontalRule.Format = evil, evil, evil, evil, evil
	s.BlockQuote.IndentToken, s.Table.ColumnSeparator, s.ImageText.Format = &evil, &evil, evil
	wide := strings.Repeat("漢", 50)
	s.Enumeration.BlockPrefix, s.Table.RowSeparator = wide, &wide
	color := "31m\x1b[2J"
	s.Strong.Color = &color
	for _, w := range []int{7, 30} {
		o := Options{Width: w, Theme: NewTheme(s)}
		checkRows(t, Render(corpus(t)["rich.md"], o), o)
	}
}

func TestOpeners(t *testing.T) {
	for _, c := range []struct {
		color, want string
	}{{"1", "\x1b[31m"}, {"9", "\x1b[91m"}, {"200", "\x1b[38;5;200m"}, {"#0af", "\x1b[38;2;0;170;255m"},
		{"#00AAFF", "\x1b[38;2;0;170;255m"}, {"300", "\x1b[38;2;0;1;44m"}, {"red", ""}, {"#12", ""}, {"", ""}} {
		if got := (ink{fg: parseColor(c.color)}).opener(); got != c.want {
			t.Errorf("%q opens with %q, not %q", c.color, got, c.want)
		}
	}
	on, off := true, false
	a := over(ansi.StylePrimitive{Bold: &on, Italic: &on})
	b := over(ansi.StylePrimitive{Bold: &off, Underline: &on})
	if got := fmt.Sprintf("%q", (look{}).with(a.then(b)).opener()); got != `"\x1b[3;4m"` {
		t.Errorf("got %s", got)
	}
	if one, two := (look{}).with(a).with(b), (look{}).with(a.then(b)); one != two {
		t.Error("stacked overlays differ from one after the other")
	}
}

func TestPlainTextHasNoSequences(t *testing.T) {
	for _, o := range []Options{{Plain: true}, {Theme: named("notty")}} {
		if rows := strings.Join(Render(corpus(t)["rich.md"], o), "\n"); strings.Contains(rows, "\x1b") {
			t.Errorf("%+v: %q", o, rows)
		}
	}
}
