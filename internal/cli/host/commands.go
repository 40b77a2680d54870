package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"parley/internal/cli/command"
	"parley/internal/cli/output"
	"parley/internal/cli/sessions"
	"parley/internal/crash"
	"parley/internal/human"
	"parley/session"
	"parley/session/host"
	"parley/session/live"
	"parley/session/proc"
	"parley/ui/style"
)

// Options are what the commands need of a run. The functions are called once a command runs.
type Options struct {
	Out *output.Stream
	// Program is the version of parley.
	Program string
	// Home is the user's home directory, Data the folder of the sessions, Dirs are the folders of hosts.
	Home, Data func() string
	Dirs       func() []string
	// Attach shows a session of a host in a chat.
	Attach func(ctx context.Context, id session.ID) error
	// Serve is the session host of a place until nothing needs it.
	Serve func(ctx context.Context, p host.Place) error
}

// ServeName is the name of the command that is the session host. It takes the folder and the key of a [host.Place].
const ServeName = "__host"

// row is a session that a host has.
type row struct {
	host.Doing
	State string     `json:"state"`
	Host  entry      `json:"host"`
	place host.Place // of the host
}

// entry describes the host of a session.
type entry struct {
	Pid     int       `json:"pid"`
	Started time.Time `json:"started"`
	Program string    `json:"program"`
}

// hosts returns the hosts of the folder of sessions, also those that were killed.
func (o Options) hosts(ctx context.Context) ([]host.Entry, error) {
	if !host.Supported {
		return nil, errUnsupported
	}
	all := host.Entries(ctx, o.Dirs()...)
	return slices.DeleteFunc(all, func(e host.Entry) bool { return !strings.HasPrefix(e.Place.Key, dataKey(o.Data())) }), nil
}

var errUnsupported = &session.Error{Op: "find sessions that go on", Kind: session.KindUnsupported, Err: errors.New("this system has no session host")}

// rows asks all hosts what they do: those that ask first, then the newest. A host that does not answer is in missing.
func (o Options) rows(ctx context.Context) (all []row, missing []string, err error) {
	hosts, err := o.hosts(ctx)
	doing := make([][]host.Doing, len(hosts))
	for i, err := range o.ask(ctx, hosts, "list", struct{}{}, func(i int) any { return &doing[i] }) {
		e := hosts[i]
		if err != nil && session.KindOf(err) != session.KindNotFound {
			missing = append(missing, unanswered(e, err))
		}
		for _, d := range doing[i] {
			all = append(all, row{d, state(d.Activity), entry{e.Pid, e.Started, e.Program}, e.Place})
		}
	}
	slices.SortStableFunc(all, func(a, b row) int {
		return cmp.Or(cmp.Compare(rank(b.Activity), rank(a.Activity)), b.Meta.Updated.Compare(a.Meta.Updated))
	})
	return all, missing, err
}

// Rename gives a session a title in the host that has it open. It is false if none has.
func (o Options) Rename(ctx context.Context, id session.ID, title string) (kept string, open bool, err error) {
	all, _, _ := o.rows(ctx) // a host that does not answer keeps the lock of its sessions
	i := slices.IndexFunc(all, func(r row) bool { return r.Meta.ID == id })
	if i < 0 {
		return "", false, nil
	}
	kept, err = host.Rename(ctx, all[i].place, o.Program, id, title)
	return kept, true, err
}

// askTime bounds how long all hosts together have to answer.
const askTime = 5 * time.Second

// ask asks hosts at once, and returns what went wrong with each: an error of kind [session.KindNotFound] if it was killed.
func (o Options) ask(ctx context.Context, hosts []host.Entry, do string, args any, result func(i int) any) []error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	errs := make([]error, len(hosts))
	var wg sync.WaitGroup
	for i, e := range hosts {
		wg.Go(crash.Guarded(func() {
			errs[i] = host.Ask(ctx, e.Place, o.Program, do, args, result(i))
		}))
	}
	wg.Wait()
	return errs
}

// unanswered returns what the user reads of a host that did not answer.
func unanswered(e host.Entry, err error) string {
	what := session.ProblemOf(err, time.Now()).What
	if session.KindOf(err) == session.KindStalled {
		return what // it names the host
	}
	return fmt.Sprintf("Session host %d doesn't answer: %s", e.Pid, what)
}

// rank orders what sessions do by how much they need their user.
func rank(a live.Activity) int {
	return slices.Index([]string{"waits", "works in the background", "works", "asks you"}, state(a))
}

// state names what a session does.
func state(a live.Activity) string {
	switch {
	case a.Asks > 0:
		return "asks you"
	case a.Turn:
		return "works"
	case a.Background:
		return "works in the background"
	}
	return "waits"
}

// Commands makes `parley attach`, `parley ps`, `parley stop` and the hidden command of a host.
func Commands(o Options) []*cobra.Command {
	return []*cobra.Command{o.attachCommand(), o.psCommand(), o.stopCommand(), o.serveCommand()}
}

func (o Options) attachCommand() *cobra.Command {
	return &cobra.Command{Use: "attach [ID]", Short: "Show a session that goes on without a terminal, or in another one",
		Long: "Show a session that goes on without a terminal, or in another one. Without an id: one that asks you, else one that works, else the newest.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return command.OneID(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			all, missing, err := o.rows(cmd.Context())
			if err != nil {
				return err
			}
			r, err := pick(all, strings.Join(args, ""))
			if err != nil {
				return errors.Join(append(problems(missing), err)...)
			}
			return o.Attach(cmd.Context(), r.Meta.ID)
		}}
}

// pick returns the session with an id or the start of one, the first for none.
func pick(all []row, id string) (row, error) {
	if id == "" && len(all) > 0 {
		return all[0], nil
	}
	if len(all) == 0 {
		return row{}, command.AdvisedError{Err: &session.Error{Op: "find the session", Kind: session.KindNotFound, Err: errors.New("no session goes on")},
			Next: "`parley -r` resumes a stored one."}
	}
	found, err := live.Match(metasOf(all), id)
	if err != nil {
		return row{}, err
	}
	return all[slices.IndexFunc(all, func(r row) bool { return r.Meta.ID == found.ID })], nil
}

func metasOf(all []row) []session.Meta {
	metas := make([]session.Meta, len(all))
	for i, r := range all {
		metas[i] = r.Meta
	}
	return metas
}

func problems(texts []string) (all []error) {
	for _, text := range texts {
		all = append(all, errors.New(text))
	}
	return all
}

func (o Options) psCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "ps", Short: "List the sessions that go on without a terminal, or in several", Args: command.NoArgs}
	asJSON := command.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all, missing, err := o.rows(cmd.Context())
		if err = errors.Join(append(problems(missing), err)...); err != nil && len(all) == 0 {
			return err
		}
		switch {
		case *asJSON:
			err = errors.Join(err, o.Out.JSON(append([]row{}, all...)))
		case len(all) == 0 && o.Out.Terminal() != nil:
			err = o.Out.Sentence("No session goes on. `parley --detach WORDS` starts one that needs no terminal.")
		default:
			err = errors.Join(err, o.Out.List(listOf(all, o.Home(), time.Now())))
		}
		return err
	}
	return cmd
}

// listOf describes sessions in rows, elsewhere than on a terminal with whole ids.
func listOf(all []row, home string, now time.Time) output.List {
	l := output.List{Most: output.MaxCell, Plain: [][]string{}, Columns: []output.Column{{Head: "ID"}, {Head: "STATE"}, {Head: "AGE", Style: output.Quiet},
		{Head: "TITLE", Wraps: true}, {Head: "TERMINALS", Style: output.Quiet}, {Head: "DIRECTORY", Wraps: true, Style: output.Quiet}}}
	ids := sessions.ShortIDs(metasOf(all))
	for i, r := range all {
		id := string(r.Meta.ID)
		l.Rows = append(l.Rows, []string{ids[i], r.State, human.Ago(now.Sub(r.Meta.Updated)), r.Meta.Headline(), fmt.Sprint(r.Clients),
			style.Place(r.Meta.Dir, home)})
		l.Plain = append(l.Plain, []string{id, r.State, r.Meta.Updated.UTC().Format(time.RFC3339), r.Meta.Headline(), fmt.Sprint(r.Clients), r.Meta.Dir})
	}
	return l
}

func (o Options) stopCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "stop [ID]", Short: "Interrupt a session that goes on, or all with --all and end their hosts"}
	all := cmd.Flags().Bool("all", false, "interrupt all sessions, and end the session hosts")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *all == (len(args) > 0) || len(args) > 1 {
			return command.UsageError{Err: errors.New("parley stop takes one session id, or --all"), Next: "`parley ps` shows them; the start of one is enough."}
		}
		if *all {
			return o.stopAll(cmd.Context())
		}
		rows, missing, err := o.rows(cmd.Context())
		if err != nil {
			return err
		}
		r, err := pick(rows, args[0])
		if err != nil {
			return errors.Join(append(problems(missing), err)...)
		}
		if err := host.Ask(cmd.Context(), r.place, o.Program, "stop", r.Meta.ID, nil); err != nil {
			return err
		}
		return o.Out.Sentence("Stopped %s. `parley -r %s` takes it up again.", r.Meta.Headline(), sessions.ShortIDs([]session.Meta{r.Meta})[0])
	}
	return cmd
}

// endTime bounds how long hosts are waited for: they close their sessions first.
const endTime = 15 * time.Second

// awaitEnd returns once a host's process is gone, or with an error that names it when ctx ends.
func awaitEnd(ctx context.Context, e host.Entry) error {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for proc.IsRunning(e.Pid, ServeName) {
		select {
		case <-look.C:
		case <-ctx.Done():
			return errors.New(unended(e.Pid))
		}
	}
	return nil
}

// unended returns what the user reads of a host that does not end.
func unended(pid int) string {
	return fmt.Sprintf("Session host %d has not ended yet. `kill %[1]d` ends it, `kill -9 %[1]d` if it hangs; its sessions are stored.", pid)
}

// stopAll interrupts all sessions and ends their hosts, for which it waits.
func (o Options) stopAll(ctx context.Context) (errs error) {
	hosts, err := o.hosts(ctx)
	if err != nil {
		return err
	}
	n := 0
	asked := o.ask(ctx, hosts, "stop", session.ID(""), func(int) any { return nil })
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	for i, err := range asked {
		switch {
		case session.KindOf(err) == session.KindNotFound:
			continue
		case err != nil && !host.Ended(err): // one that ends may not come to answer
			err = errors.New(unanswered(hosts[i], err))
		default:
			err = awaitEnd(ctx, hosts[i])
		}
		if err == nil {
			n++
		}
		errs = errors.Join(errs, err)
	}
	if n == 0 && errs == nil {
		return o.Out.Sentence("No session host runs.")
	}
	if n == 0 {
		return errs
	}
	return errors.Join(errs, o.Out.Sentence("Ended %s.", human.Count(n, "session host", "session hosts")))
}

func (o Options) serveCommand() *cobra.Command {
	return &cobra.Command{Use: ServeName + " DIR KEY", Hidden: true, Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.Serve(cmd.Context(), host.Place{Dir: args[0], Key: args[1]})
		}}
}
