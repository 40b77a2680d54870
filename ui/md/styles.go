package md

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"
)

// own holds the styles beside those of glamour, in glamour's format.
//
//go:embed themes/*.json
var own embed.FS

var (
	darkTheme  = sync.OnceValue(func() *Theme { return named("parley-dark") })
	lightTheme = sync.OnceValue(func() *Theme { return named("parley-light") })
)

// Dark returns the theme for a dark background.
func Dark() *Theme { return darkTheme() }

// Light returns the theme for a light background.
func Light() *Theme { return lightTheme() }

// themeNames lists the names that LoadTheme knows, sorted: those of glamour's styles and our own.
func themeNames() []string {
	names := slices.Collect(maps.Keys(styles.DefaultStyles))
	files, err := own.ReadDir("themes")
	if err != nil {
		panic(err) // embedded: cannot fail
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".json"))
	}
	slices.Sort(names)
	return names
}

// named returns a theme that themeNames lists.
func named(name string) *Theme {
	t, err := LoadTheme(name)
	if err != nil {
		panic(err) // built in, and loaded by a test
	}
	return t
}

// LoadTheme returns the theme that GLAMOUR_STYLE names. Like glamour, it tries the names of styles first and then a file, of
// which unknown fields are ignored.
func LoadTheme(nameOrPath string) (*Theme, error) {
	if s, ok := styles.DefaultStyles[nameOrPath]; ok {
		return NewTheme(*s), nil
	}
	s, err := readStyle(nameOrPath)
	if err != nil {
		return nil, err
	}
	return NewTheme(s), nil
}

// readStyle reads a style of ours by its name, or else a file.
func readStyle(nameOrPath string) (s ansi.StyleConfig, err error) {
	b, err := own.ReadFile("themes/" + nameOrPath + ".json")
	if err != nil {
		b, err = os.ReadFile(nameOrPath)
	}
	if err != nil {
		return s, fmt.Errorf("theme %q is neither one of %s nor a readable style file: %w",
			nameOrPath, strings.Join(themeNames(), ", "), err)
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, fmt.Errorf("read style file %q: %w", nameOrPath, err)
	}
	return s, nil
}

// ownStyle returns our style for a dark or a light background, to be changed.
func ownStyle(dark bool) ansi.StyleConfig {
	name := "parley-light"
	if dark {
		name = "parley-dark"
	}
	s, err := readStyle(name)
	if err != nil {
		panic(err) // built in, and loaded by a test
	}
	return s
}
