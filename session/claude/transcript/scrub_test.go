//go:build contract

package transcript_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

var (
	instants = regexp.MustCompile(`"(timestamp|date)":"[^"]*"`)
	counts   = regexp.MustCompile(`"(duration_ms|duration_api_ms|durationMs|ttft_ms|time_to_request_ms|totalDurationMs|total_cost_usd|costUSD|pid)":[0-9.e-]+`)
	uuids    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	ids      = regexp.MustCompile(`\b(msg|toolu|req)_[A-Za-z0-9_]+`)
	notSlug  = regexp.MustCompile(`[^A-Za-z0-9]`) // what the runtime replaces in the names of its project folders
	agents   = regexp.MustCompile(`"(task_id|agentId|agent_id)":"([^"]+)"`)
)

// pack gathers what was said and all the runtime wrote about its sessions, scrubbed together so that ids agree.
func (c *cabin) pack(t *testing.T, live []byte) *txtar.Archive {
	t.Helper()
	files := []txtar.File{{Name: "live.jsonl", Data: live}}
	root := filepath.Join(c.config, "projects")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		files = append(files, txtar.File{Name: filepath.ToSlash(rel), Data: shortLogs(data)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return txtar.Parse([]byte(c.scrub(string(txtar.Format(&txtar.Archive{Files: files})))))
}

// scrub makes a recording the same on every machine and every time: paths, ids, secrets, times. Every time stamp is ten
// milliseconds after the one before it.
func (c *cabin) scrub(s string) string {
	for _, r := range [][2]string{
		{c.home, "/home/user"}, {notSlug.ReplaceAllString(c.home, "-"), "-home-user"},
		{c.bearer, "secret.session"}, {c.url, "http://127.0.0.1:1"},
	} {
		s = strings.ReplaceAll(s, r[0], r[1])
	}
	n := 0
	s = instants.ReplaceAllStringFunc(s, func(m string) string {
		n++
		key, _, _ := strings.Cut(m, ":")
		return key + `:"` + epoch.Add(time.Duration(n)*10*time.Millisecond).Format("2006-01-02T15:04:05.000Z") + `"`
	})
	s = counts.ReplaceAllString(s, `"$1":1`)
	seen := map[string]string{}
	stable := func(format string) func(string) string {
		return func(id string) string {
			if seen[id] == "" {
				seen[id] = fmt.Sprintf(format, len(seen)+1)
			}
			return seen[id]
		}
	}
	s = uuids.ReplaceAllStringFunc(s, stable("00000000-0000-4000-8000-%012d"))
	s = ids.ReplaceAllStringFunc(s, func(id string) string {
		kind, _, _ := strings.Cut(id, "_")
		return stable(kind + "_%02d")(id)
	})
	for _, m := range agents.FindAllStringSubmatch(s, -1) {
		s = strings.ReplaceAll(s, m[2], stable("agent%02d")(m[2]))
	}
	return s
}

// shortLogs keeps of records of requests to the model no more than a reader of transcripts has to recognise.
func shortLogs(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		var l struct {
			Type string `json:"type"`
		}
		if len(line) > 600 && json.Unmarshal(line, &l) == nil && strings.HasPrefix(l.Type, "api-") {
			line = fmt.Appendf(nil, "%s...\n", line[:400])
		}
		out = append(out, line...)
	}
	return out
}
