package md

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"
)

// fields lists the JSON fields of a type, embedded ones flattened.
func fields(t reflect.Type, path string, out map[string]string) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		out[path] = t.Kind().String()
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			fields(f.Type, path, out)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields(f.Type, path+"."+name, out)
	}
}

func TestStyleIsGlamoursFormat(t *testing.T) {
	ours, theirs := map[string]string{}, map[string]string{}
	fields(reflect.TypeFor[Style](), "", ours)
	fields(reflect.TypeFor[ansi.StyleConfig](), "", theirs)
	for k, v := range theirs {
		if ours[k] != v {
			t.Errorf("field %s is %q in glamour, %q here", k, v, ours[k])
		}
	}
	for k := range ours {
		if _, ok := theirs[k]; !ok {
			t.Errorf("glamour has no field %s", k)
		}
	}
}

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
		if _, err := LoadTheme(name); err != nil && name != "auto" {
			t.Errorf("glamour's %q is not known by name: %v", name, err)
		}
	}
}

func TestOurStylesAreKnownToGlamour(t *testing.T) {
	for _, name := range ThemeNames() {
		b, ok := StyleJSON(name)
		if !ok {
			t.Fatalf("no style file for %s", name)
		}
		dec := json.NewDecoder(strings.NewReader(string(b)))
		dec.DisallowUnknownFields()
		var s ansi.StyleConfig
		if err := dec.Decode(&s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := LoadTheme(strings.ToUpper(name)); err != nil {
			t.Error(err)
		}
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
	s := Style{}
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
		{"#00AAFF", "\x1b[38;2;0;170;255m"}, {"300", ""}, {"red", ""}, {"#12", ""}, {"", ""}} {
		if got := (look{fg: parseColor(c.color)}).opener(); got != c.want {
			t.Errorf("%q opens with %q, not %q", c.color, got, c.want)
		}
	}
	on, off := true, false
	a := over(StylePrimitive{Bold: &on, Italic: &on})
	b := over(StylePrimitive{Bold: &off, Underline: &on})
	if got := fmt.Sprintf("%q", (look{}).with(a.then(b)).opener()); got != `"\x1b[3;4m"` {
		t.Errorf("got %s", got)
	}
	if one, two := (look{}).with(a).with(b), (look{}).with(a.then(b)); one != two {
		t.Error("stacked overlays differ from one after the other")
	}
}

func TestPlainTextHasNoSequences(t *testing.T) {
	for _, o := range []Options{{Plain: true}, {Theme: NoTTY()}} {
		if rows := strings.Join(Render(corpus(t)["rich.md"], o), "\n"); strings.Contains(rows, "\x1b") {
			t.Errorf("%+v: %q", o, rows)
		}
	}
}
