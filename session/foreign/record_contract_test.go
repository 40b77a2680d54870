//go:build contract

package foreign

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"

	"parley/session/sources"
)

// programVersions are the packages that sessions are recorded with.
var programVersions = map[string]string{"codex": "@openai/codex@0.171.0", "opencode": "opencode-ai@1.18.33", "gemini": "@google/gemini-cli@0.61.0"}

// installed returns the program of a package, which the user's cache keeps for the next run.
func installed(t *testing.T, name string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "parley-contract", strings.NewReplacer("/", "_", "@", "_").Replace(programVersions[name]))
	if _, err := os.Stat(dir); err != nil {
		fresh := dir + ".install"
		if out, err := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefix", fresh, programVersions[name]).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if err := os.Rename(fresh, dir); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "node_modules", ".bin", name)
}

// recorder runs a program in a directory and a home of its own.
type recorder struct {
	t       *testing.T
	program string
	home    string
	dir     string
	environ []string
}

func (r recorder) run(args ...string) {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), r.program, args...)
	cmd.Dir, cmd.Env = r.dir, append(r.environ, "HOME="+r.home, "PATH="+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// TestContractRecord has each program hold the conversation and reads what it stored. With -update that becomes the recording, with paths
// below /repos and long texts cut.
func TestContractRecord(t *testing.T) {
	for name, talk := range map[string]func(r recorder, url string){
		"codex": func(r recorder, url string) {
			write(t, filepath.Join(r.home, ".codex/config.toml"), "model = \"gpt-5.4\"\nmodel_provider = \"test\"\n[model_providers.test]\nname = \"test\"\nbase_url = \""+url+"/v1\"\nwire_api = \"responses\"\n")
			r.run("exec", "-s", "danger-full-access", promptOne)
			r.run("exec", "resume", "--last", promptTwo)
		},
		"opencode": func(r recorder, url string) {
			write(t, filepath.Join(r.home, ".config/opencode/opencode.json"), `{"model":"test/gpt-5.4","small_model":"test/gpt-5.4","autoupdate":false,"share":"disabled",
				"provider":{"test":{"npm":"@ai-sdk/openai-compatible","name":"test","options":{"baseURL":"`+url+`/v1","apiKey":"x"},"models":{"gpt-5.4":{"name":"gpt-5.4"}}}}}`)
			r.environ = []string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1"}
			r.run("run", promptOne)
			r.run("run", "--continue", promptTwo)
		},
		"gemini": func(r recorder, url string) {
			write(t, filepath.Join(r.home, ".gemini/settings.json"), `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`)
			r.environ = []string{"GEMINI_API_KEY=x", "GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_CLI_TRUST_WORKSPACE=true"}
			r.run("--model", "gemini-3-pro-preview", "--yolo", "--prompt", promptOne)
			r.run("--model", "gemini-3-pro-preview", "--yolo", "--resume", "latest", "--prompt", promptTwo)
		},
	} {
		t.Run(name, func(t *testing.T) {
			// Codex refuses a home below the directory for temporary files.
			r := recorder{t: t, program: installed(t, name), home: t.TempDir(), dir: filepath.Join(t.TempDir(), "hello")}
			write(t, filepath.Join(r.dir, "go.mod"), "module example.com/hello\n")
			if out, err := exec.Command("git", "-C", r.dir, "init", "-q", "-b", "main").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			talk(r, service(t))
			got := shown(t, programs(t, r.home, nil)[name])
			for _, want := range []string{promptOne, thought, "Bash", command, "module example.com/hello", answerOne, promptTwo, answerTwo} {
				if !strings.Contains(got, want) {
					t.Errorf("%q is missing", want)
				}
			}
			if t.Failed() {
				t.Log(got)
			} else if *update {
				keep(t, name, r)
			}
		})
	}
}

// keep makes the recording of a program.
func keep(t *testing.T, name string, r recorder) {
	t.Helper()
	to := filepath.Join("testdata", name)
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	p := programs(t, r.home, nil)[name]
	places, err := p.source.Places(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range places {
		path := place.Path
		below, err := filepath.Rel(r.home, path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, ".db") {
			write(t, filepath.Join(to, below)+".sql", r.dump(t, place))
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, below), r.tidy(t, data))
		if root := filepath.Join(filepath.Dir(filepath.Dir(below)), ".project_root"); name == "gemini" {
			write(t, filepath.Join(to, root), "/repos/hello")
		}
	}
}

// dump returns the tables of a database with sessions and what is said in them, as SQL.
func (r recorder) dump(t *testing.T, p sources.Place) string {
	t.Helper()
	var out strings.Builder
	db := &database{temp: t.TempDir()}
	defer func() { db.close() }()
	if err := db.use(t.Context(), p, false, func(c *sqlite.Conn) error {
		for _, table := range []string{"session", "message", "part"} {
			if err := db.rows(c, "SELECT sql FROM sqlite_schema WHERE name=?", func(x row) bool {
				out.WriteString(x.text("sql") + ";\n")
				return true
			}, table); err != nil {
				return err
			}
			if err := db.rows(c, "SELECT * FROM "+table+" ORDER BY id", func(x row) bool {
				var values []string
				for i := range x.s.ColumnCount() {
					switch x.s.ColumnType(i) {
					case sqlite.TypeNull:
						values = append(values, "NULL")
					case sqlite.TypeText:
						values = append(values, "'"+strings.ReplaceAll(r.value(x.s.ColumnText(i)), "'", "''")+"'")
					default:
						values = append(values, x.s.ColumnText(i))
					}
				}
				out.WriteString("INSERT INTO " + table + " VALUES(" + strings.Join(values, ", ") + ");\n")
				return true
			}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// value returns a text of a recording, which may be JSON.
func (r recorder) value(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return r.cut(text).(string)
	}
	return strings.TrimSpace(r.tidy(r.t, []byte(text)))
}

// tidy returns lines of JSON without the paths of this machine and with long texts cut.
func (r recorder) tidy(t *testing.T, data []byte) string {
	t.Helper()
	var out strings.Builder
	for line := range bytes.Lines(data) {
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(r.cut(v)); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// zone matches what says where the recording was made.
var zone = regexp.MustCompile(`<timezone>[^<]*`)

// cut returns a value with the texts of a recording.
func (r recorder) cut(v any) any {
	switch v := v.(type) {
	case string:
		v = strings.NewReplacer(r.dir, "/repos/hello", r.home, "/repos/home").Replace(v)
		if v = zone.ReplaceAllString(v, "<timezone>UTC"); len(v) > 160 {
			v = limited(v, 120) + "…"
		}
		return v
	case []any:
		for i := range v {
			v[i] = r.cut(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = r.cut(v[k])
		}
	}
	return v
}
