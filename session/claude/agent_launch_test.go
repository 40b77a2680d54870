package claude

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

func TestChooseModel(t *testing.T) {
	list := func(ids ...string) []session.Model {
		var out []session.Model
		for _, id := range ids {
			out = append(out, session.Model{ID: id})
		}
		return out
	}
	withDefault := append(list("gpt-5", "claude-sonnet-4.6"), session.Model{ID: "claude-opus-4.6", Default: true})
	unusable := append(list("claude-haiku-4.5"), session.Model{ID: "claude-sonnet-4.6", Unusable: "not in your plan"})
	for _, tc := range []struct {
		models []session.Model
		wanted string
		want   string
		small  string
	}{
		{nil, "", "", ""},
		{nil, "claude-x", "claude-x", "claude-x"},
		{withDefault, "", "claude-opus-4.6", "claude-opus-4.6"},
		{withDefault, "gpt-5", "gpt-5", "gpt-5"},
		{list("gpt-5", "claude-haiku-4.5", "claude-opus-4.6", "claude-sonnet-4.5", "claude-sonnet-4.6"), "", "claude-sonnet-4.6", "claude-haiku-4.5"},
		{list("claude-haiku-4.5", "claude-opus-4.6"), "", "claude-opus-4.6", "claude-haiku-4.5"},
		{list("claude-haiku-4", "claude-haiku-4.5"), "", "claude-haiku-4.5", "claude-haiku-4.5"},
		{unusable, "", "claude-haiku-4.5", "claude-haiku-4.5"},
		{list("gpt-5"), "", "", ""},
	} {
		got := chooseModel(tc.models, tc.wanted)
		if got != tc.want || smallModel(tc.models, got) != tc.small {
			t.Errorf("%v, wanted %q: %q and %q", tc.models, tc.wanted, got, smallModel(tc.models, got))
		}
	}
}

func TestEffortFor(t *testing.T) {
	for _, tc := range []struct{ model, effort, want string }{
		{"claude-test.1", "high", "high"}, {"claude-test-1", "high", "high"}, {"claude-test.1", "max", ""}, {"claude-haiku-1", "high", ""},
		{"claude-haiku-1", "", ""}, {"unknown", "high", "high"},
	} {
		if got := session.EffortFor(testModels, tc.model, tc.effort); got != tc.want {
			t.Errorf("%s with %q: %q", tc.model, tc.effort, got)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	missing := &session.Error{Op: opOpen, Kind: session.KindRuntime, Err: errors.New("not installed")}
	good := session.OpenOptions{Session: "s", Dir: dir, Endpoint: session.Endpoint{BaseURL: "http://127.0.0.1:9"}, Emit: func(session.Event) {}}
	for _, tc := range []struct {
		name   string
		change func(*Options, *session.OpenOptions)
		kind   session.Kind
	}{
		{"no runtime", func(o *Options, _ *session.OpenOptions) { o.Runtime = nil }, session.KindRuntime},
		{"runtime missing", func(o *Options, _ *session.OpenOptions) {
			o.Runtime = func(context.Context) (Program, error) { return Program{}, missing }
		}, session.KindRuntime},
		{"relative directory", func(_ *Options, o *session.OpenOptions) { o.Dir = "x" }, session.KindInvalid},
		{"no directory", func(_ *Options, o *session.OpenOptions) { o.Dir = filepath.Join(dir, "gone") }, session.KindNotFound},
		{"a file", func(_ *Options, o *session.OpenOptions) { o.Dir = file }, session.KindInvalid},
		{"one of several with an id", func(_ *Options, o *session.OpenOptions) { o.Session = "s.at-00000001" }, session.KindUnsupported},
		{"and no directory", func(_ *Options, o *session.OpenOptions) {
			o.Session, o.Dir = "s.at-00000001", filepath.Join(dir, "gone")
		}, session.KindUnsupported},
		{"no endpoint", func(_ *Options, o *session.OpenOptions) { o.Endpoint = session.Endpoint{} }, session.KindInvalid},
		{"no listener", func(_ *Options, o *session.OpenOptions) { o.Emit = nil }, session.KindInvalid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := Options{Home: dir, Environ: []string{"IS_SANDBOX=1"},
				Runtime: func(context.Context) (Program, error) { return Program{Argv: []string{"claude"}}, nil }}
			open := good
			tc.change(&o, &open)
			if c, err := New(o).Open(t.Context(), open); c != nil || session.KindOf(err) != tc.kind {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestOwnServersAreHandedOver where the directory is not trusted: a trusted one has them from the runtime itself, and an
// administrator's are the only ones.
func TestOwnServersAreHandedOver(t *testing.T) {
	for _, tc := range []struct{ trusted, managed, want bool }{{false, false, true}, {true, false, false}, {false, true, false}} {
		ch, open := fakeWorld(t, func(o *Options, _ *session.OpenOptions) {
			o.Trusted = func(string) bool { return tc.trusted }
			o.Managed = func() bool { return tc.managed }
			o.OwnServers = func(dir string) json.RawMessage {
				return json.RawMessage(`{"mine":{"command":"` + filepath.ToSlash(dir) + `"}}`)
			}
		})
		l, err := ch.a.launch(t.Context(), open, open.Session, open.Settings)
		if err != nil || (l.Servers != nil) != tc.want || l.Trusted != tc.trusted || l.Managed != tc.managed {
			t.Errorf("%+v: servers %s, %v", tc, l.Servers, err)
		}
		if tc.want && string(l.Servers) != `{"mine":{"command":"`+filepath.ToSlash(open.Dir)+`"}}` {
			t.Errorf("servers %s", l.Servers)
		}
	}
}

// TestBypassAsRootNamesTheWayOut: what cannot be had is refused with what can be.
func TestBypassAsRootNamesTheWayOut(t *testing.T) {
	why := New(Options{Home: t.TempDir()}).Unsupported(session.ModeBypass)
	if os.Geteuid() != 0 {
		if why != "" {
			t.Errorf("refused to a user who is not root: %s", why)
		}
		return
	}
	for _, way := range []string{"default", "acceptEdits", "plan", "IS_SANDBOX=1"} {
		if !strings.Contains(why, way) {
			t.Errorf("%q does not name %s", why, way)
		}
	}
}
