package eval

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/export"
	"parley/session/live"
)

// Version is the version of the report's JSON. It grows when a field changes its meaning or is removed.
const Version = 1

// Report is the outcome of all runs.
type Report struct {
	V    int   `json:"v"`
	Runs []Run `json:"runs"`
	// Totals are by agent and model; Categories by agent, model and category.
	Totals     []Total `json:"totals"`
	Categories []Total `json:"categories"`
}

// Run is one run of a task.
type Run struct {
	Task     string `json:"task"`
	Category string `json:"category"`
	Agent    string `json:"agent"`
	// Model is the model that was asked for, Used the one that answered.
	Model  string `json:"model,omitempty"`
	Used   string `json:"used,omitempty"`
	Run    int    `json:"run"`
	Passed bool   `json:"passed"`
	// Skipped is the reason why it was not made.
	Skipped string `json:"skipped,omitempty"`
	// Wrong is the reason why it did not pass.
	Wrong   []string            `json:"wrong,omitempty"`
	Outcome session.TurnOutcome `json:"outcome,omitempty"`
	Problem string              `json:"problem,omitempty"`
	// Requests, Usage and NanoAIU are counted where the agent's requests pass, the same for every agent. Of an agent whose requests
	// go another way they are what it reports.
	Requests    int           `json:"requests"`
	Turns       int           `json:"turns"`
	Calls       int           `json:"calls"`
	FailedCalls int           `json:"failedCalls"`
	Usage       session.Usage `json:"usage"`
	NanoAIU     int64         `json:"nanoAIU"`
	MS          int64         `json:"durationMs"`
	Transcript  string        `json:"transcript,omitempty"` // a file
}

// Total is the sum of runs.
type Total struct {
	Agent    string `json:"agent"`
	Model    string `json:"model,omitempty"`
	Category string `json:"category,omitempty"`
	Runs     int    `json:"runs"` // without those that were skipped
	Passed   int    `json:"passed"`
	// Least and Most bound the share that passes with 95 % confidence, for tasks like these.
	Least    float64       `json:"least"`
	Most     float64       `json:"most"`
	Skipped  int           `json:"skipped"`
	Requests int           `json:"requests"`
	Turns    int           `json:"turns"`
	Calls    int           `json:"calls"`
	Usage    session.Usage `json:"usage"`
	// PerPass are the tokens, of all kinds, of all runs for each that passed; 0 if none did.
	PerPass int64 `json:"tokensPerPass"`
	NanoAIU int64 `json:"nanoAIU"`
	MS      int64 `json:"durationMs"`

	tasks map[string]share
}

// newReport sums up the runs that were made.
func newReport(runs []*Run) Report {
	rep := Report{V: Version, Runs: []Run{}}
	for _, r := range runs {
		if r != nil {
			rep.Runs = append(rep.Runs, *r)
		}
	}
	rep.Totals = sum(rep.Runs, func(r Run) Total { return Total{Agent: r.Agent, Model: cmp.Or(r.Model, r.Used)} })
	rep.Categories = sum(rep.Runs, func(r Run) Total {
		return Total{Agent: r.Agent, Model: cmp.Or(r.Model, r.Used), Category: r.Category}
	})
	slices.SortStableFunc(rep.Categories, func(a, b Total) int { return cmp.Compare(a.Category, b.Category) })
	return rep
}

// sum adds up runs by the agent, model and category that of returns, in the order of the runs.
func sum(runs []Run, of func(Run) Total) []Total {
	all := []Total{}
	for _, r := range runs {
		if r.Skipped != "" && r.Used == "" && r.Model == "" {
			r.Used = usedBy(runs, r.Agent)
		}
		key := of(r)
		i := slices.IndexFunc(all, func(t Total) bool {
			return t.Agent == key.Agent && t.Model == key.Model && t.Category == key.Category
		})
		if i < 0 {
			i, all = len(all), append(all, key)
		}
		all[i].add(r)
	}
	for i := range all {
		all[i].judge()
	}
	return all
}

// usedBy returns the model that an agent chose by itself.
func usedBy(runs []Run, agent string) string {
	for _, r := range runs {
		if r.Agent == agent && r.Model == "" && r.Used != "" {
			return r.Used
		}
	}
	return ""
}

func (t *Total) add(r Run) {
	if r.Skipped != "" {
		t.Skipped++
		return
	}
	if t.tasks == nil {
		t.tasks = map[string]share{}
	}
	task := t.tasks[r.Task]
	t.Runs++
	task.runs++
	if r.Passed {
		t.Passed++
		task.passed++
	}
	t.tasks[r.Task] = task
	t.Requests += r.Requests
	t.Turns += r.Turns
	t.Calls += r.Calls
	t.Usage = t.Usage.Add(r.Usage)
	t.NanoAIU += r.NanoAIU
	t.MS += r.MS
}

// Table is a report as text: heads of columns, and rows.
type Table struct {
	Heads []string
	Rows  [][]string
}

// ByCategory returns what passed by category, with a column for each agent and model.
func (r Report) ByCategory() Table {
	t := Table{Heads: []string{"CATEGORY"}}
	columns := map[[2]string]int{}
	for _, total := range r.Totals {
		columns[[2]string{total.Agent, total.Model}] = len(t.Heads)
		t.Heads = append(t.Heads, strings.TrimSpace(total.Agent+" "+total.Model))
	}
	for _, c := range r.Categories {
		n := len(t.Rows)
		if n == 0 || t.Rows[n-1][0] != c.Category {
			t.Rows = append(t.Rows, make([]string, len(t.Heads)))
			t.Rows[n][0] = c.Category
			n++
		}
		t.Rows[n-1][columns[[2]string{c.Agent, c.Model}]] = c.rate()
	}
	return t
}

// rate returns how many runs passed.
func (t Total) rate() string {
	text := fmt.Sprintf("%d/%d", t.Passed, t.Runs)
	if t.Skipped > 0 {
		text += fmt.Sprintf(" (%d skipped)", t.Skipped)
	}
	return text
}

// Compared returns the agents and models side by side. Requests, tokens, credits and time are those of a run on average, but for
// the tokens of all runs for each that passed.
func (r Report) Compared() Table {
	table := Table{Heads: []string{"AGENT", "MODEL", "PASSED", "95 %", "REQUESTS", "IN", "CACHED", "OUT", "PER PASS", "CREDITS", "TIME"}}
	for _, t := range r.Totals {
		n := int64(max(t.Runs, 1))
		mean := func(sum int64) string { return human.Tokens((sum + n/2) / n) }
		in := t.Usage.Input + t.Usage.CacheRead + t.Usage.CacheWrite
		cached := "-"
		if in > 0 {
			cached = fmt.Sprintf("%d %%", 100*t.Usage.CacheRead/in)
		}
		each := func(sum float64, digits int) string { return strconv.FormatFloat(sum/float64(n), 'f', digits, 64) }
		table.Rows = append(table.Rows, []string{t.Agent, t.Model, t.rate(),
			fmt.Sprintf("%.0f-%.0f %%", 100*t.Least, 100*t.Most), each(float64(t.Requests), 1), mean(in), cached,
			mean(t.Usage.Output), human.Tokens(t.PerPass), each(float64(t.NanoAIU)/1e9, 3), each(float64(t.MS)/1000, 1) + " s"})
	}
	return table
}

// keep writes the transcript of a run as markdown and as lines of JSON, and returns the path of the first.
func keep(dir string, s *live.Session, r Run) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	history, detach := s.Attach(func(session.Event) {})
	detach()
	var lines bytes.Buffer
	for _, e := range history {
		b, err := session.EncodeEvent(e)
		if err != nil {
			return "", err
		}
		lines.Write(append(b, '\n'))
	}
	name := strings.Map(func(c rune) rune {
		if c == '/' || c == '\\' || c == ':' {
			return '_'
		}
		return c
	}, fmt.Sprintf("%s-%s-%s-%d", r.Agent, cmp.Or(r.Used, r.Model, "default"), r.Task, r.Run))
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path+".jsonl", lines.Bytes(), 0o600); err != nil {
		return "", err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# %s did not pass\n\n- %s\n\n", r.Task, strings.Join(r.Wrong, "\n- "))
	for piece := range export.MarkdownPieces(s.Meta(), session.Fold(history), export.NewOptions("md")) {
		text.WriteString(piece)
	}
	return path + ".md", os.WriteFile(path+".md", []byte(text.String()), 0o600)
}
