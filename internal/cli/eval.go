package cli

import (
	"cmp"
	"context"
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
	"parley/internal/cli/evals"
	"parley/internal/cli/headless"
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
		return evals.List(a.out, tasks, f.json)
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
	o.Open, o.Group, o.Done = s.openTask(a), s.processes, func(r eval.Run) { evals.Run(a.err, r) }
	report, err := eval.Evaluate(ctx, o)
	if sig, ok := errors.AsType[command.Signaled](context.Cause(ctx)); ok {
		err = command.ExitError{Code: sig.Code()}
	}
	return errors.Join(err, evals.Report(a.out, f.out, report, f.json))
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
