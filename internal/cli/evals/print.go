package evals

import (
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/internal/eval"
	"parley/internal/human"
)

// Report writes a report into a folder, "" for none, and prints it. The error has the exit of runs that did not pass.
func Report(out *output.Stream, dir string, r eval.Report, asJSON bool) (err error) {
	if dir != "" {
		err = write(dir, r)
	}
	if asJSON {
		return errors.Join(err, out.JSON(r), failed(r))
	}
	if len(r.Categories) > len(r.Totals) {
		err = errors.Join(err, table(out, r.ByCategory()))
	}
	return errors.Join(err, table(out, r.Compared()), failed(r))
}

// List prints the tasks.
func List(out *output.Stream, tasks []eval.Task, asJSON bool) error {
	type row struct {
		Name     string   `json:"name"`
		Category string   `json:"category"`
		About    string   `json:"about"`
		Needs    []string `json:"needs"`
	}
	rows := []row{}
	l := output.List{Most: output.MaxCell, Plain: [][]string{{"TASK", "CATEGORY", "NEEDS", "ABOUT"}},
		Columns: []output.Column{{Head: "TASK"}, {Head: "CATEGORY"}, {Head: "NEEDS"}, {Head: "ABOUT", Wraps: true}}}
	for _, t := range tasks {
		rows = append(rows, row{t.Name, t.Category, t.About, append([]string{}, t.Needs...)})
		cells := []string{t.Name, t.Category, strings.Join(t.Needs, " "), t.About}
		l.Rows, l.Plain = append(l.Rows, cells), append(l.Plain, cells)
	}
	if asJSON {
		return out.JSON(rows)
	}
	return out.List(l)
}

// table prints a table of a report.
func table(out *output.Stream, t eval.Table) error {
	l := output.List{Most: output.MaxCell, Rows: t.Rows, Plain: append([][]string{t.Heads}, t.Rows...)}
	for _, head := range t.Heads {
		l.Columns = append(l.Columns, output.Column{Head: head})
	}
	return out.List(l)
}

// failed returns the exit of a report with runs that did not pass.
func failed(r eval.Report) error {
	for _, run := range r.Runs {
		if !run.Passed && run.Skipped == "" {
			return command.ExitError{Code: command.ExitFailed}
		}
	}
	return nil
}

// Run prints what came of one run.
func Run(messages *output.Stream, r eval.Run) {
	mark, why := "ok  ", ""
	switch {
	case r.Skipped != "":
		mark, why = "skip", ": "+r.Skipped
	case !r.Passed:
		mark, why = "FAIL", ": "+strings.Join(r.Wrong, "; ")
	}
	messages.Line("%s %s (%s %s, %s, %.1f s)%s", mark, r.Task, r.Agent, cmp.Or(r.Model, r.Used), human.Count(r.Requests, "request", "requests"), float64(r.MS)/1000, why)
}

// write writes the report beside the transcripts.
func write(dir string, r eval.Report) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "report.json"), append(b, '\n'), 0o600)
}
