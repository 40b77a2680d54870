package cloud

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"parley/copilot/cloud"
	"parley/session"
)

// Name is the agent's name.
const Name = "cloud"

// Options configure an [Agent].
type Options struct {
	// Service is the service; nil: it cannot be asked.
	Service Service
	// Dir is the directory for which sessions are which tasks, Cache that for the list and the logs. An empty one keeps
	// nothing.
	Dir, Cache string
	// Repository returns the repository of a directory at the service as "owner/name", "" for none.
	Repository func(ctx context.Context, dir string) string
	// Here is the directory of this run, to which tasks of its repository belong that were begun elsewhere.
	Here string
	// Unlisted hides the tasks from lists; Refresh then asks nothing.
	Unlisted bool
	// Error converts an error of the service to a [session.Error]; nil leaves it as it is.
	Error func(error) error
	// Missing returns why the service cannot be used, "" if it can; nil: it can.
	Missing func() string
	// Log receives what is worth knowing for a report; nil: nothing.
	Log *slog.Logger
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// Agent holds conversations with the cloud agent. It is safe for concurrent use.
type Agent struct {
	o       Options
	records records
	logs    logs

	mu        sync.Mutex
	list      []entry // nil until it was read
	refreshed chan struct{}
}

var (
	_ session.RemoteAgent = (*Agent)(nil)
	_ session.Describer   = (*Agent)(nil)
	_ session.Informer    = (*Agent)(nil)
	_ session.ModeLister  = (*Agent)(nil)
)

// New returns the agent. It reads and sends nothing.
func New(o Options) *Agent {
	if o.Service == nil {
		o.Service = unasked{}
	}
	if o.Error == nil {
		o.Error = func(err error) error { return err }
	}
	if o.Repository == nil {
		o.Repository = func(context.Context, string) string { return "" }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &Agent{o: o, records: records{dir: o.Dir}}
	if o.Cache != "" {
		a.logs.dir = filepath.Join(o.Cache, "logs")
	}
	return a
}

// Name returns "cloud".
func (a *Agent) Name() string { return Name }

// Info describes the agent.
func (a *Agent) Info() session.AgentInfo {
	return session.AgentInfo{Name: Name, About: "GitHub's cloud agent: works on GitHub's machines and opens a pull request", Missing: a.missing()}
}

func (a *Agent) missing() string {
	if a.o.Missing == nil {
		return ""
	}
	return a.o.Missing()
}

// usable returns an error that says why the service cannot be used.
func (a *Agent) usable() error {
	if why := a.missing(); why != "" {
		return &session.Error{Op: "use the cloud agent", Kind: session.KindUnsupported, Err: errors.New(why)}
	}
	return nil
}

// Unsupported returns why a mode cannot be used: nothing that happens at GitHub asks here.
func (a *Agent) Unsupported(m session.Mode) string {
	if m == session.ModePlan {
		return "the cloud agent works on a branch at GitHub, where plan mode does not hold"
	}
	return ""
}

// Target returns the repository of a directory with its default branch. The branch is empty if the service does not say it.
func (a *Agent) Target(ctx context.Context, dir string) (session.RemoteTarget, error) {
	name := a.o.Repository(ctx, dir)
	if name == "" {
		return session.RemoteTarget{}, &session.Error{Op: "find the repository", Kind: session.KindNotFound,
			Err: errors.New("this directory has no repository at GitHub; add a remote with `git remote add origin URL`, or start parley in one that has")}
	}
	t := session.RemoteTarget{Repository: name}
	r, err := a.o.Service.Repository(ctx, name)
	if err != nil {
		a.o.Log.Info("the default branch is not known", "repository", name, "error", err)
		return t, nil
	}
	t.Repository, t.Base = cmp.Or(r.Name, name), r.Default
	return t, nil
}

// mention begins a comment that the cloud agent answers.
const mention = "@copilot "

// Message returns the comment that a prompt becomes.
func (a *Agent) Message(p session.Prompt) string {
	text := words(p)
	if strings.HasPrefix(text, strings.TrimSpace(mention)) {
		return text
	}
	return mention + text
}

// words returns a prompt with its attachments as text.
func words(p session.Prompt) string {
	text, listed := p.Words()
	if listed = strings.TrimSuffix(strings.TrimPrefix(listed, session.ReminderHead), "</system-reminder>"); listed != "" {
		listed = "Attached:\n\n" + listed
	}
	return strings.TrimSpace(strings.TrimSpace(text) + "\n\n" + strings.TrimSpace(listed))
}

// check refuses prompts that cannot be sent.
func check(p session.Prompt) error {
	for _, at := range p.Attachments {
		if at.Kind == session.AttachImage {
			return &session.Error{Op: opSend, Kind: session.KindUnsupported, Err: errors.New("the cloud agent takes no images; attach them to the pull request at GitHub")}
		}
	}
	if words(p) == "" {
		return &session.Error{Op: opSend, Kind: session.KindInvalid, Err: errors.New("the prompt is empty")}
	}
	return nil
}

const opSend = "send prompt"

// Open begins a conversation, or continues one. It asks the service nothing.
func (a *Agent) Open(_ context.Context, o session.OpenOptions) (session.Conversation, error) {
	c := &conversation{a: a, o: o, out: session.NewOutbox(o.Emit), turns: map[session.TurnID]context.CancelCauseFunc{}, woken: make(chan struct{}, 1)}
	c.life, c.end = context.WithCancelCause(context.Background())
	return c, nil
}

// fail converts an error of the service.
func (a *Agent) fail(err error) error {
	if err == nil {
		return nil
	}
	return a.o.Error(err)
}

// split splits "owner/name".
func split(repository string) (owner, name string, err error) {
	owner, name, ok := strings.Cut(repository, "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return "", "", &session.Error{Op: opSend, Kind: session.KindInvalid, Err: fmt.Errorf("%q is not a repository; write it as owner/name", repository)}
	}
	return owner, name, nil
}

// pull returns the pull request of a session, nil if it has none or cannot be read.
func (a *Agent) pull(ctx context.Context, s cloud.Session) (*cloud.Pull, error) {
	if s.Node == "" {
		return nil, nil
	}
	pulls, err := a.o.Service.Pulls(ctx, []string{s.Node})
	if err != nil || len(pulls) == 0 {
		return nil, err
	}
	return &pulls[0], nil
}
