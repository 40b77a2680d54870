package claude

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/extensions/inventory"
	"parley/session/proc"
	"parley/session/terminals"
)

// Other directories reach a running process at once. An older version is started again for the next prompt, because its model was told
// of the ones before, but not while something works in the background. Each is started again once it was started with one that is
// taken back.
func TestDirectoriesChange(t *testing.T) {
	for version, want := range map[string][]string{"2.1.197": {"/w/begun", "/w/more"}, "2.1.330": {"/w/begun"}} {
		talk(t, func(t *testing.T, ch *chat) {
			move := func(dirs ...string) {
				t.Helper()
				if err := ch.c.Configure(t.Context(), session.Settings{Mode: session.ModeDefault, Dirs: session.DirsOf(dirs)}); err != nil {
					t.Fatal(err)
				}
			}
			ch.turn(1, "hello")
			ch.rt().line(`{"type":"system","subtype":"task_started","task_id":"b1","task_type":"local_bash","tool_use_id":"t9"}`)
			synctest.Wait()
			move("/w/begun", "/w/more")
			ch.turn(2, "while something works")
			if !slices.Contains(ch.rt().called(), "additionalDirectories [/w/begun /w/more]") || ch.runtimes() != 1 {
				t.Errorf("%s, %d processes: %q", version, ch.runtimes(), ch.rt().called())
			}
			ch.rt().line(`{"type":"system","subtype":"task_notification","task_id":"b1","status":"completed"}`)
			synctest.Wait()
			ch.turn(3, "and then")
			if got := ch.rt().o.Launch.Dirs; !slices.Equal(got, want) {
				t.Errorf("%s was started with %q", version, got)
			}
			before := ch.runtimes()
			ch.rt().line(`{"type":"system","subtype":"task_started","task_id":"b2","task_type":"local_bash","tool_use_id":"t9"}`)
			synctest.Wait()
			move("/w/more")
			ch.turn(4, "taken back while something works")
			if got := ch.rt().o.Launch.Dirs; !slices.Equal(got, []string{"/w/more"}) || ch.runtimes() != before+1 {
				t.Errorf("%s goes on with %q", version, got)
			}
		}, func(o *Options, open *session.OpenOptions) {
			o.Runtime = func(context.Context) (Program, error) {
				return Program{Argv: []string{"claude"}, Version: version}, nil
			}
			open.Dirs = []string{"/w/begun"}
		})
	}
}

// A change of the files that the runtime reads costs one restart between turns, none while something works in the background, and none
// for what the runtime itself wrote.
func TestRestartForChangedFiles(t *testing.T) {
	var files atomic.Pointer[string]
	set := func(s string) { files.Store(&s) }
	set("1")
	writes := false
	var off inventory.Off
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "hello")
		ch.turn(2, "again")
		if ch.runtimes() != 1 {
			t.Fatal("restarted without a change")
		}
		set("2")
		set("3")
		ch.turn(3, "changed")
		ch.turn(4, "again")
		if got := states(ch); !slices.Equal(got, []string{"starting 1", "restarting 2"}) {
			t.Fatal(got)
		}
		ch.rt().line(`{"type":"system","subtype":"task_started","task_id":"b1","task_type":"local_bash","tool_use_id":"t9"}`)
		synctest.Wait()
		set("4")
		ch.turn(5, "while something works")
		if ch.runtimes() != 2 {
			t.Fatal("the background work was ended")
		}
		ch.rt().line(`{"type":"system","subtype":"task_notification","task_id":"b1","status":"completed"}`)
		synctest.Wait()
		ch.turn(6, "and then")
		if ch.runtimes() != 3 {
			t.Fatal("not restarted after the background work")
		}
		ch.rt().servers = map[string]string{"mcp_status": `{"mcpServers":[{"name":"db","status":"connected"}]}`, "mcp_toggle": `{}`}
		writes = true
		if err := ch.c.(session.ExtensionHolder).Extensions().Servers.SwitchServer(t.Context(), "db", false); err != nil {
			t.Error(err)
		}
		ch.turn(7, "more")
		if ch.runtimes() != 3 {
			t.Error("restarted for its own change")
		}
		off = off.Switched(inventory.Item{Kind: inventory.Skill, Name: "greet"}, false).Switched(inventory.Item{Kind: inventory.Plugin, Name: "p", From: "/plugins/p", Key: "p@market"}, false)
		ch.turn(8, "without a skill and a plugin")
		if l := ch.rt().o.Launch; ch.runtimes() != 4 || !slices.Equal(l.SkillsOff, []string{"greet"}) || !slices.Equal(l.PluginsOff, []string{"p@market"}) || !slices.Equal(l.PluginDirs, []string{"/plugins/q"}) {
			t.Errorf("%d processes, %+v", ch.runtimes(), l)
		}
	}, func(o *Options, _ *session.OpenOptions) {
		o.Off = func(session.ID) inventory.Off { return off }
		o.Plugins = func(context.Context) []string { return []string{"/plugins/p", "/plugins/q"} }
		o.Extends = func(context.Context, string) string {
			now := *files.Load()
			if writes { // before and after the switch
				writes = false
				set("5")
			}
			return now
		}
	})
}

// A prompt from a terminal with another environment restarts the runtime with that, once the background is done.
func TestRestartedForAnotherTerminal(t *testing.T) {
	book := &terminals.Book{}
	talk(t, func(t *testing.T, ch *chat) {
		id := ch.c.(*conversation).o.Session
		ch.turn(1, "one")
		book.Prompted(id, []string{"SSH_AUTH_SOCK=/one"})
		ch.turn(2, "the same")
		if n := ch.runtimes(); n != 1 || proc.Lookup(ch.rt().o.Environ, "SSH_AUTH_SOCK") != "/one" || proc.Lookup(ch.rt().o.Environ, "HOME") != "" {
			t.Fatalf("%d runtimes, %q", n, ch.rt().o.Environ)
		}
		book.Prompted(id, []string{"SSH_AUTH_SOCK=/two"})
		ch.turn(3, "two")
		if n := ch.runtimes(); n != 2 || proc.Lookup(ch.rt().o.Environ, "SSH_AUTH_SOCK") != "/two" {
			t.Fatalf("%d runtimes, %q", n, ch.rt().o.Environ)
		}
	}, func(o *Options, open *session.OpenOptions) {
		o.Terminals, o.Environ = book, append(o.Environ, "SSH_AUTH_SOCK=/host")
		book.Begin(open.Session, []string{"SSH_AUTH_SOCK=/one", "HOME=/none"})
	})
}
