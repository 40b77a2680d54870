package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"parley/config"
	"parley/copilot"
	"parley/copilot/sim"
	"parley/copilot/sim/script"
	"parley/internal/cli/command"
	"parley/internal/cli/headless"
	"parley/internal/cli/output"
	"parley/internal/eval"
	"parley/internal/human"
	"parley/session"
	"parley/session/live"
)

// evalFlags are the flags of `parley eval`.
type evalFlags struct {
	agents, task, out string
	jobs, runs        int
	credits           float64
	json, list        bool
	scripted, yes     bool
}

// evalCommand is `parley eval`.
func evalCommand(a *app) *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure agents and models on small tasks",
		Long: `Measure agents and models on small tasks: bug fixes, features, questions, traps. Each run has a fresh temporary directory, and
the agent may do everything in it without asking: it could do more, so use a container or a machine for tests. Requests are
charged as in a chat. With --scripted a simulated model plays the solutions, which tests parley and costs nothing.`,
		Example: `  parley eval --scripted  test the suite itself, offline
  parley eval -m claude-haiku-4.5,gpt-5-mini --max-credits 50 --yes  compare two models
  parley eval --agents builtin,claude --task "fix-*" --runs 3 --yes  compare two agents`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if demo, _ := cmd.Flags().GetBool("demo"); demo {
				f.scripted = true
			}
			return evaluate(cmd.Context(), a, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.agents, "agents", "", "the agents to compare, `NAMES` with commas; else --agent")
	flags.StringVar(&f.task, "task", "", "only tasks whose name or category matches a `GLOB`")
	flags.IntVar(&f.jobs, "jobs", 2, "`N` runs at once")
	flags.IntVar(&f.runs, "runs", 1, "run each task `N` times")
	flags.StringVar(&f.out, "out", "", "a `DIR` for the report and the transcripts of runs that fail")
	flags.Float64Var(&f.credits, "max-credits", 0, "begin no more runs after `N` credits")
	flags.BoolVar(&f.scripted, "scripted", false, "a simulated model plays the solutions: offline, free, builtin only")
	flags.BoolVar(&f.list, "list", false, "list the tasks and run nothing")
	flags.BoolVar(&f.yes, "yes", false, "run without being asked to confirm")
	flags.BoolVar(&f.json, "json", false, "print JSON; docs/eval.md lists the fields")
	return cmd
}

// evaluate makes the runs that flags ask for and prints the report.
func evaluate(ctx context.Context, a *app, f evalFlags) error {
	all, err := eval.Tasks()
	if err != nil {
		return err
	}
	tasks, err := eval.Match(all, f.task)
	if err != nil {
		return command.UsageError{Err: err, Next: "`parley eval --list` shows the tasks."}
	}
	if f.jobs < 1 || f.runs < 1 || f.credits < 0 {
		return command.Usagef("--jobs and --runs must be at least 1, and --max-credits positive")
	}
	if f.list {
		return listTasks(a, tasks, f.json)
	}
	agents := strings.Split(cmp.Or(f.agents, map[bool]string{true: "builtin", false: a.cfg.Agent}[a.cfg.Agent == "auto" || f.scripted]), ",")
	models := strings.Split(a.cfg.Model, ",")
	if f.scripted {
		if f.agents != "" && f.agents != "builtin" {
			return command.Usagef("--scripted plays the builtin agent only")
		}
		models = []string{""}
	}
	if !f.scripted && !f.yes {
		return command.UsageError{Err: fmt.Errorf("this makes %s with %s, which may run any command as you, and charges your plan for each of their requests%s",
			human.Count(len(tasks)*f.runs*len(agents)*len(models), "run", "runs"), strings.Join(agents, " and "), upTo(f.credits)),
			Next: "Add --yes to begin; --max-credits bounds the cost, and --scripted costs nothing."}
	}
	root, err := os.MkdirTemp("", "parley-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	end, err := a.isolate(root, tasks, f.scripted)
	if err != nil {
		return err
	}
	defer end()
	client, err := a.signIn().Client(ctx)
	if err != nil {
		return err
	}
	return a.runTasks(ctx, client, f, eval.Options{Tasks: tasks, Agents: agents, Models: models, Runs: f.runs, Jobs: f.jobs,
		MaxNanoAIU: int64(f.credits * 1e9), Temp: root, Environ: a.environ, Out: f.out})
}

// upTo words a bound of credits.
func upTo(credits float64) string {
	if credits == 0 {
		return ""
	}
	return fmt.Sprintf(", %g credits or little more together", credits)
}

// isolate makes the run use no instructions, rules and sessions of the user's, and with a script a simulated Copilot.
func (a *app) isolate(root string, tasks []eval.Task, scripted bool) (end func(), err error) {
	own := filepath.Join(root, "parley")
	if !scripted {
		a.cfg.Claude.Rules = false
		a.paths = config.Paths{Config: filepath.Join(own, "config"), Data: filepath.Join(own, "data"), State: filepath.Join(own, "state"), Cache: a.paths.Cache}
		a.kept = nil
		return func() {}, nil
	}
	var s *script.Script
	if s, err = eval.Script(tasks); err != nil {
		return nil, err
	}
	d := &demo{root: root, project: root}
	if d.sim, err = sim.Start(sim.Options{Script: s}); err != nil {
		return nil, fmt.Errorf("start the simulated Copilot: %w", err)
	}
	a.enter(d)
	return func() { d.sim.Close() }, nil
}

// runTasks makes the runs and prints the report. The error is that of an interrupt, or of runs that did not pass.
func (a *app) runTasks(ctx context.Context, client *copilot.Client, f evalFlags, o eval.Options) error {
	s, err := newServices(ctx, a, client, run{headless: true})
	if err != nil {
		return err
	}
	defer s.close(ctx)
	ctx, stop := command.UntilSignal(ctx)
	defer stop()
	for _, agent := range o.Agents {
		for _, model := range o.Models {
			if err := s.check(ctx, agent, session.Settings{Model: model, Effort: a.cfg.Effort}, true); err != nil {
				return err
			}
		}
	}
	o.Open, o.Group, o.Done = s.openTask(a), s.processes, a.printRun
	report, err := eval.Evaluate(ctx, o)
	if sig, ok := errors.AsType[command.Signaled](context.Cause(ctx)); ok {
		err = command.ExitError{Code: sig.Code()}
	}
	if f.out != "" {
		err = errors.Join(err, writeReport(f.out, report))
	}
	if f.json {
		return errors.Join(err, a.out.JSON(report), failedRuns(report))
	}
	if len(report.Categories) > len(report.Totals) {
		err = errors.Join(err, a.table(report.ByCategory()))
	}
	return errors.Join(err, a.table(report.Compared()), failedRuns(report))
}

// table prints a table of a report.
func (a *app) table(t eval.Table) error {
	l := output.List{Most: output.MaxCell, Rows: t.Rows, Plain: append([][]string{t.Heads}, t.Rows...)}
	for _, head := range t.Heads {
		l.Columns = append(l.Columns, output.Column{Head: head})
	}
	return a.out.List(l)
}

// failedRuns returns the exit of a report with runs that did not pass.
func failedRuns(r eval.Report) error {
	for _, run := range r.Runs {
		if !run.Passed && run.Skipped == "" {
			return command.ExitError{Code: command.ExitFailed}
		}
	}
	return nil
}

// openTask opens sessions in which the agent may do everything.
func (s *services) openTask(a *app) func(ctx context.Context, agent, model, dir string) (*eval.Opened, error) {
	return func(_ context.Context, agent, model, dir string) (*eval.Opened, error) {
		conv, err := s.manager.Draft(live.DraftOptions{Agent: agent, Dir: dir,
			Settings: session.Settings{Model: model, Effort: a.cfg.Effort, Mode: session.ModeBypass}})
		if err != nil {
			return nil, err
		}
		id := conv.ID()
		return &eval.Opened{
			Session:     conv,
			Figures:     func() headless.Figures { return s.endpoints.Figures(id) },
			Settle:      func(ctx context.Context) { s.endpoints.Settle(ctx, id) },
			KeepsLimits: s.manager.KeepsLimits(agent),
			Close: func(ctx context.Context) error {
				if err := conv.Close(ctx); err != nil {
					return err
				}
				if err := s.manager.Remove(ctx, conv.ID(), true); session.KindOf(err) != session.KindNotFound {
					return err
				}
				return nil
			},
		}, nil
	}
}

// printRun prints what came of one run.
func (a *app) printRun(r eval.Run) {
	mark, why := "ok  ", ""
	switch {
	case r.Skipped != "":
		mark, why = "skip", ": "+r.Skipped
	case !r.Passed:
		mark, why = "FAIL", ": "+strings.Join(r.Wrong, "; ")
	}
	a.err.Line("%s %s (%s %s, %s, %.1f s)%s", mark, r.Task, r.Agent, cmp.Or(r.Model, r.Used), human.Count(r.Requests, "request", "requests"), float64(r.MS)/1000, why)
}

// writeReport writes the report beside the transcripts.
func writeReport(dir string, r eval.Report) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "report.json"), append(b, '\n'), 0o600)
}

// listTasks prints the tasks.
func listTasks(a *app, tasks []eval.Task, asJSON bool) error {
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
		return a.out.JSON(rows)
	}
	return a.out.List(l)
}
