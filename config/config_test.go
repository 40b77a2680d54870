package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func flags(t *testing.T, args ...string) *pflag.FlagSet {
	t.Helper()
	f := pflag.NewFlagSet("parley", pflag.ContinueOnError)
	f.String("model", "", "")
	f.String("agent", "", "")
	f.StringArray("add-dir", nil, "")
	f.Bool("verbose", false, "")
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPrecedence(t *testing.T) {
	file := write(t, "model: from-file\neffort: low\nagent: builtin\nproxy:\n  max_body_mib: 8\n")
	c, err := Load(Source{
		File:    file,
		Environ: []string{"PARLEY_MODEL=from-env", "PARLEY_EFFORT=high", "PARLEY_API_STALL_AFTER=90s", "OTHER=1"},
		Flags:   flags(t, "--model", "from-flag", "--add-dir", "a", "--add-dir", "b"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{ // key to "value source"
		"model": "from-flag --model", "effort": "high PARLEY_EFFORT", "agent": "builtin " + file + ":3",
		"proxy.max_body_mib": "8 " + file + ":5", "api.stall_after": "1m30s PARLEY_API_STALL_AFTER",
		"screen": "alt default", "add_dirs": "[a b] --add-dir",
	}
	for _, v := range c.Values {
		if w, ok := want[v.Key.Name]; ok {
			if got := strings.TrimSpace(strings.Join([]string{valueText(v.Value), v.Source}, " ")); got != w {
				t.Errorf("%s = %s, want %s", v.Key.Name, got, w)
			}
		}
	}
	if c.Model != "from-flag" || c.Effort != "high" || c.Agent != "builtin" || c.Proxy.MaxBodyMiB != 8 ||
		c.API.StallAfter != 90*time.Second || !reflect.DeepEqual(c.AddDirs, []string{"a", "b"}) {
		t.Errorf("fields do not match: %+v", c)
	}
}

func valueText(v any) string {
	if l, ok := v.([]string); ok {
		return "[" + strings.Join(l, " ") + "]"
	}
	return strings.Trim(yamlValue(v), `"`)
}

func TestFileMistakesNameFileAndLine(t *testing.T) {
	for _, tc := range []struct{ name, text, line, reason string }{
		{"unknown key", "model: x\n\nmodle: y\n", ":3", "did you mean model?"},
		{"unknown nested key", "proxy:\n  adr: x\n", ":2", "did you mean proxy.addr?"},
		{"key of another section", "copilot:\n  stall_after: 5m\n", ":2", "did you mean api.stall_after?"},
		{"unknown far key", "zzzzzz: 1\n", ":1", "unknown key"},
		{"bad value", "screen: sideways\n", ":1", "not one of alt, inline, plain"},
		{"wrong type", "verbose: maybe\n", ":1", "true or false"},
		{"number for text", "model: 5\n", ":1", "expected a string"},
		{"text for number", "proxy:\n  max_body_mib: big\n", ":2", "whole number"},
		{"out of range", "proxy:\n  max_body_mib: 0\n", ":2", "between 1 and 1024"},
		{"bad duration", "api:\n  stall_after: soon\n", ":2", "duration such as"},
		{"duration out of range", "api:\n  stall_after: 1ms\n", ":2", "between"},
		{"value for section", "proxy: yes please\n", ":1", "expected keys with values"},
		{"section for value", "model:\n  x: 1\n", ":2", "not a section"},
		{"list for value", "model: [a]\n", ":1", "not a list"},
		{"text for list", "add_dirs: /tmp\n", ":1", "list of strings"},
		{"twice", "model: a\nmodel: b\n", ":2", "already"},
		{"not a mapping", "- a\n", ":1", "expected keys"},
		{"not yaml", "a: [\n", "config.yaml", ""},
		{"token would leave", "copilot_api_url: https://evil.example\n", ":1", "not a loopback"},
		{"user info", "github_api_url: http://u:p@127.0.0.1:1\n", ":1", "user information"},
		{"open listener", "proxy:\n  addr: 0.0.0.0:80\n", ":2", "not a loopback"},
		{"version range", "claude:\n  version: ^2.1.0\n", ":2", "exact version such as"},
		{"version tag", "claude:\n  version: stable\n", ":2", "neither latest nor"},
		{"version number", "claude:\n  version: 2.1\n", ":2", "expected a string"},
		{"version off the path", "claude:\n  version: ../../x\n", ":2", "exact version such as"},
		{"variable that never passes", "tools:\n  pass_env: [GH_TOKEN, copilot_github_token]\n", ":2", "never reaches an agent"},
		{"no variable", "tools:\n  pass_env: [GH_TOKEN=x]\n", ":2", "not the name"},
		{"bad host", "github_host: https://github.com\n", ":1", "host name"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Load(Source{File: write(t, tc.text)})
			if err == nil {
				t.Fatal("accepted")
			}
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Errorf("%T is not an *Error", err)
			}
			if !strings.Contains(err.Error(), "config.yaml") || !strings.Contains(err.Error(), tc.line) ||
				!strings.Contains(err.Error(), tc.reason) {
				t.Errorf("%v: want file, line %s and %q", err, tc.line, tc.reason)
			}
		})
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	_, err := Load(Source{File: write(t, "modle: x\nscreen: y\nverbose: 3\n")})
	for _, want := range []string{":1", ":2", ":3"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want line %s", err, want)
		}
	}
}

func TestEmptyAndMissingFiles(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "proxy:\n", "---\n"} {
		if _, err := Load(Source{File: write(t, text)}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	gone := filepath.Join(t.TempDir(), "gone.yaml")
	if _, err := Load(Source{File: gone}); err != nil {
		t.Errorf("a missing default file: %v", err)
	}
	if _, err := Load(Source{File: gone, Explicit: true}); err == nil {
		t.Error("a missing named file was accepted")
	}
}

func TestEnvironment(t *testing.T) {
	c, err := Load(Source{Environ: []string{"PARLEY_MODLE=x", "PARLEY_WHATEVER=1", "PARLEY_VERBOSE=on"}})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Load(Source{Environ: []string{"PARLEY_TOOLS_PASS_ENV=GH_TOKEN" + listSeparator + "GITHUB_TOKEN"}}); err != nil ||
		!reflect.DeepEqual(c.Tools.PassEnv, []string{"GH_TOKEN", "GITHUB_TOKEN"}) {
		t.Errorf("%+v, %v", c, err)
	}
	if !c.Verbose || len(c.Warnings) != 2 || !strings.Contains(c.Warnings[0], "PARLEY_MODEL") ||
		strings.Contains(c.Warnings[1], "did you mean") {
		t.Errorf("verbose %v, warnings %q", c.Verbose, c.Warnings)
	}
	for _, bad := range []string{"PARLEY_SCREEN=x", "PARLEY_VERBOSE=perhaps", "PARLEY_PROXY_MAX_BODY_MIB=x",
		"PARLEY_COPILOT_API_URL=http://10.0.0.1", "PARLEY_API_STALL_AFTER=5", "PARLEY_TOOLS_PASS_ENV=COPILOT_GITHUB_TOKEN"} {
		if _, err := Load(Source{Environ: []string{bad}}); err == nil || !strings.HasPrefix(err.Error(), bad[:strings.Index(bad, "=")]) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestBadFlagListsGoodValues(t *testing.T) {
	_, err := Load(Source{Flags: flags(t, "--agent", "clod")})
	if err == nil || !strings.Contains(err.Error(), "auto, builtin, claude, copilot") || !strings.Contains(err.Error(), "--agent") {
		t.Errorf("%v", err)
	}
}

func TestShowIsAConfigurationFile(t *testing.T) {
	c, err := Load(Source{File: write(t, "model: \"a: b # c\"\nadd_dirs: [x, \"y z\"]\ntools:\n  bash_timeout: 10m\n")})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load(Source{File: write(t, string(c.Show()))})
	if err != nil {
		t.Fatalf("%v\n%s", err, c.Show())
	}
	for i := range c.Values {
		a, b := c.Values[i].Value, again.Values[i].Value
		if yamlValue(a) != yamlValue(b) {
			t.Errorf("%s: %v became %v", c.Values[i].Key.Name, a, b)
		}
	}
}

func TestSchemaHoldsEveryKey(t *testing.T) {
	var root map[string]any
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	for _, k := range Keys {
		at := root
		for _, p := range strings.Split(k.Name, ".") {
			at, _ = at["properties"].(map[string]any)[p].(map[string]any)
			if at == nil {
				t.Fatalf("%s is missing", k.Name)
			}
		}
		if at["description"] != k.Doc {
			t.Errorf("%s: %v", k.Name, at)
		}
		if !strings.Contains(string(Markdown()), "`"+k.Name+"`") {
			t.Errorf("%s is not documented", k.Name)
		}
	}
}

func TestKeysAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Keys {
		if k.Name != strings.ToLower(k.Name) || seen[k.Env()] || k.Doc == "" || !strings.HasSuffix(k.Doc, ".") {
			t.Errorf("%+v", k)
		}
		seen[k.Env()] = true
		ok := false
		switch k.Default.(type) {
		case string:
			ok = k.Type == String
		case bool:
			ok = k.Type == Bool
		case int:
			ok = k.Type == Int
		case time.Duration:
			ok = k.Type == Duration
		case []string:
			ok = k.Type == Strings
		case []Binding:
			ok = k.Type == Bindings
		case []LanguageServer:
			ok = k.Type == Servers
		}
		if !ok {
			t.Errorf("%s: default %T is not a %s", k.Name, k.Default, k.Type)
		}
		if err := k.validate(k.Default); err != nil {
			t.Errorf("%s: default: %v", k.Name, err)
		}
	}
}

// TestEveryKeyHasAField walks the tags of Config, by which viper finds the fields.
func TestEveryKeyHasAField(t *testing.T) {
	var names []string
	var walk func(reflect.Type, string)
	walk = func(s reflect.Type, prefix string) {
		for f := range s.Fields() {
			switch tag := f.Tag.Get("mapstructure"); {
			case tag == "-":
			case f.Type.Kind() == reflect.Struct:
				walk(f.Type, prefix+tag+".")
			default:
				names = append(names, prefix+tag)
			}
		}
	}
	walk(reflect.TypeFor[Config](), "")
	var want []string
	for _, k := range Keys {
		want = append(want, k.Name)
	}
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("fields %q\nkeys %q", names, want)
	}
}

func TestPaths(t *testing.T) {
	env := func(m map[string]string) func(string) string { return func(k string) string { return m[k] } }
	root := string(filepath.Separator)
	home := root + "h"
	p, err := FindPaths(env(map[string]string{"HOME": home, "XDG_DATA_HOME": root + "d", "XDG_STATE_HOME": "relative"}))
	if err != nil {
		t.Fatal(err)
	}
	want := Paths{
		Config: filepath.Join(home, ".config", "parley"), Data: filepath.Join(root+"d", "parley"),
		State: filepath.Join(home, ".local", "state", "parley"), Cache: filepath.Join(home, ".cache", "parley"),
	}
	if p != want {
		t.Errorf("got %+v, want %+v", p, want)
	}
	if _, err := FindPaths(env(nil)); !errors.Is(err, ErrNoHome) || !strings.Contains(err.Error(), "XDG_CONFIG_HOME") {
		t.Errorf("%v", err)
	}
	all := map[string]string{"XDG_CONFIG_HOME": root + "1", "XDG_DATA_HOME": root + "2", "XDG_STATE_HOME": root + "3", "XDG_CACHE_HOME": root + "4"}
	if _, err := FindPaths(env(all)); err != nil {
		t.Error(err)
	}
}

func FuzzFile(f *testing.F) {
	f.Add("model: x\nproxy:\n  addr: 127.0.0.1:0\n")
	f.Add("a: &a [*a]\n? {b: c}\n: d\n")
	f.Add("<<: {model: x}\n")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := checkFile("f.yaml", []byte(text))
		if err != nil && !strings.Contains(err.Error(), "f.yaml") {
			t.Errorf("%v does not name the file", err)
		}
		for _, e := range entries {
			if e.line < 1 || e.key.validate(e.value) != nil {
				t.Errorf("%+v", e)
			}
		}
	})
}
