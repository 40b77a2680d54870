package foreign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/sources"
	"parley/session/words"
)

// Options are where programs keep their sessions.
type Options struct {
	// Home is the user's home directory, "" for none. Getenv returns variables that move a program's files.
	Home   string
	Getenv func(string) string
	// Dir returns the working directory, where crush keeps a database, and an error if the user has not said that it is trusted.
	Dir func() (string, error)
	// Temp is the directory for copies of databases.
	Temp string
}

// All returns the programs whose sessions can be read, without looking for them. There are none without a home directory.
func All(o Options) []*Program {
	if o.Home == "" {
		return nil
	}
	data := o.under("XDG_DATA_HOME", ".local", "share")
	return []*Program{
		newProgram("codex", codex{o.under("CODEX_HOME", ".codex")}),
		newProgram("opencode", opencode{filepath.Join(data, "opencode", "opencode.db"), &database{temp: o.Temp, large: true}}),
		newProgram("crush", crush{filepath.Join(data, "crush", "projects.json"), o.Dir, &database{temp: o.Temp}}),
		newProgram("gemini", gemini{o.under("", ".gemini")}),
		newProgram("goose", goose{filepath.Join(data, "goose", "sessions", "sessions.db"), &database{temp: o.Temp, large: true}}),
		newProgram("antigravity", antigravity{filepath.Join(o.under("", ".gemini"), "antigravity-cli")}),
	}
}

// source is where one program keeps its sessions. Its methods may be called at the same time.
type source interface {
	sources.Source
	// read passes what was said and done in a session to emit, oldest first, until it returns false, and returns how many bytes it read.
	// The session is one of those that the file had when it was described.
	read(ctx context.Context, p sources.Place, id string, emit func(step) bool) (int64, error)
}

// Program is an agent for the stored sessions of a program. It is safe for concurrent use.
type Program struct {
	*sources.Lister
	name   string
	source source
}

func newProgram(name string, s source) *Program {
	return &Program{sources.New(tidy{s, name}, sources.Options{Program: session.AgentTitle(name), Prefix: name + "-", Stamp: databaseStamp,
		Valid: func(id string) bool { return plainID.MatchString(id) },
		Home:  func(p sources.Place, _ session.Meta) bool { return filepath.Base(filepath.Dir(p.Path)) != codexArchive }}), name, s}
}

// plainID matches ids that have no meaning in paths, patterns and command lines.
var plainID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,120}$`)

// tidy is a source whose descriptions are fit for a list.
type tidy struct {
	source
	name string
}

// Describe describes the sessions of a file.
func (t tidy) Describe(ctx context.Context, p sources.Place) ([]session.Meta, error) {
	metas, err := t.source.Describe(ctx, p)
	for i := range metas {
		m := &metas[i]
		m.Agent, m.First, m.Title = t.name, firstWords(m.First), firstWords(m.Title)
		m.Dir, m.Branch, m.Model = plain(m.Dir), plain(m.Branch), plain(m.Model)
	}
	return metas, err
}

// Name returns the name of the agent, such as "codex".
func (p *Program) Name() string { return p.name }

// Open always fails, with an error of kind [session.KindUnsupported] that says how to go on with the session.
func (p *Program) Open(_ context.Context, o session.OpenOptions) (session.Conversation, error) {
	const op = "continue session"
	if sources.Marked(o.Session) {
		return nil, sources.ReadOnly(op, session.AgentTitle(p.name), o.Session)
	}
	command := sources.Command(p.name, o.Session, "")
	return nil, &session.Error{Op: op, Kind: session.KindUnsupported, Err: kept{session.AgentTitle(p.name), string(o.Session), command}}
}

// kept is the error that a session's own program continues it, with the session's id and the command for that.
type kept struct{ program, id, command string }

// Error returns what else can be done with the session.
func (k kept) Error() string {
	return fmt.Sprintf("%s made it, and parley only reads it; `parley sessions fork %s` copies it, `%s` goes on in %s", k.program, k.id, k.command, k.program)
}

// Words returns the texts of the problem; see [session.ProblemOf].
func (k kept) Words() (what, next string) {
	return k.program + " made this session, and parley only reads it.", "/fork goes on with a copy here, `" + k.command + "` goes on in " + k.program + "."
}

// Replay returns the events of a stored session; see [session.Replayer].
func (p *Program) Replay(ctx context.Context, id session.ID) ([]session.Event, error) {
	at, err := p.Find(ctx, id, true)
	if err != nil {
		return nil, err
	}
	b := newBuilder(id)
	if _, err := p.source.read(ctx, at, p.raw(id), func(s step) bool { b.add(s); return true }); err != nil {
		return nil, p.fail(at, err)
	}
	return b.end(session.AgentTitle(p.name)), nil
}

// Texts passes on what was said in a session; see [session.TextReader].
func (p *Program) Texts(ctx context.Context, id session.ID, want session.TextQuery, yield func(session.Text) bool) (session.TextsRead, error) {
	at, err := p.Find(ctx, id, true)
	if err != nil {
		return session.TextsRead{}, err
	}
	read, err := p.source.read(ctx, at, p.raw(id), func(s step) bool {
		t := session.Text{Prompt: s.kind == stepPrompt, Tool: s.kind == stepCall || s.kind == stepResult, Bytes: []byte(s.text)}
		switch s.kind {
		case stepPrompt, stepAnswer, stepResult:
		case stepCall:
			t.Bytes = words.Strings(s.input)
		default:
			return true
		}
		return len(t.Bytes) == 0 || !want.Wants(t) || yield(t)
	})
	if err != nil {
		return session.TextsRead{Bytes: read}, p.fail(at, err)
	}
	return session.TextsRead{Bytes: read}, nil
}

func (p *Program) raw(id session.ID) string {
	return strings.TrimPrefix(string(sources.Raw(id)), p.name+"-")
}

func (p *Program) fail(at sources.Place, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &session.Error{Op: "read session", Kind: session.KindDisk, Err: fmt.Errorf("%s: %s: %w", session.AgentTitle(p.name), at.Path, err)}
}
